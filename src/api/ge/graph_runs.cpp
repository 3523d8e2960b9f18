// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Runs between the program's tensors: what it gave is looked at where it is, and outputs are written where it
// will find them.
#include <algorithm>
#include <array>
#include <functional>
#include <memory_resource>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "api/ge/session_guard.h"
#include "api/ge/tensor_impl.h"
#include "api/ge/watched_inputs.h"
#include "base/graph_codes.h"
#include "base/held_locks.h"

namespace foothold {
namespace {

RunInput ToInput(const ge::Tensor& tensor) {
  const ge::TensorImpl& held = ge::TensorImpl::Read(tensor);
  return {.type = held.desc.type,
          .format = held.desc.format,
          .dims = held.desc.dims,
          .data = held.data.get(),
          .bytes = held.size,
          .owner = &held.data,
          .on_device = held.desc.placement == ge::kPlacementDevice};
}

std::span<const std::int64_t> DimsOf(const gert::Shape& shape) {
  return {&shape[0], shape.GetDimNum()};
}

RunInput ToInput(const gert::Tensor& tensor) {
  return {.type = FromPublic(tensor.GetDataType()),
          .format = FromPublic(tensor.GetStorageFormat()),
          .dims = DimsOf(tensor.GetStorageShape()),
          .data = static_cast<const std::byte*>(tensor.GetAddr()),
          .bytes = tensor.GetSize(),
          .on_device = gert::TensorPlacementUtils::IsOnDevice(tensor.GetPlacement()),
          .may_be_larger = true,
          .trusted = true,
          .other_format = FromPublic(tensor.GetOriginFormat()),
          .other_dims = DimsOf(tensor.GetOriginShape())};
}

// The inputs of one call. The lists of most graphs need no memory.
template <typename Tensor>
class GivenInputs {
 public:
  explicit GivenInputs(const std::vector<Tensor>& tensors) {
    inputs_.reserve(tensors.size());
    for (const Tensor& tensor : tensors)
      inputs_.push_back(ToInput(tensor));
  }
  GivenInputs(const GivenInputs&) = delete;
  GivenInputs& operator=(const GivenInputs&) = delete;

  operator std::span<const RunInput>() const { return inputs_; }

 private:
  std::array<std::byte, 6 * sizeof(RunInput)> room_;
  std::pmr::monotonic_buffer_resource memory_{room_.data(), room_.size()};
  std::pmr::vector<RunInput> inputs_{&memory_};
};

std::byte* AddOutput(const TensorType& type, std::vector<ge::Tensor>& outputs) {
  return ge::TensorImpl::Edit(outputs.emplace_back(ge::TensorImpl::Make(type))).data.get();
}
std::byte* AddOutput(const TensorType& type, std::vector<gert::Tensor>& outputs) {
  outputs.push_back(ToRuntimeTensor(TensorValue(type), gert::kOnHost));
  return static_cast<std::byte*>(outputs.back().GetAddr());
}

void AddValue(const TensorValue& value, std::vector<ge::Tensor>& outputs) {
  outputs.push_back(ToPublic(value));
}
void AddValue(TensorValue value, std::vector<gert::Tensor>& outputs) {
  outputs.push_back(ToRuntimeTensor(std::move(value), gert::kOnHost));
}

template <typename Tensor>
class AddedOutputs final : public RunOutputs {
 public:
  explicit AddedOutputs(std::vector<Tensor>& tensors) : tensors_(tensors) {}
  std::byte* Place(const TensorType& type) override { return AddOutput(type, tensors_); }
  void Take(TensorValue value) override { AddValue(std::move(value), tensors_); }

