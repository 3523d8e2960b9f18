// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "model/model_run.h"

#include <fmt/format.h>

#include <cstring>
#include <optional>
#include <utility>

#include "base/error.h"
#include "device/current.h"
#include "device/device_memory.h"
#include "device/stream.h"
#include "device/stream_allocator.h"
#include "device/user_code.h"
#include "dump/run_dump.h"
#include "model/model_codes.h"
#include "profile/subscriptions.h"
#include "session/overflow_watch.h"

namespace foothold {
namespace {

Dims DimsOf(const Shape& shape) {
  Dims dims;
  for (std::size_t i = 0; i < shape.rank(); ++i)
    dims.push_back(shape.dim(i));
  return dims;
}

// A buffer that was destroyed, or never was one, is the fault of this item.
DataBuffer& BufferAt(DataSet& set, std::size_t index, const std::string& port, Code code) {
  try {
    return DataBuffers::Get().Find(set.items[index].buffer);
  } catch (const Error& error) {
    Fail(code, "the data buffer of {} cannot be used: {}", port, error.message());
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

class ModelRunTask {
 public:
  explicit ModelRunTask(std::unique_ptr<ModelRun> run) : run_(std::move(run)) {}

  Outcome Run(Stream& stream) {
    std::optional<InsideUserCode> inside;
    if (run_->dumps()) inside.emplace(stream, Holds::kStream);
    run_->Run(stream.id());
    return Outcome::kDone;
  }
  std::string Describe() const { return fmt::format("modelId={}", run_->model().id()); }
  void ListAccesses(std::vector<Access>&) const {}
  static constexpr bool kReplays = false;
  Place place() const { return {run_->calls_program() ? Place::kWorker : Place::kUnhurried}; }

 private:
  std::unique_ptr<ModelRun> run_;
};

}  // namespace

ModelRun::ModelRun(std::shared_ptr<LoadedModel> model, DataSet& inputs, DataSet& outputs,
                   const StreamRef* stream, const char* api)
    : model_(std::move(model)), api_(api) {
  model_->CheckContext();
  types_ = InputTypes(inputs);
  BindInputs(inputs, types_);
  CheckOutputCount(outputs);
  runner_ = model_->RunnerFor(types_);
  if (stream != nullptr) {
    use_ = std::make_unique<LoadedModel::StreamUse>(model_, stream->handle);
    overflow_ = (*stream)->overflow_switch.load(std::memory_order_relaxed) != 0;
  }
  if (!placed()) return;
  TakeWork(stream);
  PlaceOutputs(outputs);
}

ModelRun::~ModelRun() = default;

std::string ModelRun::InputName(std::size_t index) const {
  return fmt::format("input {} ('{}') of {}", index, model_->description().inputs[index].name,
                     model_->Describe());
}

std::string ModelRun::OutputName(std::size_t index) const {
  return fmt::format("output {} ('{}') of {}", index, model_->description().outputs[index].name,
                     model_->Describe());
}

std::vector<TensorType> ModelRun::InputTypes(DataSet& inputs) const {
  const ModelDescription& description = model_->description();
  const std::size_t expected = description.inputs.size() + (model_->has_gears() ? 1 : 0);
  if (inputs.items.size() != expected)
    Fail(kModelInputNotMatch, "{} has {} inputs{}, and the data set has {} buffers", model_->Describe(),
         expected, model_->has_gears() ? " with the one for the chosen sizes" : "", inputs.items.size());
  std::vector<TensorType> types;
  for (std::size_t i = 0; i < description.inputs.size(); ++i)
    types.push_back(InputType(inputs, i));
  return types;
}

TensorType ModelRun::InputType(DataSet& inputs, std::size_t index) const {
  const ModelDescription& description = model_->description();
  const ModelPort& port = description.inputs[index];
  TensorType type = port.type;
  if (model_->has_gears()) {
    const bool chosen = inputs.gear && inputs.gear->model == model_->id();
    type.dims = description.gears.inputs[chosen ? inputs.gear->index : description.gears.Largest()][index];
    return type;
  }
  const void* desc = inputs.items[index].desc;
  if (desc != nullptr) type.dims = DimsOf(TensorDescs::Get().Find(desc).shape());
  const std::string name = InputName(index);
  if (!IsStatic(type.dims))
    Fail(kModelInputNotMatch, "{} is {}: aclmdlSetDatasetTensorDesc has to say its dimensions before the run",
         name, ToString(type));
  if (!Compatible(type.dims, port.type.dims))
    Fail(kModelInputNotMatch, "{} is {} and was described as {}", name, ToString(port.type),
         ToString(type.dims));
  return type;
}

void ModelRun::BindInputs(DataSet& inputs, const std::vector<TensorType>& types) {
  for (std::size_t i = 0; i < types.size(); ++i) {
    const std::string name = InputName(i);
    const DataBuffer& buffer = BufferAt(inputs, i, name, kModelInputNotMatch);
    const std::size_t needed = ByteSize(types[i]);
    if (buffer.size < needed)
      Fail(kModelInputNotMatch, "{} is {}, which takes {} bytes; its data buffer has {}", name,
           ToString(types[i]), needed, buffer.size);
    inputs_.emplace_back(buffer.data, needed, Use::kRead, RunMemory::Kind::kDevice, kModelInputNotMatch,
                         [&] { return name; });
  }
}

void ModelRun::CheckOutputCount(const DataSet& outputs) const {
  const std::size_t expected = model_->description().outputs.size();
  if (outputs.items.size() != expected)
    Fail(kModelOutputNotMatch, "{} has {} outputs, and the data set has {} buffers", model_->Describe(),
         expected, outputs.items.size());
}

RunMemory ModelRun::PlaceOutput(DataSet& outputs, std::size_t index, const TensorType& type) const {
  const std::string name = OutputName(index);
  DataBuffer& buffer = BufferAt(outputs, index, name, kModelOutputNotMatch);
  const std::size_t needed = ByteSize(type);
  if (buffer.data == nullptr && buffer.size == 0 && needed > 0)
    buffer = {CurrentDevice().memory().Allocate(needed, api_), needed};
  if (buffer.size < needed)
    Fail(kModelOutputNotMatch, "{} is {}, which takes {} bytes; its data buffer has {}", name, ToString(type),
         needed, buffer.size);
  const RunMemory memory(buffer.data, needed, Use::kWrite, RunMemory::Kind::kDevice, kModelOutputNotMatch,
                         [&] { return name; });
  outputs.Describe(index, DescOf(type));
  return memory;
}

void ModelRun::PlaceOutputs(DataSet& outputs) {
  for (std::size_t i = 0; i < outputs.items.size(); ++i)
    outputs_.push_back(PlaceOutput(outputs, i, runner_->program().outputs[i]));
}

// Shapes that come with the run are what allocators of streams are for.
void ModelRun::TakeWork(const StreamRef* stream) {
  const std::size_t bytes = runner_->program().arena_bytes;
  const bool open = !model_->description().FixedSizes();
  const auto allocator = open && stream != nullptr && bytes > 0 ? (*stream)->allocator() : nullptr;
  if (!allocator) {
    work_ = model_->WorkFor(*runner_, api_);
    return;
  }
  auto lent = std::make_shared<Lent>(allocator, bytes);
  calls_program_ = true;
  work_ = DeviceBlock::Adopt(lent->block.address, bytes, [lent]() mutable { lent.reset(); });
}

void ModelRun::Run(int stream) {
  std::vector<const std::byte*> in;
  std::vector<std::byte*> out;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    inputs_[i].CheckAlive([&] { return InputName(i); });
    in.push_back(inputs_[i].data());
  }
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    outputs_[i].CheckAlive([&] { return OutputName(i); });
    out.push_back(outputs_[i].data());
  }
  const auto work = std::exchange(work_, nullptr);  // an allocator gets it back before the run counts as done
  const DumpedRun dumped(model_->dump(), stream, true);
  const SubscribedRun subscribed(model_->id());
  const WatchedForOverflow watched(overflow_, &runner_->program(), model_->device());
  model_->Run(*runner_, work.get(), in, out);
}

void ModelRun::RunAndPlace(DataSet& outputs, int stream) {
  std::vector<TensorValue> values;
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    values.emplace_back(types_[i], SharedBytes(SharedBytes(), inputs_[i].data()), inputs_[i].size());
  const DumpedRun dumped(model_->dump(), stream, false);
  const SubscribedRun subscribed(model_->id());
  const WatchedForOverflow watched(overflow_, nullptr, model_->device());
  model_->CheckWeights();
  const std::vector<TensorValue> results = runner_->Run(values);
  model_->CheckWeights();
  for (std::size_t i = 0; i < results.size(); ++i) {
    const RunMemory memory = PlaceOutput(outputs, i, results[i].type());
    if (memory.size() > 0) std::memcpy(memory.data(), results[i].data(), memory.size());
  }
}

void RunOnStream(std::unique_ptr<ModelRun> run, const StreamRef& stream, DataSet& outputs, const char* api) {
  if (run->placed()) {
    stream.Push(api, ModelRunTask(std::move(run)));
  } else {
    stream->Synchronize(kForever);
    run->RunAndPlace(outputs, stream->id());
  }
}

}  // namespace foothold
