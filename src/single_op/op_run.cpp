// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "single_op/op_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "calls/call_run.h"
#include "device/memory_map.h"
#include "device/stream.h"
#include "dump/operator_arguments.h"
#include "single_op/op_codes.h"

namespace foothold {
namespace {

void CheckSize(const char* kind, int tensor, const TensorType& type, std::size_t needed, std::size_t given,
               Code code) {
  if (given < needed)
    Fail(code, "{} {} is {}, which takes {} bytes; its data buffer has {}", kind, tensor, ToString(type),
         needed, given);
}

// Whose size is known before the run has the elements that were said; of another one programs say the most.
enum class Known { kBefore, kByRun };

bool FitsSaid(const Dims& said, const Dims& dims, Known known) {
  if (!IsStatic(said)) return true;
  return known == Known::kByRun ? ElementCount(dims) <= ElementCount(said)
                                : ElementCount(dims) == ElementCount(said);
}

void CheckOutput(const TensorDesc& desc, int tensor, const TensorType& type, bool may_tell, Known known) {
  const Dims& said = desc.shape().dims();
  if (desc.type() != type.type || !FitsSaid(said, type.dims, known))
    Fail(kOpOutputNotMatch, "output {} is {}, and was described as {}", tensor, ToString(type),
         ToString(TensorType{desc.type(), desc.format, said}));
  if (!IsStatic(said) && !may_tell)
    Fail(kOpUnsupportedDynamic,
         "output {} was described as {}: this call cannot tell its size; the one whose name ends in V2 can",
         tensor, ToString(said));
}

void Tell(TensorDesc& desc, const Dims& dims, Known known) {
  if (known == Known::kByRun || !IsStatic(desc.shape().dims()))
    desc.SetShape(Shape(static_cast<int>(dims.size()), dims.data()));
}

// The tensors of one call and its run. Does not outlive the call.
class OpBinder {
 public:
  OpBinder(const ReadyOp& ready, const OpCall& call, const OpTensors& tensors, CallRun& run)
      : ready_(ready), call_(call), tensors_(tensors), run_(run) {}

  // The outputs only if their sizes are known.
  void Bind() {
    UseProgram(ready_.program);
    if (!run_.is_placed()) UseHostValues();
    if (!run_.is_placed()) return;
    for (std::size_t i = 0; i < ready_.binding.outputs.size(); ++i)
      PlaceOutput(i, run_.run.program().outputs[i], Known::kBefore,
                  [&](const GivenMemory& given) { run_.run.BindOutput(i, given, kInvalidParam, run_); });
    const bool by_form = &run_.run.prepared() == ready_.program.get();
    run_.run.SeparateOutputs(by_form ? ready_.sharing : MemorySharing(run_.run.program()));
  }
  // Where they are not: now.
  void RunAndPlace() {
    run_.run.TellTouches();
    const std::vector<TensorValue> results = run_.run.RunStages(run_.scope, InputTypes());
    for (std::size_t i = 0; i < results.size(); ++i)
      PlaceOutput(i, results[i].type(), Known::kByRun, [&](const GivenMemory& given) {
        PlaceResult(results[i], given, kInvalidParam, [&] { return run_.OutputName(i); });
      });
  }

 private:
  std::vector<TensorType> InputTypes() const {
    std::vector<TensorType> types;
    for (const int tensor : ready_.binding.inputs)
      types.push_back(TypeOf(*call_.inputs[static_cast<std::size_t>(tensor)]));
    return types;
  }

  void UseProgram(const std::shared_ptr<PreparedProgram>& program) {
    run_.run.Begin(program);
    for (std::size_t i = 0; i < ready_.binding.inputs.size(); ++i)
      BindInput(i);
  }

  void BindInput(std::size_t index) {
    const int tensor = ready_.binding.inputs[index];
    const TensorDesc& desc = *call_.inputs[static_cast<std::size_t>(tensor)];
    const DataBuffer& buffer = *tensors_.inputs[static_cast<std::size_t>(tensor)];
    const TensorType& type = run_.run.program().inputs[index];
    const std::size_t bytes = ByteSize(type);
    CheckSize("input", tensor, type, bytes, buffer.size, kOpInputNotMatch);
    if (desc.placement == Placement::kDevice)
      return run_.run.BindInput(index, GivenMemory{buffer.data, bytes}, kInvalidParam, run_);
    // The program may change its copy as soon as the call returns.
    if (bytes > 0) CheckRange(buffer.data, bytes, Use::kRead, run_.InputName(index).c_str(), kInvalidParam);
    SharedBytes copy = AllocateBytes(bytes);
    if (bytes > 0) std::memcpy(copy.get(), buffer.data, bytes);
    run_.run.BindInput(index, std::move(copy), bytes);
  }

  // Values that are on the host may tell the sizes of outputs.
  void UseHostValues() {
    std::vector<TensorValue> values = run_.run.InputValues(InputTypes());
    std::vector<const TensorValue*> known(values.size(), nullptr);
    bool any = false;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto tensor = static_cast<std::size_t>(ready_.binding.inputs[i]);
      if (call_.inputs[tensor]->placement == Placement::kDevice) continue;
      values[i] = values[i].Clone();
      known[i] = &values[i];
      any = true;
    }
    if (any) UseProgram(ready_.op->Prepare(call_, ready_.binding, known));
  }

  template <typename Place>
  void PlaceOutput(std::size_t index, const TensorType& type, Known known, const Place& place) const {
    const int tensor = ready_.binding.outputs[index];
    CheckOutput(*call_.outputs[static_cast<std::size_t>(tensor)], tensor, type, !tensors_.told.empty(),
                known);
    const DataBuffer& buffer = *tensors_.outputs[static_cast<std::size_t>(tensor)];
    const std::size_t bytes = ByteSize(type);
    CheckSize("output", tensor, type, bytes, buffer.size, kOpOutputNotMatch);
    place(GivenMemory{buffer.data, bytes});
    if (!tensors_.told.empty()) Tell(*tensors_.told[static_cast<std::size_t>(tensor)], type.dims, known);
  }

  const ReadyOp& ready_;
  const OpCall& call_;
  const OpTensors& tensors_;
  CallRun& run_;
};

// For aclopStartDumpArgs.
void NoteArguments(const OpCall& call) {
  std::string text = fmt::format("type: {}\n", call.type);
  const auto list = [&](const char* kind, const auto& tensors) {
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
  auto run = CallRun::Make(ready);
  OpBinder binder(*ready, call, tensors, *run);
  binder.Bind();
  run->RunsOn(stream);
  if (!run->is_placed()) {
    stream->Synchronize(kForever);
    return binder.RunAndPlace();
  }
  Queue(std::move(run), stream, api);
  if (asks && !stream->is_diverted()) stream->Synchronize(kForever);
}

}  // namespace foothold
