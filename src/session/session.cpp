// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory_resource>
#include <utility>

#include "base/broken_rule.h"
#include "base/graph_codes.h"
#include "base/held_locks.h"
#include "base/log.h"
#include "base/watch.h"
#include "check/open_things.h"
#include "check/planned_failures.h"
#include "device/runtime.h"
#include "dump/run_dump.h"
#include "options/option_text.h"
#include "session/dump_options.h"
#include "session/engine.h"

namespace foothold {
namespace {

constexpr int kNoStream = 0;  // in the names of dumps

std::uint64_t NextId() {
  static std::atomic<std::uint64_t> next{1};
  return next.fetch_add(1);
}

// Host inputs whose memory nobody keeps alive are copied: the program may reuse it when the call has
// returned.
void OwnMemory(std::vector<TensorValue>& inputs) {
  for (TensorValue& input : inputs)
    if (input.shared_data().use_count() == 0 && input.size() > 0) input = input.Clone();
}

std::size_t BytesOf(const std::vector<WatchedInput>& inputs) {
  std::size_t bytes = 0;
  for (const WatchedInput& input : inputs)
    bytes += input.memory.size();
  return bytes;
}

// The device a session is bound to; -1 and silence mean the first.
int DeviceOf(const Options& options) {
  const std::string text =
      options.Find("ge.session_device_id").value_or(options.Find("ge.exec.deviceId").value_or("0"));
  const std::int64_t device = std::max<std::int64_t>(ParseInteger(text).value_or(0), 0);  // checked before
  const int present = Runtime::Get().device_count();
  if (device >= present)
    throw Error(kGeParamInvalid, fmt::format("device {} was asked for, but there are {}", device, present),
                kBadOption);
  return static_cast<int>(device);
}

// Of a graph among those of all sessions.
std::uint64_t Key(std::uint64_t session, std::uint32_t graph) {
  return session << 32 | graph;
}

}  // namespace

Session::Session(const OptionMap& options, Generation generation)
    : engine_(&Engine::Get()), id_(NextId()), options_(options), generation_(generation) {}

std::shared_ptr<Session> Session::Make(const OptionMap& options, Generation generation) {
  std::shared_ptr<Session> session(new Session(options, generation), End);
  Engine::Get().Add(session);
  MemoryPool::GiveBackAll();
  return session;
}

void Session::End(Session* session) {
  if (session->is_parents()) return Engine::Get().LeaveAlone(session);
  if (session->WaitUntilUnused()) return delete session;
  LookAtEndInside(session->id());
  Engine::Get().EndLater([session] { delete session; });  // or never: here it would wait for itself
}

Session::~Session() {
  WaitUntilUnused();
  for (const auto& [id, slot] : graphs_)
    check::Closed(check::Thing::kGraph, Key(id_, id));
}

bool Session::WaitUntilUnused() noexcept {
  for (const auto& [id, slot] : graphs_)
    if (slot->WaitsForThisThread()) return false;
  try {
    for (const auto& [id, slot] : graphs_)
      slot->WaitUntilUnused();
    return true;
  } catch (...) {
    Log(LogLevel::kInfo, "session {} is ended later: {}", id_, CurrentError().message());
    return false;
  }
}

bool Session::is_parents() const {
  return engine_ != &Engine::Get();
}

void Session::RequireOwn() const {
  if (is_parents())
    Fail(kGeFailed,
         "session {} belongs to the process this one was forked from; make a session of this process", id_);
}

void Session::RequireEngine() const {
  if (!Engine::Get().is_initialized())
    Fail(kGeNotInitialized, "the Graph Engine is not initialised; call GEInitialize first");
  RequireOwn();
}

const std::shared_ptr<GraphSlot>& Session::FindLocked(std::uint32_t id) const {
  const auto found = graphs_.find(id);
  if (found == graphs_.end()) Fail(kGeGraphNotExist, "session {} has no graph {}", id_, id);
  return found->second;
}

std::shared_ptr<GraphSlot> Session::Find(std::uint32_t id) const {
  RequireEngine();
  std::lock_guard<std::mutex> lock(mutex_);
  return FindLocked(id);
}

// Found and counted at once: a graph that is removed in between would not be waited for.
GraphSlot::Use Session::UseGraph(std::uint32_t id) const {
  RequireEngine();
  std::lock_guard<std::mutex> lock(mutex_);
  return GraphSlot::Use(*FindLocked(id));
}

bool Session::HasGraph(std::uint32_t id) const {
  if (is_parents()) return false;
  std::lock_guard<std::mutex> lock(mutex_);
  return graphs_.count(id) != 0;
}

void Session::AddGraph(std::uint32_t id, std::shared_ptr<Graph> graph, const void* identity,
                       const OptionMap& options) {
  RequireEngine();
  CheckOptions(options_);
  CheckOptions(options);
  const Options all(Options(Engine::Get().options(), options_), options);
  DumpConfigOf(all);
  const int device = DeviceOf(all);
  variables_->CountOn(device);
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = graphs_.find(id);
  if (found != graphs_.end()) {
    if (found->second->identity() == identity) return;
    Fail(kGeFailed, "session {} has another graph {} already; remove it first", id_, id);
  }
  graphs_.emplace(id, std::make_shared<GraphSlot>(GraphSlot::Origin{id, std::move(graph), identity, all},
                                                  generation_, variables_, pools_, device));
  check::Opened(check::Thing::kGraph, Key(id_, id));
}

void Session::RemoveGraph(std::uint32_t id) {
  const std::shared_ptr<GraphSlot> slot = Find(id);
  if (slot->WaitsForThisThread()) {
    BreaksRule("GE-RUN-006", nullptr);
    Fail(kGeFailed,
         "graph {} cannot be removed inside one of its own callbacks, nor inside a function a queued run of "
         "it waits for: removing waits for them",
         id);
  }
  {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto found = graphs_.find(id);
    if (found == graphs_.end() || found->second != slot)
      Fail(kGeGraphNotExist, "graph {} was removed by another thread", id);
    graphs_.erase(found);
  }
  try {
    slot->WaitUntilUnused();
  } catch (...) {
    PutBack(id, slot);
    Fail(kGeFailed, "graph {} cannot be removed here: {}", id, CurrentError().message());
  }
  check::Closed(check::Thing::kGraph, Key(id_, id));
  pools_->GiveBack();
}

// If the number was given away meanwhile, the graph ends when its runs do.
void Session::PutBack(std::uint32_t id, std::shared_ptr<GraphSlot> slot) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (graphs_.try_emplace(id, slot).second) return;
  }
  // If there is no thread for that, it never ends: here it would wait for itself.
  auto* const kept = new std::shared_ptr<GraphSlot>(std::move(slot));
  Engine::Get().EndLater([kept] {
    (*kept)->WaitUntilUnused();
    delete kept;
  });
}

