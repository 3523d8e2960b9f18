// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "single_op/op_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/error.h"
#include "device/memory_map.h"
#include "device/run_memory.h"
#include "device/stream.h"
#include "device/user_code.h"
#include "dump/dumps.h"
#include "dump/operator_arguments.h"
#include "dump/run_dump.h"
#include "session/overflow_watch.h"
#include "single_op/op_codes.h"
#include "single_op/work_memory.h"

namespace foothold {
namespace {

std::size_t Aligned(std::size_t bytes) {
  return (bytes + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment;
}

std::string PortName(const char* kind, int tensor) {
  return fmt::format("{} {}", kind, tensor);
}

// One run: the memory it uses, looked up when it was asked for.
class OpRun {
 public:
  OpRun(std::shared_ptr<const ReadyOp> ready, const OpCall& call, const OpTensors& tensors)
      : ready_(std::move(ready)), form_(ready_->form) {
    BindInputs(call, tensors);
    if (!form_->placed()) UseHostValues(call);
    if (!form_->placed()) return;
    for (std::size_t i = 0; i < ready_->binding.outputs.size(); ++i)
      outputs_.push_back(PlaceOutput(call, tensors, i, form_->program().outputs[i]));
    FindOverlaps();
  }

  bool placed() const { return form_->placed(); }
  const std::string& type() const { return ready_->op->type(); }
  const Program& program() const { return form_->program(); }

  void Run() {
    Recheck();
    const std::size_t arena = Aligned(form_->program().arena_bytes);
    const WorkMemory::Block work(arena + moved_bytes_);
    std::vector<const std::byte*> in;
    std::vector<std::byte*> out;
    for (const Memory& input : inputs_)
      in.push_back(input.address);
    for (const Memory& output : outputs_)
      out.push_back(output.moved ? work.address() + arena + *output.moved : output.address);
    form_->Run(in, out, work.address());
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      if (outputs_[i].moved) std::memcpy(outputs_[i].address, out[i], outputs_[i].bytes);
  }

  // Where it is not placed.
  void RunAndPlace(const OpCall& call, const OpTensors& tensors) {
    std::vector<TensorValue> values;
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      values.emplace_back(types_[i], SharedBytes(SharedBytes(), inputs_[i].address), inputs_[i].bytes);
    const std::vector<TensorValue> results = form_->Run(values);
    for (std::size_t i = 0; i < results.size(); ++i) {
      const Memory memory = PlaceOutput(call, tensors, i, results[i].type());
      if (memory.bytes > 0) std::memcpy(memory.address, results[i].data(), memory.bytes);
    }
  }

 private:
  struct Memory {
    std::byte* address = nullptr;
    std::size_t bytes = 0;
    int tensor = 0;
    std::optional<RunMemory> given = {};    // none: a copy of our own
    std::optional<std::size_t> moved = {};  // written to the work memory first, at this offset
  };

  void BindInputs(const OpCall& call, const OpTensors& tensors) {
    for (const int tensor : ready_->binding.inputs) {
      const TensorDesc& desc = *call.inputs[static_cast<std::size_t>(tensor)];
      types_.push_back(TypeOf(desc));
      const DataBuffer& buffer = *tensors.inputs[static_cast<std::size_t>(tensor)];
      const std::size_t bytes = ByteSize(types_.back());
      CheckSize("input", tensor, types_.back(), bytes, buffer.size, kOpInputNotMatch);
      const bool on_host = desc.placement != Placement::kDevice;
      inputs_.push_back(on_host ? CopyFromHost(tensor, buffer, bytes)
                                : OnDevice("input", tensor, buffer, bytes));
    }
  }

  static void CheckSize(const char* kind, int tensor, const TensorType& type, std::size_t needed,
                        std::size_t given, Code code) {
    if (given < needed)
      Fail(code, "{} is {}, which takes {} bytes; its data buffer has {}", PortName(kind, tensor),
           ToString(type), needed, given);
  }

  static Memory OnDevice(const char* kind, int tensor, const DataBuffer& buffer, std::size_t bytes) {
    const Use use = *kind == 'i' ? Use::kRead : Use::kWrite;
    const RunMemory given(buffer.data, bytes, use, RunMemory::Kind::kDevice, kInvalidParam,
                          [&] { return PortName(kind, tensor); });
    return {given.data(), bytes, tensor, given};
  }

  // The program may change its copy as soon as the call returns.
  Memory CopyFromHost(int tensor, const DataBuffer& buffer, std::size_t bytes) {
    if (bytes == 0) return {nullptr, 0, tensor};
    CheckRange(buffer.data, bytes, Use::kRead, PortName("input", tensor).c_str(), kInvalidParam);
    copies_.push_back(AllocateBytes(bytes));
    std::memcpy(copies_.back().get(), buffer.data, bytes);
    return {copies_.back().get(), bytes, tensor};
  }

  // Values that are on the host may tell the sizes of outputs.
  void UseHostValues(const OpCall& call) {
    if (copies_.empty()) return;
    std::vector<TensorValue> values(inputs_.size());
    std::vector<const TensorValue*> known(inputs_.size(), nullptr);
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const auto tensor = static_cast<std::size_t>(inputs_[i].tensor);
      if (call.inputs[tensor]->placement == Placement::kDevice) continue;
      values[i] =
          TensorValue(types_[i], SharedBytes(SharedBytes(), inputs_[i].address), inputs_[i].bytes).Clone();
      known[i] = &values[i];
    }
    form_ = ready_->op->FormFor(call, ready_->binding, known);
  }

  Memory PlaceOutput(const OpCall& call, const OpTensors& tensors, std::size_t index,
                     const TensorType& type) {
    const int tensor = ready_->binding.outputs[index];
    CheckOutput(*call.outputs[static_cast<std::size_t>(tensor)], tensor, type, !tensors.told.empty());
    const DataBuffer& buffer = *tensors.outputs[static_cast<std::size_t>(tensor)];
    const std::size_t bytes = ByteSize(type);
    CheckSize("output", tensor, type, bytes, buffer.size, kOpOutputNotMatch);
    const Memory memory = OnDevice("output", tensor, buffer, bytes);
    if (!tensors.told.empty()) Tell(*tensors.told[static_cast<std::size_t>(tensor)], type.dims);
    return memory;
  }

  static void CheckOutput(const TensorDesc& desc, int tensor, const TensorType& type, bool may_tell) {
    const Dims& said = desc.shape().dims();
    if (desc.type() != type.type || (IsStatic(said) && ElementCount(said) != ElementCount(type.dims)))
      Fail(kOpOutputNotMatch, "output {} is {}, and was described as {}", tensor, ToString(type),
           ToString(TensorType{desc.type(), desc.format, said}));
    if (!IsStatic(said) && !may_tell)
      Fail(kOpUnsupportedDynamic,
           "output {} was described as {}: this call cannot tell its size; the one whose name ends in V2 can",
           tensor, ToString(said));
  }

  static void Tell(TensorDesc& desc, const Dims& dims) {
    if (!IsStatic(desc.shape().dims())) desc.SetShape(Shape(static_cast<int>(dims.size()), dims.data()));
  }

  bool MayBeWrittenDirectly(const Memory& input, const Memory& output) const {
    if (input.address != output.address || input.bytes != output.bytes) return false;
    return std::any_of(ready_->binding.in_place.begin(), ready_->binding.in_place.end(),
                       [&](const OpBinding::InPlace& pair) {
                         return pair.input == input.tensor && pair.output == output.tensor &&
                                (pair.reference || form_->program().steps.size() == 1);
                       });
  }

  // Kernels may write an output before they have read all of the inputs.
  void FindOverlaps() {
    for (Memory& output : outputs_) {
      int met = 0;
      bool direct = true;
      for (const Memory& input : inputs_) {
        const bool meets = output.bytes > 0 && input.address < output.address + output.bytes &&
                           output.address < input.address + input.bytes;
        if (!meets) continue;
        ++met;
        direct = direct && MayBeWrittenDirectly(input, output);
      }
      if (met == 0 || (met == 1 && direct)) continue;
      output.moved = moved_bytes_;
      moved_bytes_ += Aligned(output.bytes);
    }
  }

  void Recheck() const {
    for (const Memory& input : inputs_)
      if (input.given) input.given->CheckAlive([&] { return PortName("input", input.tensor); });
    for (const Memory& output : outputs_)
      output.given->CheckAlive([&] { return PortName("output", output.tensor); });
  }

  const std::shared_ptr<const ReadyOp> ready_;
  std::shared_ptr<OpForm> form_;
  std::vector<TensorType> types_;  // of the inputs
  std::vector<Memory> inputs_, outputs_;
  std::vector<SharedBytes> copies_;  // of inputs that were on the host
  std::size_t moved_bytes_ = 0;
};

class OpRunTask {
 public:
  OpRunTask(std::unique_ptr<OpRun> run, std::shared_ptr<ModelDump> dump, bool overflow)
      : run_(std::move(run)), dump_(std::move(dump)), overflow_(overflow) {}

