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

Dims DimsOf(const gert::Shape& shape) {
  Dims dims;
  for (std::size_t i = 0; i < shape.GetDimNum(); ++i)
    dims.push_back(shape.GetDim(i));
  return dims;
}

gert::Shape ShapeOf(const Dims& dims) {
  gert::Shape shape;
  shape.SetDimNum(dims.size());
  for (std::size_t i = 0; i < dims.size(); ++i)
    shape.SetDim(i, dims[i]);
  return shape;
}

// The storage shape counts, unless only the origin shape fits the number of bytes.
TensorType TypeOf(const gert::Tensor& tensor) {
  TensorType type{FromPublic(tensor.GetDataType()), FromPublic(tensor.GetStorageFormat()),
                  DimsOf(tensor.GetStorageShape())};
  TensorType origin{type.type, FromPublic(tensor.GetOriginFormat()), DimsOf(tensor.GetOriginShape())};
  const auto fits = [&](const TensorType& candidate) {
    return IsStatic(candidate.dims) && ByteSize(candidate) == tensor.GetSize();
  };
  return !fits(type) && fits(origin) ? origin : type;
}

RunInput ToInput(const gert::Tensor& tensor) {
  RunInput input;
  input.exact = false;
  input.has_type = tensor.GetDataType() != ge::DT_UNDEFINED;
  auto* address = static_cast<std::byte*>(const_cast<void*>(tensor.GetAddr()));
  // A pointer that owns nothing but counts as owned: device memory stays the program's and is not copied.
  const bool on_device = gert::TensorPlacementUtils::IsOnDevice(tensor.GetPlacement());
  input.on_device = on_device;
  SharedBytes bytes =
      on_device ? SharedBytes(address, [](std::byte*) {}) : SharedBytes(SharedBytes(), address);
  input.value =
      TensorValue(input.has_type ? TypeOf(tensor) : TensorType(), std::move(bytes), tensor.GetSize());
  return input;
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

std::vector<RunInput> ToInputs(const std::vector<ge::Tensor>& tensors) {
  std::vector<RunInput> inputs;
  inputs.reserve(tensors.size());
  for (const ge::Tensor& tensor : tensors) {
    RunInput& input = inputs.emplace_back();
    input.value = FromPublic(tensor);
    input.on_device = ge::TensorImpl::Read(tensor).desc.placement == ge::kPlacementDevice;
    const TensorType& type = input.value.type();
    // A tensor without a description of its own has the graph's.
    const bool described = type.type != DataType::kUndefined && IsStatic(type.dims);
    input.has_type = described && (!type.dims.empty() || ByteSize(type) == input.value.size());
    input.exact = input.has_type;
  }
  return inputs;
}

std::vector<RunInput> ToInputs(const std::vector<gert::Tensor>& tensors) {
  std::vector<RunInput> inputs;
  for (const gert::Tensor& tensor : tensors)
    inputs.push_back(ToInput(tensor));
  return inputs;
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

std::vector<StreamOutput> ToStreamOutputs(const std::vector<gert::Tensor>& tensors) {
  std::vector<StreamOutput> outputs;
  for (const gert::Tensor& tensor : tensors) {
    StreamOutput& output = outputs.emplace_back();
    output.address = static_cast<std::byte*>(const_cast<void*>(tensor.GetAddr()));
    output.bytes = tensor.GetSize();
  }
  return outputs;
}

void FromStreamOutputs(std::vector<StreamOutput>& outputs, std::vector<gert::Tensor>& tensors) {
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

void RunOnStream(Session& session, std::uint32_t id, void* stream, const std::vector<gert::Tensor>& inputs,
                 std::vector<gert::Tensor>& outputs, const char* api, bool needs_load) {
  std::vector<StreamOutput> places = ToStreamOutputs(outputs);
  session.RunGraphOnStream(id, stream, ToInputs(inputs), places, api, needs_load);
  FromStreamOutputs(places, outputs);
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
                          GraphSlot::Memory which, const void* memory, std::size_t size) {
  return GuardSession(method, [&] {
    Made(session)->SetMemory(id, which, const_cast<void*>(memory), size);
    if (check::On() && memory != nullptr && size > 0) LookAtBase(memory, size);
  });
}

}  // namespace foothold