 private:
  std::vector<Tensor>& tensors_;
};

// Whether outputs of the last run are memory of the inputs of this one. A tensor of the first generation
// keeps its memory; one of the second may be a view of any.
bool HoldInputs(const std::vector<ge::Tensor>&, std::span<const RunInput>) {
  return false;
}
bool HoldInputs(const std::vector<gert::Tensor>& tensors, std::span<const RunInput> inputs) {
  const std::less<const std::byte*> before;
  return std::any_of(tensors.begin(), tensors.end(), [&](const gert::Tensor& tensor) {
    const auto* first = static_cast<const std::byte*>(tensor.GetAddr());
    return std::any_of(inputs.begin(), inputs.end(), [&](const RunInput& input) {
      return input.data != nullptr && before(first, input.data + input.bytes) &&
             before(input.data, first + tensor.GetSize());
    });
  });
}

template <typename Tensor>
void RunInto(std::vector<Tensor>& outputs, Session& session, std::uint32_t id,
             std::span<const RunInput> given) {
  outputs.clear();
  try {
    AddedOutputs<Tensor> added(outputs);
    session.RunGraph(id, given, added);
  } catch (...) {
    outputs.clear();
    throw;
  }
}

template <typename Tensor>
void RunBetween(Session& session, std::uint32_t id, const std::vector<Tensor>& inputs,
                std::vector<Tensor>& outputs) {
  const GivenInputs<Tensor> given(inputs);
  if (&inputs != &outputs && !HoldInputs(outputs, given)) return RunInto(outputs, session, id, given);
  const std::vector<Tensor> last = std::exchange(outputs, {});  // the inputs are in it until the end
  RunInto(outputs, session, id, given);
}

template <typename Tensor>
using Callback = std::function<void(ge::Status, std::vector<Tensor>&)>;

// What is told of a queued run, and how its outputs are made.
template <typename Tensor>
struct Reply {
  Callback<Tensor> callback;

  void operator()(AsyncRun& run) const {
    std::vector<Tensor> outputs;
    const ge::Status status = Run(run, outputs);
    run.CallProgram([&] {
      EnterProgram("the callback of RunGraphAsync");
      callback(status, outputs);
    });
  }

 private:
  static constexpr const char* kMethod =
      std::is_same_v<Tensor, ge::Tensor> ? "Session::RunGraphAsync" : "GeSession::RunGraphAsync";

