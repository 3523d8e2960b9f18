// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "model/model_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "device/current.h"
#include "device/device_memory.h"
#include "device/stream.h"
#include "device/stream_allocator.h"
#include "model/model_codes.h"
#include "ops/aipp/block.h"

namespace foothold {
namespace {

// A buffer that was destroyed, or never was one, is the fault of this item.
template <typename Name>
DataBuffer& BufferAt(DataSet& set, std::size_t index, const Name& name, Code code) {
  try {
    return DataBuffers::Get().Find(set.items[index].buffer);
  } catch (const Error& error) {
    Fail(code, "the data buffer of {} cannot be used: {}", name(), error.message());
  }
}

// A block of a stream's allocator, until the end.
struct Lent {
  Lent(std::shared_ptr<const StreamAllocator> from, std::size_t bytes)
      : allocator(std::move(from)), block(allocator->Allocate(bytes)) {}
  ~Lent() { allocator->Free(block); }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;

  const std::shared_ptr<const StreamAllocator> allocator;
  const StreamAllocator::Block block;
};

}  // namespace

LaunchPtr<ModelRun> ModelRun::Make(std::shared_ptr<LoadedModel> model, DataSet& inputs, DataSet& outputs,
                                   const StreamRef* stream, const char* api) {
  auto idle = model->idle_runs.Take();
  LaunchPtr<ModelRun> made(idle ? static_cast<ModelRun*>(idle.release()) : new ModelRun);
  made->model_ = std::move(model);
  made->Bind(inputs, outputs, stream, api);
  return made;
}

std::unique_ptr<Launch> ModelRun::Clone() const {
  return std::make_unique<ModelRun>(*this);
}

void ModelRun::End() noexcept {
  const std::shared_ptr<LoadedModel> model = std::move(model_);
  run.Drop();
  scope = {};
  work_.reset();
  use_.reset();
  gives_back_ = false;
  model->idle_runs.Give(std::unique_ptr<Launch>(this));
}

void ModelRun::Bind(DataSet& inputs, DataSet& outputs, const StreamRef* stream, const char* api) {
  api_ = api;
  model_->CheckContext();
  run.Begin(ProgramFor(inputs));
  for (std::size_t i = 0; i < model_->description().inputs.size(); ++i)
    BindInput(inputs, i);
  const std::size_t expected = model_->description().outputs.size();
  if (outputs.items.size() != expected)
    Fail(kModelOutputNotMatch, "{} has {} outputs, and the data set has {} buffers", model_->Describe(),
         expected, outputs.items.size());
  scope.dump = model_->dump();
  scope.model = model_->id();
  scope.device = model_->device();
  if (stream != nullptr) {
    // A captured run does not wait in that stream: it is run elsewhere, later, and takes its turn.
    if (!(*stream)->is_diverted()) use_.emplace(*model_, stream->handle);
    RunsOn(*stream->stream);
  }
  if (!placed()) return;
  TakeWork(stream);
  for (std::size_t i = 0; i < expected; ++i) {
    const TensorType& type = run.program().outputs[i];
    run.BindOutput(i, PlaceOutput(outputs, i, type), kModelOutputNotMatch, *this);
    outputs.DescribeAs(i, type);
  }
  run.SeparateOutputs();
}

void ModelRun::ListAccesses(std::vector<Access>& to) const {
  Launch::ListAccesses(to);
  if (const auto lent = work_ ? work_->lent() : std::nullopt) to.push_back(*lent);
}

std::string ModelRun::Describe() const {
  return fmt::format("modelId={}", model_->id());
}

std::string ModelRun::InputName(std::size_t index) const {
  return fmt::format("input {} ('{}') of {}", index, model_->description().inputs[index].name,
                     model_->Describe());
}

std::string ModelRun::OutputName(std::size_t index) const {
  return fmt::format("output {} ('{}') of {}", index, model_->description().outputs[index].name,
                     model_->Describe());
}

std::shared_ptr<PreparedProgram> ModelRun::ProgramFor(DataSet& inputs) {
  const ModelDescription& description = model_->description();
  const std::size_t expected = description.inputs.size() + (model_->has_gears() ? 1 : 0);
  if (inputs.items.size() != expected)
    Fail(kModelInputNotMatch, "{} has {} inputs{}, and the data set has {} buffers", model_->Describe(),
         expected, model_->has_gears() ? " with the one for the chosen sizes" : "", inputs.items.size());
  if (model_->has_gears()) {
    const bool chosen = inputs.gear && inputs.gear->model == model_->id();
    return model_->FixedProgram(chosen ? inputs.gear->index : description.gears.Largest());
  }
  types_.clear();
  bool as_fixed = description.FixedSizes();
  for (std::size_t i = 0; as_fixed && i < description.inputs.size(); ++i)
    as_fixed = inputs.items[i].desc == nullptr;
  if (as_fixed) return model_->FixedProgram(0);
  for (std::size_t i = 0; i < description.inputs.size(); ++i)
    types_.push_back(InputType(inputs, i));
  return model_->ProgramFor(types_);
}

TensorType ModelRun::InputType(DataSet& inputs, std::size_t index) const {
  const ModelPort& port = model_->description().inputs[index];
  TensorType type = port.type;
  const void* desc = inputs.items[index].desc;
  if (desc != nullptr) type.dims = TensorDescs::Get().Find(desc).shape().dims();
  if (!IsStatic(type.dims))
    Fail(kModelInputNotMatch, "{} is {}: aclmdlSetDatasetTensorDesc has to say its dimensions before the run",
         InputName(index), ToString(type));
  if (!Compatible(type.dims, port.type.dims))
    Fail(kModelInputNotMatch, "{} is {} and was described as {}", InputName(index), ToString(port.type),
         ToString(type.dims));
  return type;
}

void ModelRun::BindInput(DataSet& inputs, std::size_t index) {
  const DataBuffer& buffer = BufferAt(
      inputs, index, [&] { return InputName(index); }, kModelInputNotMatch);
  const TensorType& type = run.program().inputs[index];
  std::size_t needed = ByteSize(type);
  // How large pictures are may be said before each run, which looks at that.
  if (model_->description().inputs[index].IsAipp(PortAipp::Kind::kDynamic))
    needed = std::min(needed, buffer.size);
  if (buffer.size < needed)
    Fail(kModelInputNotMatch, "{} is {}, which takes {} bytes; its data buffer has {}", InputName(index),
         ToString(type), needed, buffer.size);
  run.BindInput(index, GivenMemory{buffer.data, needed}, kModelInputNotMatch, *this);
}

// Of dynamic preprocessing: the parameters that are there now say how much of its memory is read.
void ModelRun::CheckPictures() const {
  const std::vector<ModelPort>& ports = model_->description().inputs;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    if (!ports[i].IsAipp(PortAipp::Kind::kDynamic)) continue;
    const AippHead head = ReadAippHead(run.FindInput(ports[i].aipp->attached)->data);
    const auto batch = static_cast<std::size_t>(run.program().inputs[i].dims.at(0));
    const std::size_t needed = batch * PictureBytes(static_cast<AippFormat>(head.format),
                                                    static_cast<std::size_t>(head.source_width),
                                                    static_cast<std::size_t>(head.source_height));
    if (run.FindInput(i)->bytes < needed)
      Fail(kModelInputNotMatch, "{}: {} pictures of {} x {} take {} bytes; its data buffer has {}",
           InputName(i), batch, head.source_width, head.source_height, needed, run.FindInput(i)->bytes);
  }
}

