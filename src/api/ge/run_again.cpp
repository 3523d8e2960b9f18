// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The short way of runs that were made before: what the program gave is looked at where it is, and outputs
// are written where the program will find them.
#include <algorithm>
#include <array>
#include <functional>
#include <memory_resource>
#include <optional>
#include <span>
#include <type_traits>

#include "api/ge/session_guard.h"
#include "api/ge/tensor_impl.h"
#include "base/held_locks.h"

namespace foothold {
namespace {

// False where the long way has to look.
bool ToGiven(const ge::Tensor& tensor, GivenInput& given) {
  const ge::TensorImpl& held = ge::TensorImpl::Read(tensor);
  const bool missing = held.size > 0 && held.data == nullptr;
  if (missing || held.desc.placement == ge::kPlacementDevice) return false;
  given = {held.desc.type, held.desc.format, held.desc.dims, held.data.get(), held.size, &held.data};
  return true;
}

bool ToGiven(const gert::Tensor& tensor, GivenInput& given) {
  const bool missing = tensor.GetSize() > 0 && tensor.GetAddr() == nullptr;
  if (missing || gert::TensorPlacementUtils::IsOnDevice(tensor.GetPlacement())) return false;
  const gert::Shape& shape = tensor.GetStorageShape();
  given = {FromPublic(tensor.GetDataType()),
           FromPublic(tensor.GetStorageFormat()),
           {&shape[0], shape.GetDimNum()},
           static_cast<const std::byte*>(tensor.GetAddr()),
           tensor.GetSize()};
  return true;
}

std::byte* AddOutput(const TensorType& type, std::vector<ge::Tensor>& outputs) {
  return ge::TensorImpl::Edit(outputs.emplace_back(ge::TensorImpl::Make(type))).data.get();
}

std::byte* AddOutput(const TensorType& type, std::vector<gert::Tensor>& outputs) {
  outputs.push_back(ToRuntimeTensor(TensorValue(type), gert::kOnHost));
  return static_cast<std::byte*>(outputs.back().GetAddr());
}

// A tensor of the first generation keeps its memory; one of the second may be a view of any.
bool Keeps(const std::vector<ge::Tensor>&, const GivenInput&) {
  return false;
}
bool Keeps(const std::vector<gert::Tensor>& tensors, const GivenInput& input) {
  const std::less<const std::byte*> before;
  return std::any_of(tensors.begin(), tensors.end(), [&](const gert::Tensor& tensor) {
    const auto* first = static_cast<const std::byte*>(tensor.GetAddr());
    return before(first, input.data + input.bytes) && before(input.data, first + tensor.GetSize());
  });
}

template <typename Tensor>
bool RunBetween(Session& session, std::uint32_t id, const std::vector<Tensor>& inputs,
                std::vector<Tensor>& outputs) {
  if (&inputs == &outputs) return false;
  std::array<std::byte, 512> room;  // the list of most graphs fits
  std::pmr::monotonic_buffer_resource memory(room.data(), room.size());
  std::pmr::vector<GivenInput> given(inputs.size(), &memory);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (!ToGiven(inputs[i], given[i]) || Keeps(outputs, given[i])) return false;
  outputs.clear();
  try {
    return session.RunAgain(id, given, [&](const TensorType& type) { return AddOutput(type, outputs); });
  } catch (...) {
    outputs.clear();
    throw;
  }
}

// What is told of a queued run, and how its outputs are made.
template <typename Tensor>
struct Reply {
  std::function<void(ge::Status, std::vector<Tensor>&)> callback;

  void operator()(RepeatedRun& run) const {
    std::vector<Tensor> outputs;
    const ge::Status status = Run(run, outputs);
    EnterProgram("the callback of RunGraphAsync");
    callback(status, outputs);
  }

 private:
  static constexpr const char* kMethod =
      std::is_same_v<Tensor, ge::Tensor> ? "Session::RunGraphAsync" : "GeSession::RunGraphAsync";

  static ge::Status Run(RepeatedRun& run, std::vector<Tensor>& outputs) {
    std::optional<Error> error;
    try {
      run.Into([&](const TensorType& type) { return AddOutput(type, outputs); });
    } catch (...) {
      error.emplace(CurrentError());
      outputs.clear();
    }
    return OutcomeOf(kMethod, error ? &*error : nullptr, [] {});
  }
};

template <typename Tensor>
bool QueueAgain(Session& session, std::uint32_t id, const std::vector<Tensor>& inputs,
                std::function<void(ge::Status, std::vector<Tensor>&)>& callback) {
  if (!callback || inputs.size() > RepeatedRun::kMostInputs) return false;
  std::array<GivenInput, RepeatedRun::kMostInputs> room;
  const std::span<GivenInput> given(room.data(), inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (!ToGiven(inputs[i], given[i])) return false;
  auto found = session.FindRepeated(id, given);
  if (!found) return false;
  Session::QueueRepeated(std::move(*found), given, RunReply(Reply<Tensor>{std::move(callback)}));
  return true;
}

}  // namespace

bool RunAgainAsync(Session& session, std::uint32_t id, const std::vector<ge::Tensor>& inputs,
                   std::function<void(ge::Status, std::vector<ge::Tensor>&)>& callback) {
  return QueueAgain(session, id, inputs, callback);
}

bool RunAgainAsync(Session& session, std::uint32_t id, const std::vector<gert::Tensor>& inputs,
                   std::function<void(ge::Status, std::vector<gert::Tensor>&)>& callback) {
  return QueueAgain(session, id, inputs, callback);
}

bool RunAgain(Session& session, std::uint32_t id, const std::vector<ge::Tensor>& inputs,
              std::vector<ge::Tensor>& outputs) {
  return RunBetween(session, id, inputs, outputs);
}

bool RunAgain(Session& session, std::uint32_t id, const std::vector<gert::Tensor>& inputs,
              std::vector<gert::Tensor>& outputs) {
  return RunBetween(session, id, inputs, outputs);
}

}  // namespace foothold