  static ge::Status Run(AsyncRun& run, std::vector<Tensor>& outputs) {
    std::optional<Error> error;
    try {
      AddedOutputs<Tensor> added(outputs);
      run.Into(added);
    } catch (...) {
      error.emplace(CurrentError());
      outputs.clear();
    }
    return OutcomeOf(kMethod, error ? &*error : nullptr);
  }
};

// Tensors of the first generation are the library's copies; those of the second may be changed meanwhile.
Callback<ge::Tensor> Watched(const std::vector<ge::Tensor>&, Callback<ge::Tensor> callback) {
  return callback;
}
Callback<gert::Tensor> Watched(const std::vector<gert::Tensor>& inputs, Callback<gert::Tensor> callback) {
  auto watched = WatchedInputs::Of(inputs);
  if (!watched) return callback;
  return [watched = std::move(watched), callback = std::move(callback)](ge::Status status,
                                                                        std::vector<gert::Tensor>& outputs) {
    watched->LookAgain();
    callback(status, outputs);
  };
}

template <typename Tensor>
void QueueRun(Session& session, std::uint32_t id, const std::vector<Tensor>& inputs,
              Callback<Tensor> callback) {
  if (!callback) Fail(kGeParamInvalid, "RunGraphAsync needs a callback");
  const GivenInputs<Tensor> given(inputs);
  session.RunGraphAsync(id, given, RunReply(Reply<Tensor>{Watched(inputs, std::move(callback))}));
}

std::vector<StreamOutput> PlacesOf(const std::vector<ge::Tensor>& tensors) {
  std::vector<StreamOutput> outputs;
  for (const ge::Tensor& tensor : tensors) {
    const ge::TensorImpl& held = ge::TensorImpl::Read(tensor);
    StreamOutput& output = outputs.emplace_back();
    output.address = held.data.get();
    output.bytes = held.size;
  }
  return outputs;
}

void Return(std::vector<StreamOutput>& outputs, std::vector<ge::Tensor>& tensors) {
  if (tensors.empty()) tensors.resize(outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    PortDesc desc(outputs[i].value.type());
    desc.placement = ge::kPlacementDevice;
    if (outputs[i].address == nullptr) tensors[i] = ToPublic(outputs[i].value);
    (void)tensors[i].SetTensorDesc(ToPublic(desc));
  }
}

std::vector<StreamOutput> PlacesOf(const std::vector<gert::Tensor>& tensors) {
  std::vector<StreamOutput> outputs;
  for (const gert::Tensor& tensor : tensors) {
    StreamOutput& output = outputs.emplace_back();
    output.address = static_cast<std::byte*>(const_cast<void*>(tensor.GetAddr()));
    output.bytes = tensor.GetSize();
  }
  return outputs;
}

void Return(std::vector<StreamOutput>& outputs, std::vector<gert::Tensor>& tensors) {
  if (tensors.empty()) tensors.resize(outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    gert::Tensor made = ToRuntimeTensor(outputs[i].value, gert::kOnDeviceHbm);
    if (outputs[i].is_input)  // what is nobody's to free has no manager
      made.SetData(gert::TensorData(outputs[i].value.mutable_data(), nullptr, outputs[i].value.size(),
                                    gert::kOnDeviceHbm));
    if (outputs[i].address == nullptr) {
      tensors[i] = std::move(made);
      continue;
    }
    // The memory stays the program's; only what lies in it is told.
    tensors[i].MutableOriginShape() = made.GetOriginShape();
    tensors[i].MutableStorageShape() = made.GetStorageShape();
    tensors[i].SetDataType(made.GetDataType());
    tensors[i].SetOriginFormat(made.GetOriginFormat());
    tensors[i].SetStorageFormat(made.GetStorageFormat());
  }
}

template <typename Tensor>
void RunOn(Session& session, std::uint32_t id, void* stream, const std::vector<Tensor>& inputs,
           std::vector<Tensor>& outputs, const char* api, bool needs_load) {
  std::vector<StreamOutput> places = PlacesOf(outputs);
  std::vector<RunInput> given;
  for (const Tensor& tensor : inputs)
    given.push_back(ToInput(tensor));
  session.RunGraphOnStream(id, stream, std::move(given), places, api, needs_load);
  Return(places, outputs);
}

}  // namespace

void RunNow(Session& session, std::uint32_t id, const std::vector<ge::Tensor>& inputs,
            std::vector<ge::Tensor>& outputs) {
  RunBetween(session, id, inputs, outputs);
}

void RunNow(Session& session, std::uint32_t id, const std::vector<gert::Tensor>& inputs,
            std::vector<gert::Tensor>& outputs) {
  RunBetween(session, id, inputs, outputs);
}

void RunLater(Session& session, std::uint32_t id, const std::vector<ge::Tensor>& inputs,
              Callback<ge::Tensor> callback) {
  QueueRun(session, id, inputs, std::move(callback));
}

void RunLater(Session& session, std::uint32_t id, const std::vector<gert::Tensor>& inputs,
              Callback<gert::Tensor> callback) {
  QueueRun(session, id, inputs, std::move(callback));
}

void RunOnStream(Session& session, std::uint32_t id, void* stream, const std::vector<ge::Tensor>& inputs,
                 std::vector<ge::Tensor>& outputs, const char* api) {
  RunOn(session, id, stream, inputs, outputs, api, false);
}

void RunOnStream(Session& session, std::uint32_t id, void* stream, const std::vector<gert::Tensor>& inputs,
                 std::vector<gert::Tensor>& outputs, const char* api, bool needs_load) {
  RunOn(session, id, stream, inputs, outputs, api, needs_load);
}

}  // namespace foothold
