// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>
#include <cstring>
#include <functional>
#include <optional>

#include "base/graph_errors.h"
#include "device/current.h"
#include "device/device_memory.h"
#include "device/executor.h"
#include "device/run_memory.h"
#include "device/user_code.h"
#include "dump/run_dump.h"
#include "session/overflow_watch.h"
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
    } catch (const std::exception&) {  // the device was reset, and its memory with it
    }
  });
}

// A pool is the program's: it may call back while it is asked.
SharedBytes OutputBytes(const GraphSlot& slot, MemoryPool* pool, std::size_t bytes) {
  if (pool == nullptr) return DeviceBytes(bytes);
  const GraphSlot::Here here(slot);
  return pool->Allocate(bytes);
}

std::string OutputName(const GraphSlot& slot, std::size_t index) {
  return fmt::format("output {} of graph {}", index, slot.id());
}

bool IsTaskFailure(Code code) {
  return code / 1000 == 507;
}

void Copy(TensorValue& to, const TensorValue& from) {
  if (from.size() > 0) std::memcpy(to.mutable_data(), from.data(), from.size());
}

// Where an output lies: where the program says, else where the input lies it shares its place with, else in
// new memory. The memory of the program is given back as well, for a look when the run begins.
std::optional<RunMemory> SettleOutput(const GraphSlot& slot, const std::vector<TensorValue>& inputs,
                                      std::size_t index, const TensorType& type, MemoryPool* pool,
                                      StreamOutput& output) {
  const std::size_t bytes = ByteSize(type);
  std::byte* address = output.address;
  std::size_t room = output.bytes;
  const auto shared = address == nullptr ? slot.InputInPlaceOf(index) : std::nullopt;
  if (shared && bytes > 0) {
    output.is_input = true;
    address = const_cast<std::byte*>(inputs[*shared].data());
    room = inputs[*shared].size();
  }
  if (address != nullptr && room < bytes)
    Fail(kGeFailed, "output {} of graph {} is {}, which takes {} bytes; the memory {} has {}", index,
         slot.id(), ToString(type), bytes, shared ? fmt::format("of input {}", *shared) : "given", room);
  std::optional<RunMemory> given;
  if (address != nullptr && !shared)
    given.emplace(address, bytes, Use::kWrite, RunMemory::Kind::kAny, kGeFailed,
                  [&] { return OutputName(slot, index); });
  output.value = TensorValue(
      type, address == nullptr ? OutputBytes(slot, pool, bytes) : SharedBytes(SharedBytes(), address), bytes);
  return given;
}

void CheckCount(const GraphSlot& slot, std::vector<StreamOutput>& outputs, std::size_t count) {
  if (outputs.empty()) outputs.resize(count);
  if (outputs.size() != count)
    Fail(kGeFailed, "graph {} has {} outputs, but {} tensors were given", slot.id(), count, outputs.size());
}

}  // namespace

// What a run uses of a pool: no other stream may.
class PoolUse {
 public:
  PoolUse(std::shared_ptr<MemoryPools> pools, std::shared_ptr<MemoryPool> pool, const void* stream)
      : pools_(std::move(pools)), pool_(std::move(pool)) {
    pools_->Begin(*pool_, stream);
  }
  ~PoolUse() { pools_->End(*pool_); }
  PoolUse(const PoolUse&) = delete;
  PoolUse& operator=(const PoolUse&) = delete;

  MemoryPool& pool() const { return *pool_; }

 private:
  const std::shared_ptr<MemoryPools> pools_;
  const std::shared_ptr<MemoryPool> pool_;
};

// One queued run: all it needs until it is done.
class StreamRun {
 public:
  StreamRun(GraphSlot::Use slot, GraphSlot::StreamForm form,
            std::shared_ptr<const Session::Callbacks> callbacks, std::vector<TensorValue> inputs,
            std::vector<WatchedInput> watched, std::unique_ptr<PoolUse> pool)
      : slot_(std::move(slot)),
        form_(std::move(form)),
        callbacks_(std::move(callbacks)),
        inputs_(std::move(inputs)),
        watched_inputs_(std::move(watched)),
        pool_(std::move(pool)) {
    for (const TensorValue& input : inputs_)
      in_.push_back(input.data());
  }
  ~StreamRun() {
    std::optional<MemoryPool::Later> not_here;
    if (queued_) not_here.emplace();
    kept_.clear();
    moved_.clear();
    inputs_.clear();
    form_ = {};
  }

