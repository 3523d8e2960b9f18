// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <functional>
#include <optional>

#include "base/graph_codes.h"
#include "base/graph_errors.h"
#include "check/open_things.h"
#include "device/current.h"
#include "device/device_memory.h"
#include "device/run_memory.h"
#include "dump/run_dump.h"
#include "launch/launch.h"
#include "launch/overflow_watch.h"
#include "session/session.h"

namespace foothold {
namespace {

// Memory of the device of the stream, as the program would allocate it itself.
SharedBytes DeviceBytes(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  auto* address =
      static_cast<std::byte*>(CurrentDevice().memory().Allocate(bytes, "RunGraphWithStreamAsync"));
  check::Opened(check::Thing::kOutput, reinterpret_cast<std::uintptr_t>(address));
  return SharedBytes(address, [](std::byte* p) {
    check::Closed(check::Thing::kOutput, reinterpret_cast<std::uintptr_t>(p));
    try {
      FreeDevicePointer(p, "RunGraphWithStreamAsync");
    } catch (const std::exception&) {  // the device was reset, and its memory with it
    }
  });
}

// A pool is the program's: it may call back while it is asked.
SharedBytes OutputBytes(const GraphSlot& slot, MemoryPool* pool, std::size_t bytes) {
  if (pool == nullptr) return DeviceBytes(bytes);
  const InsideGraph inside(slot);
  return pool->Allocate(bytes);
}

bool IsTaskFailure(Code code) {
  return code / 1000 == 507;
}

// The input an output shares its memory with, if the program gives no other.
std::optional<std::size_t> InputInPlaceOf(const GraphSlot& slot, std::size_t output) {
  for (const auto& [input, shared] : slot.contents().shared_places)
    if (shared == output) return input;
  return std::nullopt;
}

// Where an output lies: where the program says, else where the input lies it shares its place with, else in
// new memory.
void SettleOutput(const GraphSlot& slot, const std::vector<TensorValue>& inputs, std::size_t index,
                  const TensorType& type, MemoryPool* pool, StreamOutput& output) {
  const std::size_t bytes = ByteSize(type);
  std::byte* address = output.address;
  std::size_t room = output.bytes;
  const auto shared = address == nullptr ? InputInPlaceOf(slot, index) : std::nullopt;
  if (shared && bytes > 0) {
    output.is_input = true;
    address = const_cast<std::byte*>(inputs[*shared].data());
    room = inputs[*shared].size();
  }
  if (address != nullptr && room < bytes)
    Fail(kGeFailed, "output {} of graph {} is {}, which takes {} bytes; the memory {} has {}", index,
         slot.id(), ToString(type), bytes, shared ? fmt::format("of input {}", *shared) : "given", room);
  output.value = TensorValue(
      type, address == nullptr ? OutputBytes(slot, pool, bytes) : SharedBytes(SharedBytes(), address), bytes);
}

GivenMemory MemoryOf(const TensorValue& value) {
  return {value.data(), value.size(), RunMemory::Kind::kAny};
}

void CheckCount(const GraphSlot& slot, std::vector<StreamOutput>& outputs) {
  const std::size_t count = slot.contents().normal->caller_outputs;
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
class StreamRun final : public Launch {
 public:
  StreamRun(GraphUse slot, GraphSlot::StreamForm form, std::shared_ptr<const ValueCallbacks> callbacks,
            std::vector<TensorValue> inputs, std::shared_ptr<PoolUse> pool)
      : slot_(std::move(slot)),
        form_(std::move(form)),
        callbacks_(std::move(callbacks)),
        inputs_(std::move(inputs)),
        pool_(std::move(pool)) {
    run.Begin(form_.program);
    scope.dump = slot_->contents().dump;
    scope.device = slot_->device();
  }
  StreamRun(const StreamRun&) = default;
  ~StreamRun() override {
    std::optional<MemoryPool::Later> not_here;
    if (queued_) not_here.emplace();
    run = {};
    kept_.clear();
    inputs_.clear();
    form_ = {};
  }

  void BindInputs(const std::vector<WatchedInput>& watched) {
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      run.BindInput(i, inputs_[i].shared_data(), inputs_[i].size());
    for (const WatchedInput& input : watched)
      run.BindInput(input.index, input.memory);
  }

  // Types, sizes and memory of the outputs.
  void PlaceOutputs(std::vector<StreamOutput>& outputs) {
    const std::vector<TensorType>& types = run.program().outputs;
    CheckCount(*slot_, outputs);
    const std::size_t count = outputs.size();
    for (std::size_t i = 0; i < count; ++i) {
      SettleOutput(*slot_, inputs_, i, types[i], pool_ ? &pool_->pool() : nullptr, outputs[i]);
      if (outputs[i].address == nullptr) kept_.push_back(outputs[i].value.shared_data());
      run.BindOutput(i, MemoryOf(outputs[i].value), kGeFailed, *this);
    }
    for (std::size_t i = count; i < types.size(); ++i) {
      const TensorValue& value = hidden_.emplace_back(types[i]);
      run.BindOutput(i, value.shared_data(), value.size());
    }
    run.SeparateOutputs();
  }

  // It is captured: run later on other threads, or never.
  void StaysFor(const Stream& stream, std::shared_ptr<GraphSlot> slot) {
    if (slot.get() != &*slot_) Fail(kGeGraphNotExist, "graph {} was removed by another thread", slot_->id());
    slot_.Keeps(std::move(slot));
    RunsOn(stream);
    queued_ = true;
  }

  // From now on it ends on another thread.
  void WaitsOn(const Stream& stream) {
    slot_.WaitsOn(stream);
    RunsOn(stream);
    stream_ = &stream;
    queued_ = true;
  }

  void Run() override {
    const Over over{slot_->checked(), stream_};
    Reported(kRtModelExecute, [&] {
      run.CheckAlive(*this);
      const InsideGraph inside(*slot_);
      run.Run(scope, form_.arena.get(), slot_->Iterations());
    });
  }

  // Summary and Save, after the run.
  bool delivers() const override { return !hidden_.empty(); }
  void Deliver() override {
    Reported(kRtAicpuException, [&] {
      std::vector<TensorValue> values = hidden_;
      foothold::Deliver(*slot_, *callbacks_, values);
    });
  }

  void ListAccesses(std::vector<Access>& to) const override {
    const std::size_t first = to.size();
    Launch::ListAccesses(to);
    for (std::size_t i = first; i < to.size(); ++i)
      to[i].role = to[i].use == Use::kRead ? MemoryRole::kGraphInput : MemoryRole::kGraphOutput;
    if (form_.work) to.push_back(*form_.work);
  }

  std::string Describe() const override { return fmt::format("graph_id={}", slot_->id()); }
  std::string InputName(std::size_t index) const override { return slot_->InputName(index); }
  std::string OutputName(std::size_t index) const override { return slot_->OutputName(index); }
  std::unique_ptr<Launch> Clone() const override { return std::make_unique<StreamRun>(*this); }

 private:
  // Tells that a run is over, however it ends.
  struct Over {
    ~Over() {
      if (stream != nullptr) graph.RanOn(*stream);
    }
    const CheckedGraph& graph;
    const Stream* const stream;
  };

  // What the Graph Engine calls the failure goes to its messages; the stream gets what tasks fail with.
  template <typename Body>
  static void Reported(Code code, const Body& body) {
    try {
      body();
    } catch (...) {  // a function of the program may throw anything
      const Error error = CurrentError();
      const GraphWorkerScope of_the_process;
      ReportGraphFailure("RunGraphWithStreamAsync", error);
      throw Error(IsTaskFailure(error.code()) ? error.code() : code, error.message());
    }
  }

  GraphUse slot_;
  GraphSlot::StreamForm form_;
  std::shared_ptr<const ValueCallbacks> callbacks_;
  std::vector<TensorValue> inputs_, hidden_;
  std::vector<SharedBytes> kept_;  // outputs that are not the program's memory
  std::shared_ptr<PoolUse> pool_;
  const Stream* stream_ = nullptr;  // null while it is captured
  bool queued_ = false;
};

namespace {

// Where the program wants outputs of sizes only the run tells.
class StagedOutputs final : public RunOutputs {
 public:
  StagedOutputs(const GraphSlot& slot, const std::vector<TensorValue>& inputs, MemoryPool* pool,
                std::vector<StreamOutput>& outputs)
      : slot_(slot), inputs_(inputs), pool_(pool), outputs_(outputs) {
    CheckCount(slot, outputs);
  }

  std::byte* Place(const TensorType&) override {
    Fail(kInternalError, "an output of graph {} has a size that was known before the run", slot_.id());
  }
  void Take(TensorValue value) override {
    StreamOutput& output = outputs_[next_];
    SettleOutput(slot_, inputs_, next_, value.type(), pool_, output);
    PlaceResult(value, MemoryOf(output.value), kGeFailed, [&] { return slot_.OutputName(next_); });
    ++next_;
  }

 private:
  const GraphSlot& slot_;
  const std::vector<TensorValue>& inputs_;  // where the program has them
  MemoryPool* const pool_;
  std::vector<StreamOutput>& outputs_;
  std::size_t next_ = 0;
};

// Where data decide shapes, the outputs cannot be placed before the run: it takes place inside the call.
void RunStagesNow(const StreamRef& stream, GraphSlot& slot, std::shared_ptr<PreparedProgram> form,
                  std::shared_ptr<const ValueCallbacks> callbacks, const std::vector<TensorValue>& values,
                  std::vector<WatchedInput> watched, std::vector<StreamOutput>& outputs, MemoryPool* pool) {
  stream->Synchronize(kForever);
  StagedOutputs places(slot, values, pool, outputs);
  GraphRun run;
  run.TellsTo(std::move(callbacks));
  run.Begin(slot, std::move(form), values, std::move(watched));
  RunInputs inputs;
  run.Lend({}, inputs);
  RunScope scope;
  scope.stream = stream->id();
  scope.overflow = stream->overflow_switch.load() != 0;
  scope.overflowing_device = stream->device();
  run.Into(places, inputs, &scope);
}

}  // namespace

void Session::RunGraphOnStream(std::uint32_t id, const void* stream, std::vector<RunInput> inputs,
                               std::vector<StreamOutput>& outputs, const char* api, bool needs_load) {
  GraphUse slot = UseGraph(id);
  needs_load ? slot->EnterLoaded(api) : slot->Enter(RunMode::kStream, api);
  const StreamRef target = FindStream(stream);
  slot->checked().LookAtRun(target);
  const auto callbacks = CallbacksFor(*slot);
  for (RunInput& input : inputs)
    input.on_device = input.may_be_larger = true;
  std::vector<WatchedInput> watched;
  std::vector<TensorValue> values = ResolveInputs(*slot, inputs, watched);
  const GraphOrder& order = slot->order();
  for (std::size_t i = 0; i < values.size(); ++i)
    if (order.TakesFromHost(i)) values[i] = values[i].Clone();
  std::erase_if(watched, [&](const WatchedInput& input) { return order.TakesFromHost(input.index); });
  const auto pool = slot->memory().is_set() ? nullptr : pools_->Find(stream);
  auto pool_use = pool ? std::make_shared<PoolUse>(pools_, pool, stream) : nullptr;
  auto form = slot->FormFor(values, pool.get());
  if (!form.program->is_static()) {
    return RunStagesNow(target, *slot, std::move(form.program), callbacks, values, std::move(watched),
                        outputs, pool.get());
  }
  LaunchPtr<StreamRun> run(
      new StreamRun(std::move(slot), std::move(form), callbacks, std::move(values), std::move(pool_use)));
  run->BindInputs(watched);
  run->PlaceOutputs(outputs);
  if (target->is_diverted()) {
    run->StaysFor(*target.stream, Find(id));
  } else {
    run->WaitsOn(*target.stream);
  }
  Queue(std::move(run), target, api);
}

}  // namespace foothold