  Outcome Run(Stream& stream) {
    std::optional<InsideUserCode> inside;
    if (dump_) inside.emplace(stream, Holds::kStream);
    const DumpedRun dumped(dump_, stream.id(), true);
    const WatchedForOverflow watched(overflow_, &run_->program(), stream.device());
    run_->Run();
    return Outcome::kDone;
  }
  std::string Describe() const { return fmt::format("opType={}", run_->type()); }
  void ListAccesses(std::vector<Access>&) const {}
  static constexpr bool kReplays = false;
  // A function of the program may take the dump.
  Place place() const { return {dump_ ? Place::kWorker : Place::kUnhurried}; }

 private:
  std::unique_ptr<OpRun> run_;
  std::shared_ptr<ModelDump> dump_;
  const bool overflow_;  // is to be noticed
};

// For aclopStartDumpArgs.
void NoteArguments(const OpCall& call) {
  std::string text = fmt::format("type: {}\n", call.type);
  const auto list = [&](const char* kind, const std::vector<const TensorDesc*>& tensors) {
    for (std::size_t i = 0; i < tensors.size(); ++i)
      text += fmt::format("{} {}: {}\n", kind, i,
                          IsAbsent(*tensors[i]) ? std::string("none") : ToString(TypeOf(*tensors[i])));
  };
  list("input", call.inputs);
  list("output", call.outputs);
  for (const auto& [name, value] : call.attribute_values())
    text += fmt::format("attribute {}: {}\n", name, ToString(value));
  OperatorArguments::Get().Note(std::string(call.type), text);
}

}  // namespace

void RunOperator(const std::shared_ptr<const ReadyOp>& ready, const OpCall& call, const OpTensors& tensors,
                 const StreamRef& stream, const char* api) {
  const bool asks = std::any_of(call.outputs.begin(), call.outputs.end(), [](const TensorDesc* desc) {
    return !IsAbsent(*desc) && !IsStatic(desc->shape().dims());
  });
  if (OperatorArguments::Get().active()) NoteArguments(call);
  auto run = std::make_unique<OpRun>(ready, call, tensors);
  auto dump = Dumps::Get().Operators(stream->device());
  const bool overflow = stream->overflow_switch.load(std::memory_order_relaxed) != 0;
  if (!run->placed()) {
    stream->Synchronize(kForever);
    const DumpedRun dumped(dump, stream->id(), false);
    const WatchedForOverflow watched(overflow, nullptr, stream->device());
    run->RunAndPlace(call, tensors);
    return;
  }
  stream.Push(api, OpRunTask(std::move(run), std::move(dump), overflow));
  if (asks) stream->Synchronize(kForever);
}

}  // namespace foothold