  // Types, sizes and memory of the outputs.
  void PlaceOutputs(std::vector<StreamOutput>& outputs) {
    const Program& program = form_.runner->program();
    const std::size_t count = slot_->normal().caller_outputs;
    CheckCount(*slot_, outputs, count);
    for (std::size_t i = 0; i < count; ++i)
      PlaceOutput(i, program.outputs[i], outputs[i]);
    for (std::size_t i = count; i < program.outputs.size(); ++i)
      out_.push_back(hidden_.emplace_back(program.outputs[i]).mutable_data());
  }

  // From now on it ends on another thread.
  void WaitsOn(const Stream& stream) {
    slot_.WaitsOn(stream);
    overflow_ = stream.overflow_switch.load(std::memory_order_relaxed) != 0;
    queued_ = true;
  }

  void Run(int stream, int device) {
    slot_->CheckAlive(watched_inputs_);
    for (const auto& [index, memory] : watched_outputs_)
      memory.CheckAlive([&, at = index] { return OutputName(*slot_, at); });
    for (std::int64_t left = slot_->Iterations(); left > 0; --left) {
      const GraphSlot::Here here(*slot_);
      const DumpedRun dumped(slot_->dump(), stream, true);
      const WatchedForOverflow watched(overflow_, &form_.runner->program(), device);
      form_.pooled ? form_.runner->RunIn(form_.arena.get(), in_, out_) : form_.runner->Run(in_, out_);
    }
    for (auto& [from, to] : moved_)
      Copy(to, from);
  }

  // Summary and Save, after the run.
  bool delivers() const { return !hidden_.empty(); }
  void Deliver() {
    std::vector<TensorValue> outputs(slot_->normal().caller_outputs);
    outputs.insert(outputs.end(), hidden_.begin(), hidden_.end());
    Session::Deliver(*slot_, *callbacks_, outputs);
  }

  bool calls_program() const {
    return !slot_->normal().summaries.empty() || !slot_->normal().saves.empty() || dumps();
  }
  bool dumps() const { return slot_->dump() != nullptr && slot_->dump()->active(); }
  std::string Describe() const { return fmt::format("graph_id={}", slot_->id()); }

 private:
  void PlaceOutput(std::size_t index, const TensorType& type, StreamOutput& output) {
    const auto given = SettleOutput(*slot_, inputs_, index, type, pool_ ? &pool_->pool() : nullptr, output);
    if (given) watched_outputs_.emplace_back(index, *given);
    if (output.address == nullptr) kept_.push_back(output.value.shared_data());
    // Steps may write an output before the last of them has read the inputs.
    if (!LiesInInput(output.value)) return out_.push_back(output.value.mutable_data());
    moved_.emplace_back(TensorValue(type), output.value);
    out_.push_back(moved_.back().first.mutable_data());
  }

  bool LiesInInput(const TensorValue& output) const {
    const std::less<const std::byte*> before;
    return std::any_of(inputs_.begin(), inputs_.end(), [&](const TensorValue& input) {
      return before(input.data(), output.data() + output.size()) &&
             before(output.data(), input.data() + input.size());
    });
  }

  GraphSlot::Use slot_;
  GraphSlot::StreamForm form_;
  std::shared_ptr<const Session::Callbacks> callbacks_;
  std::vector<TensorValue> inputs_, hidden_;
  std::vector<SharedBytes> kept_;  // outputs that are not the program's memory
  std::vector<WatchedInput> watched_inputs_;
  std::vector<std::pair<std::size_t, RunMemory>> watched_outputs_;
  std::vector<std::pair<TensorValue, TensorValue>> moved_;  // written first, and where it goes afterwards
  std::vector<const std::byte*> in_;
  std::vector<std::byte*> out_;
  std::unique_ptr<PoolUse> pool_;
  bool queued_ = false;
  bool overflow_ = false;
};

