// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/dump_tensors.h"

#include <fmt/format.h>

#include <cstring>

#include "base/error.h"
#include "calls/view.h"
#include "device/stream.h"
#include "dump/dumps.h"
#include "dump/run_dump.h"
#include "launch/launch.h"

namespace foothold::aclnn {
namespace {

// A tensor and the memory it lies in.
struct Shown {
  Tensor view;
  RunMemory memory;

  TensorType type() const { return {view.type, view.format, view.dims.ToDims()}; }
  // One element behind the other; in `room` where it is not so already.
  const std::byte* Dense(std::vector<std::byte>& room) const {
    if (memory.size() == 0 || IsContiguous(view.dims, view.strides)) return memory.data();
    const std::size_t size = BytesPerElement(view.type);
    room.resize(static_cast<std::size_t>(CountOf(view.dims)) * size);
    for (std::size_t i = 0; i * size < room.size(); ++i)
      std::memcpy(room.data() + i * size, memory.data() + PlaceOf(i) * size, size);
    return room.data();
  }

 private:
  std::size_t PlaceOf(std::size_t element) const {
    std::size_t place = 0;
    for (std::size_t d = view.dims.size(); d-- > 0;) {
      const auto dim = static_cast<std::size_t>(view.dims[d]);
      place += element % dim * static_cast<std::size_t>(view.strides[d]);
      element /= dim;
    }
    return place;
  }
};

Shown Checked(const Tensor& given, const char* kind, std::size_t index, Use use) {
  const Tensor view = CurrentView(given);
  const std::size_t bits = static_cast<std::size_t>(BitsPerElement(view.type).value_or(0));
  if (bits % 8 != 0 || bits == 0)
    Fail(kParamInvalid, "{} {} has elements of type {}", kind, index, DataTypeName(view.type));
  const std::size_t bytes = static_cast<std::size_t>(SpanOf(view.dims, view.strides)) * (bits / 8);
  if (view.data == nullptr && bytes > 0) Fail(kParamNull, "{} {} has no address", kind, index);
  const std::byte* first =
      static_cast<const std::byte*>(view.data) + static_cast<std::size_t>(view.offset) * (bits / 8);
  return {view, RunMemory(first, bytes, use, RunMemory::Kind::kDevice, kParamInvalid,
                          [&] { return fmt::format("{} {}", kind, index); })};
}

class DumpRun final : public Launch {
 public:
  explicit DumpRun(const ShownTensors& shown) : type_(shown.type), name_(shown.name) {
    for (std::size_t i = 0; i < shown.inputs.size(); ++i)
      inputs_.push_back(Checked(shown.inputs[i], "input", i, Use::kRead));
    for (std::size_t i = 0; i < shown.outputs.size(); ++i)
      outputs_.push_back(Checked(shown.outputs[i], "output", i, Use::kRead));
  }

  void Run() override {
    const auto dump = RunDump::Begin(scope.dump, scope.stream, true);
    if (!dump) return;
    std::vector<std::vector<std::byte>> rooms(inputs_.size() + outputs_.size());
    std::vector<const std::byte*> in;
    std::vector<std::byte*> out;
    std::vector<TensorType> in_types, out_types;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      inputs_[i].memory.CheckAlive([&] { return InputName(i); });
      in.push_back(inputs_[i].Dense(rooms[i]));
      in_types.push_back(inputs_[i].type());
    }
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      outputs_[i].memory.CheckAlive([&] { return OutputName(i); });
      out.push_back(const_cast<std::byte*>(outputs_[i].Dense(rooms[inputs_.size() + i])));
      out_types.push_back(outputs_[i].type());
    }
    const RunArgs args{in.data(), out.data(), nullptr};
    const NodeRun node{name_, name_, type_, in_types, out_types, args};
    dump->OnNodeBegin(node);
    dump->OnNodeEnd(node);
  }

  std::string Describe() const override { return fmt::format("opType={}, opName={}", type_, name_); }
  std::string InputName(std::size_t index) const override { return fmt::format("input {}", index); }
  std::string OutputName(std::size_t index) const override { return fmt::format("output {}", index); }
  std::unique_ptr<Launch> Clone() const override { return std::make_unique<DumpRun>(*this); }

 private:
  std::string type_, name_;
  std::vector<Shown> inputs_, outputs_;
};

}  // namespace

void QueueDump(ShownTensors shown, const StreamRef& stream, const char* api) {
  auto dump = Dumps::Get().Operators(stream->device());
  if (!dump || !dump->active()) return;
  LaunchPtr<> run(new DumpRun(shown));
  run->scope.dump = std::move(dump);
  run->scope.device = stream->device();
  run->RunsOn(*stream.stream);
  Queue(std::move(run), stream, api);
}

}  // namespace foothold::aclnn