void Session::BuildGraph(std::uint32_t id, const std::vector<TensorType>& inputs) {
  UseGraph(id)->Build(inputs);
}

void Session::CompileGraph(std::uint32_t id, const std::vector<TensorType>& inputs) {
  UseGraph(id)->Compile(inputs);
}

void Session::LoadGraph(std::uint32_t id, const OptionMap& options, const void* stream) {
  UseGraph(id)->Load(options, stream);
}

GraphSlot::Origin Session::CompiledGraph(std::uint32_t id, const char* api) const {
  return UseGraph(id)->CompiledOrigin(api);
}

std::shared_ptr<const Session::Callbacks> Session::CallbacksFor(const GraphSlot& slot) const {
  std::shared_ptr<const Callbacks> callbacks;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    callbacks = callbacks_;
  }
  const auto require = [&](const char* key, const std::vector<std::string>& names) {
    if (!names.empty() && callbacks->count(key) == 0)
      Fail(kGeFailed,
           "graph {} has values for the callback \"{}\" ('{}'), but none is registered; call "
           "RegisterCallBackFunc first",
           slot.id(), key, names.front());
  };
  require("Summary", slot.normal().summaries);
  require("Save", slot.normal().saves);
  return callbacks;
}

void Session::Deliver(const GraphSlot& slot, const Callbacks& callbacks, std::vector<TensorValue>& outputs) {
  const NormalGraph& normal = slot.normal();
  std::size_t next = normal.caller_outputs;
  const auto deliver = [&](const char* key, const std::vector<std::string>& names) {
    if (names.empty()) return;
    NamedValues values;
    for (const std::string& name : names)
      values.insert_or_assign(name, std::move(outputs[next++]));
    const GraphSlot::Here here(slot);
    EnterProgram("a Summary or Save callback");
    const std::uint32_t answer = callbacks.at(key)(slot.id(), std::move(values));
    if (answer != 0) Fail(kGeFailed, "the callback \"{}\" answered {} for graph {}", key, answer, slot.id());
  };
  deliver("Summary", normal.summaries);
  deliver("Save", normal.saves);
  outputs.resize(normal.caller_outputs);
}