namespace {

class StreamRunTask {
 public:
  explicit StreamRunTask(std::unique_ptr<StreamRun> run) : run_(std::move(run)) {}

  Outcome Run(Stream& stream) {
    Reported(kRtModelExecute, [&] {
      std::optional<InsideUserCode> inside;
      if (run_->dumps()) inside.emplace(stream, Holds::kStream);
      run_->Run(stream.id(), stream.device());
    });
    if (run_->delivers()) Reported(kRtAicpuException, [&] { Deliver(stream); });
    return Outcome::kDone;
  }
  std::string Describe() const { return run_->Describe(); }
  void ListAccesses(std::vector<Access>&) const {}
  static constexpr bool kReplays = false;
  Place place() const { return {run_->calls_program() ? Place::kWorker : Place::kUnhurried}; }

 private:
  void Deliver(Stream& stream) {
    const Executor::UserCode on_a_worker;
    const InsideUserCode inside(stream, Holds::kStream);
    const CurrentContextScope context(stream.context());
    run_->Deliver();
  }
  // What the Graph Engine calls the failure goes to its messages; the stream gets what tasks fail with.
  template <typename Body>
  void Reported(Code code, const Body& body) {
    try {
      body();
    } catch (...) {  // a function of the program may throw anything
      const Error error = CurrentError();
      const GraphWorkerScope of_the_process;
      ReportGraphFailure("RunGraphWithStreamAsync", error);
      throw Error(IsTaskFailure(error.code()) ? error.code() : code, error.message());
    }
  }

  std::unique_ptr<StreamRun> run_;
};

// Where data decide shapes, the outputs cannot be placed before the run: it takes place inside the call.
void RunStagesNow(const StreamRef& stream, GraphSlot& slot, PlanRunner& runner,
                  const std::vector<TensorValue>& inputs, std::vector<StreamOutput>& outputs,
                  MemoryPool* pool, const std::function<void(std::vector<TensorValue>&)>& deliver) {
  stream->Synchronize(kForever);
  std::vector<TensorValue> values;
  for (std::int64_t left = slot.Iterations(); left > 0; --left) {
    const GraphSlot::Here here(slot);
    const DumpedRun dumped(slot.dump(), stream->id(), false);
    const WatchedForOverflow watched(stream->overflow_switch.load() != 0, nullptr, stream->device());
    values = runner.Run(inputs);
  }
  deliver(values);
  CheckCount(slot, outputs, values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    SettleOutput(slot, inputs, i, values[i].type(), pool, outputs[i]);
    Copy(outputs[i].value, values[i]);
  }
}

}  // namespace

void Session::RunGraphOnStream(std::uint32_t id, const void* stream, std::vector<RunInput> inputs,
                               std::vector<StreamOutput>& outputs, const char* api, bool needs_load) {
  GraphSlot::Use slot = UseGraph(id);
  needs_load ? slot->EnterLoaded(api) : slot->Enter(RunMode::kStream, api);
  const StreamRef target = FindStream(stream);
  const auto callbacks = CallbacksFor(*slot);
  for (RunInput& input : inputs)
    input.on_device = true;
  std::vector<WatchedInput> watched;
  std::vector<TensorValue> values = slot->Resolve(std::move(inputs), &watched);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (slot->TakesFromHost(i)) values[i] = values[i].Clone();
  std::erase_if(watched, [&](const WatchedInput& input) { return slot->TakesFromHost(input.index); });
  const auto pool = slot->uses_own_memory() ? nullptr : pools_->Find(stream);
  auto pool_use = pool ? std::make_unique<PoolUse>(pools_, pool, stream) : nullptr;
  auto form = slot->FormFor(values, pool.get());
  if (!form.runner->is_static()) {
    return RunStagesNow(target, *slot, *form.runner, values, outputs, pool.get(),
                        [&](std::vector<TensorValue>& all) { Deliver(*slot, *callbacks, all); });
  }
  auto run = std::make_unique<StreamRun>(std::move(slot), std::move(form), callbacks, std::move(values),
                                         std::move(watched), std::move(pool_use));
  run->PlaceOutputs(outputs);
  run->WaitsOn(*target.stream);
  target.Push(api, StreamRunTask(std::move(run)));
}

}  // namespace foothold
