// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <atomic>

#include "api/ge/graph_impl.h"
#include "api/ge/session_guard.h"
#include "api/ge/tensor_impl.h"
#include "base/broken_rule.h"
#include "base/graph_codes.h"
#include "check/call_finding.h"
#include "check/check.h"
#include "check/open_things.h"
#include "check/reporter.h"
#include "device/memory_map.h"

namespace foothold {
namespace {

constexpr Code kFirstGeStatus = static_cast<Code>(1343225856);
constexpr Code kLastGeStatus = static_cast<Code>(1343300000);

// Bytes shared by gert::Tensors: what their manager counts.
struct SharedData {
  SharedBytes bytes;
  std::atomic<int> users{1};
};

ge::graphStatus Manage(gert::TensorAddress address, gert::TensorOperateType operation, void** out) {
  auto* data = static_cast<SharedData*>(address);
  if (data == nullptr) return ge::GRAPH_FAILED;
  switch (operation) {
    case gert::kGetTensorAddress:
      if (out == nullptr) return ge::GRAPH_FAILED;
      *out = data->bytes.get();
      return ge::GRAPH_SUCCESS;
    case gert::kFreeTensor:
      if (data->users.fetch_sub(1, std::memory_order_acq_rel) == 1) delete data;
      return ge::GRAPH_SUCCESS;
    case gert::kPlusShareCount:
      data->users.fetch_add(1, std::memory_order_relaxed);
      return ge::GRAPH_SUCCESS;
    default:
      return ge::GRAPH_FAILED;
  }
}

gert::Shape ShapeOf(const Dims& dims) {
  gert::Shape shape;
  shape.SetDimNum(dims.size());
  for (std::size_t i = 0; i < dims.size(); ++i)
    shape.SetDim(i, dims[i]);
  return shape;
}

}  // namespace

ge::Status StatusOf(const Error& error) noexcept {
  const Code code = error.code();
  return code >= kFirstGeStatus && code < kLastGeStatus ? static_cast<ge::Status>(code) : ge::FAILED;
}

const std::shared_ptr<Session>& Made(const std::shared_ptr<Session>& session) {
  if (!session)
    Fail(kGeFailed, "the session was not made: its constructor failed, for want of memory or by its options");
  return session;
}

const std::shared_ptr<Session>& Held(const SessionWord& session) {
  static constinit const std::shared_ptr<Session> none;
  return session == nullptr ? none : *session;
}

const std::shared_ptr<Session>& Made(const SessionWord& session) {
  return Made(Held(session));
}

void EndSession(const char* method, std::shared_ptr<Session>& session) noexcept {
  if (!check::On() || session == nullptr) return;
  const check::CallScope watched(method);
  check::Closed(check::Thing::kSession, session->id());
  session.reset();
}

ge::Status OutcomeOf(const char* method, const Error* error) noexcept {
  if (error == nullptr) return ge::SUCCESS;
  try {
    ReportGraphFailure(method, *error);
    return StatusOf(*error);
  } catch (...) {
    const Error lacking = CurrentError();
    ReportGraphFailure(method, lacking);
    return StatusOf(lacking);
  }
}

OptionMap ToOptions(const std::map<ge::AscendString, ge::AscendString>& options) {
  OptionMap converted;
  for (const auto& [key, value] : options)
    converted.insert_or_assign(key.GetString(), value.GetString());
  return converted;
}

void AddGraph(Session& session, std::uint32_t id, const ge::Graph& graph, const OptionMap& options,
              Sharing sharing) {
  if (!graph.IsValid()) Fail(kGeFailed, "graph {} has nothing in it: it was never built or loaded", id);
  const std::shared_ptr<Graph>& shared = GraphOf(graph);
  if (sharing == Sharing::kCopy) {
    const auto copy = shared->Clone();
    session.AddGraph(id, copy, copy.get(), options);
  } else {
    session.AddGraph(id, shared, shared.get(), options);
  }
}

std::vector<TensorType> TypesOf(const std::vector<ge::Tensor>& tensors) {
  std::vector<TensorType> types;
  for (const ge::Tensor& tensor : tensors)
    types.push_back(FromPublic(tensor).type());
  return types;
}

gert::Tensor ToRuntimeTensor(TensorValue value, gert::TensorPlacement placement) {
  const gert::Shape shape = ShapeOf(value.dims());
  gert::Tensor tensor;
  tensor.MutableOriginShape() = shape;
  tensor.MutableStorageShape() = shape;
  tensor.SetDataType(ToPublic(value.type().type));
  tensor.SetOriginFormat(ToPublic(value.type().format));
  tensor.SetStorageFormat(ToPublic(value.type().format));
  const std::size_t size = value.size();
  if (size == 0) {
    tensor.SetData(gert::TensorData(nullptr, nullptr, 0, placement));
  } else {
    tensor.SetData(gert::TensorData(new SharedData{value.shared_data()}, Manage, size, placement));
  }
  return tensor;
}

ge::CompiledGraphSummaryPtr CompiledSummary(const char* method, const std::shared_ptr<Session>& session,
                                            std::uint32_t id) {
  ge::CompiledGraphSummaryPtr found;
  GuardSession(method, [&] {
    const auto summary = Made(session)->Summary(id);
    if (!summary) Fail(kGeFailed, "graph {} is not compiled yet", id);
    found = ToPublic(*summary);
  });
  return found;
}

namespace {

// Memory of the host would do here, and none where nothing is needed.
void LookAtBase(const void* memory, std::size_t bytes) {
  try {
    CheckDeviceRange(memory, bytes);
  } catch (const Error& error) {
    TakeBrokenRule();  // told by another name
    if (auto finding = check::FindingHere("GE-RUN-010", error.message()))
      check::Reporter::Get().Report(std::move(*finding));
  }
}

}  // namespace

ge::Status SetGraphMemory(const char* method, const std::shared_ptr<Session>& session, std::uint32_t id,
                          GraphMemory::Kind which, const void* memory, std::size_t size) {
  return GuardSession(method, [&] {
    Made(session)->SetMemory(id, which, const_cast<void*>(memory), size);
    if (check::On() && memory != nullptr && size > 0) LookAtBase(memory, size);
  });
}

}  // namespace foothold