std::vector<TensorValue> Session::RunNow(GraphSlot& slot, PreparedProgram& runner, const Callbacks& callbacks,
                                         const std::vector<TensorValue>& inputs,
                                         const std::vector<WatchedInput>& on_device) {
  std::vector<TensorValue> outputs;
  const DeviceCharge copies = slot.ChargeCopies(runner, BytesOf(on_device));
  for (std::int64_t left = slot.Iterations(); left > 0; --left) {
    const GraphSlot::Here here(slot);
    const DumpedRun dumped(slot.dump(), kNoStream, runner.is_static());
    outputs = runner.Run(slot.device(), inputs);
  }
  Deliver(slot, callbacks, outputs);
  return outputs;
}

bool Session::RunAgain(std::uint32_t id, std::span<const GivenInput> inputs, const PlaceOutput& place) {
  const GraphSlot::Use slot = UseGraph(id);
  slot->Enter(RunMode::kSync, "RunGraph");
  if (!slot->normal().summaries.empty() || !slot->normal().saves.empty()) return false;
  const auto runner = slot->FindRunner(inputs);
  if (!runner || !runner->is_static()) return false;
  std::array<std::byte, 512> room;  // the lists of most graphs fit
  std::pmr::monotonic_buffer_resource memory(room.data(), room.size());
  std::pmr::vector<const std::byte*> in(&memory);
  std::pmr::vector<std::byte*> out(&memory);
  in.reserve(inputs.size());
  out.reserve(runner->program().outputs.size());
  for (const GivenInput& input : inputs)
    in.push_back(input.data);
  for (const TensorType& type : runner->program().outputs)
    out.push_back(place(type));
  const DeviceCharge copies = slot->ChargeCopies(*runner);
  for (std::int64_t left = slot->Iterations(); left > 0; --left) {
    const GraphSlot::Here here(*slot);
    const DumpedRun dumped(slot->dump(), kNoStream, true);
    runner->Run(slot->device(), in, out);
  }
  return true;
}

std::vector<TensorValue> Session::RunGraph(std::uint32_t id, std::vector<RunInput> inputs) {
  const GraphSlot::Use slot = UseGraph(id);
  slot->Enter(RunMode::kSync, "RunGraph");
  const auto callbacks = CallbacksFor(*slot);
  std::vector<WatchedInput> watched;
  std::vector<TensorValue> values = slot->Resolve(std::move(inputs), &watched);
  TellReads(watched);
  PlaceForKernels(values, watched);
  return RunNow(*slot, *slot->RunnerFor(values), *callbacks, values, watched);
}

// One queued run: all it needs until it is done.
class Session::AsyncRun final : public AsyncRuns::Run {
 public:
  AsyncRun(GraphSlot::Use slot, std::shared_ptr<PreparedProgram> runner,
           std::shared_ptr<const Callbacks> callbacks, std::vector<TensorValue> inputs,
           std::vector<WatchedInput> watched, RunCallback callback, std::uint32_t number)
      : slot_(std::move(slot)),
        runner_(std::move(runner)),
        callbacks_(std::move(callbacks)),
        inputs_(std::move(inputs)),
        watched_(std::move(watched)),
        callback_(std::move(callback)),
        number_(number) {}

  void Execute() override {
    std::vector<TensorValue> outputs;
    std::optional<Error> error;
    try {
      if (std::exchange(cut_short_, true))
        Fail(kGeFailed,
             "a function of the program ended the thread of the run (pthread_exit or pthread_cancel)");
      slot_->checked().Begins(number_);
      slot_->CheckAlive(watched_);
      if (watch::Is(watch::kFaults)) check::FailRun("RunGraphAsync", slot_->device());
      outputs = RunNow(*slot_, *runner_, *callbacks_, inputs_, watched_);
    } catch (...) {
      error.emplace(CurrentError());
      outputs.clear();
    }
    cut_short_ = false;
    slot_->checked().Ends(number_);
    CallBack(error ? &*error : nullptr, outputs);
  }
  bool IsOver() const override { return !cut_short_; }

 private:
  void CallBack(const Error* error, std::vector<TensorValue>& outputs) {
    const GraphSlot::Here here(*slot_);
    const check::FunctionScope tells(slot_->checked().name(), true, nullptr);
    EnterProgram("the callback of RunGraphAsync");
    try {
      callback_(error, outputs);
    } catch (...) {
      Log(LogLevel::kError, "the callback of RunGraphAsync threw: {}", CurrentError().message());
    }
  }