GivenMemory ModelRun::PlaceOutput(DataSet& outputs, std::size_t index, const TensorType& type) const {
  DataBuffer& buffer = BufferAt(
      outputs, index, [&] { return OutputName(index); }, kModelOutputNotMatch);
  const std::size_t needed = ByteSize(type);
  if (buffer.data == nullptr && buffer.size == 0 && needed > 0)
    buffer = {CurrentDevice().memory().Allocate(needed, api_), needed};
  if (buffer.size < needed)
    Fail(kModelOutputNotMatch, "{} is {}, which takes {} bytes; its data buffer has {}", OutputName(index),
         ToString(type), needed, buffer.size);
  return GivenMemory{buffer.data, needed};
}

// Shapes that come with the run are what allocators of streams are for.
void ModelRun::TakeWork(const StreamRef* stream) {
  const std::size_t bytes = run.program().arena_bytes;
  const bool open = !model_->description().FixedSizes();
  const auto allocator = open && stream != nullptr && bytes > 0 ? (*stream)->allocator() : nullptr;
  if (!allocator) {
    work_ = model_->WorkFor(bytes, api_);
    return;
  }
  auto lent = std::make_shared<Lent>(allocator, bytes);
  gives_back_ = true;
  work_ = DeviceBlock::Adopt(lent->block.address, bytes, [lent]() mutable { lent.reset(); });
}

void ModelRun::Run() {
  run.CheckAlive(*this);
  RunChecked();
}

void ModelRun::RunChecked() {
  // An allocator gets its block back before the run counts as done.
  const auto work = gives_back_ ? std::exchange(work_, nullptr) : work_;
  const LoadedModel::Turn turn(*model_);
  const bool in_it = work && turn.has_work_memory();
  if (in_it) work->CheckAlive();
  CheckPictures();
  run.Run(scope, in_it ? work->data() : nullptr);
  model_->CheckWeights();
}

void ModelRun::RunNow(DataSet& outputs) {
  if (placed()) return RunChecked();
  model_->CheckWeights();
  CheckPictures();
  const std::vector<TensorValue> results = run.RunStages(scope, run.program().inputs);
  model_->CheckWeights();
  for (std::size_t i = 0; i < results.size(); ++i) {
    PlaceResult(results[i], PlaceOutput(outputs, i, results[i].type()), kModelOutputNotMatch,
                [&] { return OutputName(i); });
    outputs.DescribeAs(i, results[i].type());
  }
}

void RunOnStream(LaunchPtr<ModelRun> run, const StreamRef& stream, DataSet& outputs, const char* api) {
  if (run->placed()) return Queue(std::move(run), stream, api);
  stream->Synchronize(kForever);
  run->RunNow(outputs);
}

}  // namespace foothold
