// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <cstring>

#include "base/graph_errors.h"
#include "device/current.h"
#include "device/device_memory.h"
#include "session/session.h"
#include "session/status.h"

namespace foothold {
namespace {

// Memory of the device of the stream, as the program would allocate it itself.
SharedBytes DeviceBytes(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  auto* address =
      static_cast<std::byte*>(CurrentDevice().memory().Allocate(bytes, "RunGraphWithStreamAsync"));
  return SharedBytes(address, [](std::byte* p) {
    try {
      FreeDevicePointer(p, "RunGraphWithStreamAsync");
    } catch (const Error&) {  // the device was reset, and its memory with it
    }
  });
}

SharedBytes OutputBytes(const MemoryPool* pool, std::size_t bytes) {
  return pool == nullptr ? DeviceBytes(bytes) : pool->Allocate(bytes);
}

void Copy(std::byte* to, const TensorValue& from) {
  if (from.size() > 0) std::memcpy(to, from.data(), from.size());
}

}  // namespace

// One queued run: all it needs until it is done.
class StreamRun {
 public:
  StreamRun(GraphSlot::Use slot, std::shared_ptr<PlanRunner> runner,
            std::shared_ptr<const Session::Callbacks> callbacks, std::vector<TensorValue> inputs)
      : slot_(std::move(slot)),
        runner_(std::move(runner)),
        callbacks_(std::move(callbacks)),
        inputs_(std::move(inputs)) {
    for (const TensorValue& input : inputs_)
      in_.push_back(input.data());
  }
  ~StreamRun() {
    if (pool_) pools_->End(*pool_);
  }

  void UsePool(std::shared_ptr<MemoryPools> pools, std::shared_ptr<MemoryPool> pool, const void* stream) {
    pools->Begin(*pool, stream);
    pools_ = std::move(pools);
    pool_ = std::move(pool);
  }

  // Types, sizes and memory of the outputs.
  void PlaceOutputs(std::vector<StreamOutput>& outputs) {
    const Program& program = runner_->program();
    const std::size_t count = slot_->normal().caller_outputs;
    if (outputs.empty()) outputs.resize(count);
    if (outputs.size() != count)
      Fail(kGeFailed, "graph {} has {} outputs, but {} tensors were given", slot_->id(), count,
           outputs.size());
    for (std::size_t i = 0; i < count; ++i)
      PlaceOutput(i, program.outputs[i], outputs[i]);
    for (std::size_t i = count; i < program.outputs.size(); ++i)
      out_.push_back(hidden_.emplace_back(program.outputs[i]).mutable_data());
  }

  void Run() {
    for (std::int64_t left = slot_->Iterations(); left > 0; --left)
      runner_->Run(in_, out_);
    if (hidden_.empty()) return;
    std::vector<TensorValue> outputs(slot_->normal().caller_outputs);
    outputs.insert(outputs.end(), hidden_.begin(), hidden_.end());
    Session::Deliver(*slot_, *callbacks_, outputs);
  }

  bool calls_program() const { return !slot_->normal().summaries.empty() || !slot_->normal().saves.empty(); }
  std::string Describe() const { return fmt::format("graph_id={}", slot_->id()); }

 private:
  void PlaceOutput(std::size_t index, const TensorType& type, StreamOutput& output) {
    const std::size_t bytes = ByteSize(type);
    if (output.address != nullptr) {
      if (output.bytes < bytes)
        Fail(kGeFailed, "output {} of graph {} is {}, which takes {} bytes; the memory given has {}", index,
             slot_->id(), ToString(type), bytes, output.bytes);
      output.value = TensorValue(type, SharedBytes(SharedBytes(), output.address), bytes);
    } else {
      output.value = TensorValue(type, OutputBytes(pool_.get(), bytes), bytes);
      kept_.push_back(output.value);
    }
    out_.push_back(output.value.mutable_data());
  }

  GraphSlot::Use slot_;
  std::shared_ptr<PlanRunner> runner_;
  std::shared_ptr<const Session::Callbacks> callbacks_;
  std::vector<TensorValue> inputs_, hidden_, kept_;
  std::vector<const std::byte*> in_;
  std::vector<std::byte*> out_;
  std::shared_ptr<MemoryPools> pools_;
  std::shared_ptr<MemoryPool> pool_;
};

namespace {

class StreamRunTask {
 public:
  explicit StreamRunTask(std::unique_ptr<StreamRun> run) : run_(std::move(run)) {}

  Outcome Run(Stream&) {
    try {
      run_->Run();
    } catch (...) {  // a function of the program may throw anything
      const Error error = CurrentError();
      const GraphWorkerScope of_the_process;
      ReportGraphFailure("RunGraphWithStreamAsync", error);
      throw error;
    }
    return Outcome::kDone;
  }
  std::string Describe() const { return run_->Describe(); }
  Place place() const { return {run_->calls_program() ? Place::kWorker : Place::kUnhurried}; }

 private:
  std::unique_ptr<StreamRun> run_;
};

// Where data decide shapes, the outputs cannot be placed before the run: it takes place inside the call.
void RunStagesNow(const StreamRef& stream, GraphSlot& slot, PlanRunner& runner,
                  const std::vector<TensorValue>& inputs, std::vector<StreamOutput>& outputs,
                  const MemoryPool* pool, const std::function<void(std::vector<TensorValue>&)>& deliver) {
  stream->Synchronize(kForever);
  std::vector<TensorValue> values = runner.Run(inputs);
  deliver(values);
  if (outputs.empty()) outputs.resize(values.size());
  if (outputs.size() != values.size())
    Fail(kGeFailed, "graph {} has {} outputs, but {} tensors were given", slot.id(), values.size(),
         outputs.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    StreamOutput& output = outputs[i];
    if (output.address != nullptr && output.bytes < values[i].size())
      Fail(kGeFailed, "output {} of graph {} is {}, which takes {} bytes; the memory given has {}", i,
           slot.id(), ToString(values[i].type()), values[i].size(), output.bytes);
    const SharedBytes memory = output.address != nullptr ? SharedBytes(SharedBytes(), output.address)
                                                         : OutputBytes(pool, values[i].size());
    Copy(memory.get(), values[i]);
    output.value = TensorValue(values[i].type(), memory, values[i].size());
  }
}

}  // namespace

void Session::RunGraphOnStream(std::uint32_t id, const void* stream, const std::vector<RunInput>& inputs,
                               std::vector<StreamOutput>& outputs, const char* api, bool needs_load) {
  GraphSlot::Use slot = UseGraph(id);
  needs_load ? slot->EnterLoaded(api) : slot->Enter(RunMode::kStream, api);
  const StreamRef target = FindStream(stream);
  const auto callbacks = CallbacksFor(*slot);
  std::vector<TensorValue> values = slot->Resolve(inputs);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (slot->TakesFromHost(i)) values[i] = values[i].Clone();
  const auto runner = slot->RunnerFor(values, stream);
  const auto pool = slot->uses_own_memory() ? nullptr : pools_->Find(stream);
  if (!runner->is_static()) {
    return RunStagesNow(target, *slot, *runner, values, outputs, pool.get(),
                        [&](std::vector<TensorValue>& all) { Deliver(*slot, *callbacks, all); });
  }
  auto run = std::make_unique<StreamRun>(std::move(slot), runner, callbacks, std::move(values));
  if (pool) run->UsePool(pools_, pool, stream);
  run->PlaceOutputs(outputs);
  target.Push(api, StreamRunTask(std::move(run)));
}

}  // namespace foothold