  const GraphSlot::Use slot_;
  const std::shared_ptr<PreparedProgram> runner_;
  const std::shared_ptr<const Callbacks> callbacks_;
  const std::vector<TensorValue> inputs_;
  const std::vector<WatchedInput> watched_;
  const RunCallback callback_;
  const std::uint32_t number_;
  bool cut_short_ = false;  // true during the run itself
};

void Session::RunGraphAsync(std::uint32_t id, std::vector<RunInput> inputs, RunCallback callback) {
  if (!callback) Fail(kGeParamInvalid, "RunGraphAsync needs a callback");
  GraphSlot::Use slot = UseGraph(id);
  slot->Enter(RunMode::kAsync, "RunGraphAsync");
  auto callbacks = CallbacksFor(*slot);
  std::vector<WatchedInput> watched;
  std::vector<TensorValue> values = slot->Resolve(std::move(inputs), &watched);
  auto runner = slot->RunnerFor(values);
  runner->Reserve(slot->device());
  OwnMemory(values);
  PlaceForKernels(values, watched);
  AsyncRuns& queue = slot->async();
  const std::uint32_t number = slot->checked().Queued(watched);
  queue.Queue(std::make_unique<AsyncRun>(std::move(slot), std::move(runner), std::move(callbacks),
                                         std::move(values), std::move(watched), std::move(callback), number));
}

std::optional<Session::Repeated> Session::FindRepeated(std::uint32_t id, std::span<const GivenInput> inputs) {
  constexpr std::uint32_t kWatched = watch::kCheck | watch::kFaults;
  if (inputs.size() > RepeatedRun::kMostInputs || (watch::Watching() & kWatched) != 0) return std::nullopt;
  GraphSlot::Use slot = UseGraph(id);
  slot->Enter(RunMode::kAsync, "RunGraphAsync");
  if (!slot->is_plain()) return std::nullopt;
  std::unique_ptr<AsyncRuns::Run> spare = slot->async().TakeSpare();
  std::unique_ptr<RepeatedRun> run(spare ? static_cast<RepeatedRun*>(spare.release()) : new RepeatedRun);
  if (!slot->FindRunner(inputs, run->runner()) || !run->runner()->is_static()) return std::nullopt;
  run->runner()->Reserve(slot->device());
  return Repeated{std::move(slot), std::move(run)};
}

void Session::QueueRepeated(Repeated repeated, std::span<const GivenInput> inputs, RunReply reply) {
  repeated.run->Set(*repeated.slot, inputs, std::move(reply));
  repeated.slot->async().Queue(std::move(repeated.run));
}

void Session::RegisterCallback(const std::string& key, ValuesCallback callback) {
  if (!Engine::Get().is_initialized())
    Fail(kGeSessionManagerNotInit, "the Graph Engine is not initialised; call GEInitialize first");
  RequireOwn();
  if (key != "Summary" && key != "Save")
    throw Error(kGeFailed,
                fmt::format("\"{}\" is no key of a callback; there are \"Summary\" and \"Save\"", key),
                kBadOption);
  if (!callback) Fail(kGeFailed, "the callback for \"{}\" is null", key);
  std::shared_ptr<const Callbacks> before;  // what the program's functions hold goes after the lock is gone
  std::lock_guard<std::mutex> lock(mutex_);
  auto changed = std::make_shared<Callbacks>(*callbacks_);
  (*changed)[key] = std::move(callback);
  before = std::exchange(callbacks_, std::move(changed));
}

void Session::RegisterPool(const void* stream, std::shared_ptr<MemoryPool> pool) {
  RequireEngine();
  {
    std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& [id, slot] : graphs_)
      if (slot->is_loaded()) LookAtLateAllocator();
  }
  pools_->Register(stream, std::move(pool));
}

void Session::UnregisterPool(const void* stream) {
  if (!is_parents()) pools_->Unregister(stream);
}

std::vector<TensorValue> Session::ReadVariables(std::vector<std::string> names) const {
  RequireOwn();
  return variables_->Read(std::move(names));
}

std::optional<GraphSummary> Session::Summary(std::uint32_t id) const {
  return Find(id)->Summary();
}

void Session::SetMemory(std::uint32_t id, GraphSlot::Memory which, void* address, std::size_t bytes) {
  Find(id)->SetMemory(which, address, bytes);
}

std::string Session::TraceGraph(std::uint32_t id) const {
  return Find(id)->Trace();
}

void Session::WaitForRuns() {
  std::vector<std::shared_ptr<GraphSlot>> slots;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& [id, slot] : graphs_)
      slots.push_back(slot);
  }
  for (const auto& slot : slots)
    slot->async().WaitUntilIdle();
}

}  // namespace foothold
