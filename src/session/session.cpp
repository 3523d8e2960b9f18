// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/broken_rule.h"
#include "base/graph_codes.h"
#include "base/log.h"
#include "check/open_things.h"
#include "device/runtime.h"
#include "options/option_text.h"
#include "session/dump_options.h"
#include "session/engine.h"

namespace foothold {
namespace {

std::uint64_t NextId() {
  static std::atomic<std::uint64_t> next{1};
  return next.fetch_add(1);
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
GraphUse Session::UseGraph(std::uint32_t id) const {
  RequireEngine();
  std::lock_guard<std::mutex> lock(mutex_);
  return GraphUse(*FindLocked(id));
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
    if (found->second->origin().identity == identity) return;
    Fail(kGeFailed, "session {} has another graph {} already; remove it first", id_, id);
  }
  graphs_.emplace(id, std::make_shared<GraphSlot>(GraphOrigin{id, std::move(graph), identity, all},
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

GraphOrigin Session::CompiledGraph(std::uint32_t id, const char* api) const {
  const GraphUse slot = UseGraph(id);
  if (!slot->order().is_prepared()) slot->order().Refuse(api, "CompileGraph has to be called first");
  return slot->origin();
}

std::shared_ptr<const ValueCallbacks> Session::CallbacksFor(const GraphSlot& slot) const {
  const GraphContents& contents = slot.contents();
  if (!contents.delivers()) return nullptr;
  std::shared_ptr<const ValueCallbacks> callbacks;
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
  require("Summary", contents.normal->summaries);
  require("Save", contents.normal->saves);
  return callbacks;
}

void Session::RunGraph(std::uint32_t id, std::span<const RunInput> given, RunOutputs& outputs) {
  const GraphUse slot = UseGraph(id);
  slot->Enter(RunMode::kSync, "RunGraph");
  GraphRun run;
  if (slot->contents().delivers()) run.TellsTo(CallbacksFor(*slot));
  run.Begin(*slot, given);
  RunInputs inputs;
  run.Lend(given, inputs);
  run.Into(outputs, inputs);
}

// A run counts as a use of the graph only until it is queued: then its thread has it.
void Session::RunGraphAsync(std::uint32_t id, std::span<const RunInput> inputs, RunReply reply) {
  const GraphUse slot = UseGraph(id);
  slot->Enter(RunMode::kAsync, "RunGraphAsync");
  std::unique_ptr<AsyncRuns::Run> spare = slot->async().TakeSpare();
  std::unique_ptr<AsyncRun> run(spare ? static_cast<AsyncRun*>(spare.release()) : new AsyncRun);
  if (slot->contents().delivers()) run->TellsTo(CallbacksFor(*slot));
  run->Begin(*slot, inputs, std::move(reply));
  slot->async().Queue(std::move(run));
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
  std::shared_ptr<const ValueCallbacks>
      before;  // what the program's functions hold goes after the lock is gone
  std::lock_guard<std::mutex> lock(mutex_);
  auto changed = std::make_shared<ValueCallbacks>(*callbacks_);
  (*changed)[key] = std::move(callback);
  before = std::exchange(callbacks_, std::move(changed));
}

void Session::RegisterPool(const void* stream, std::shared_ptr<MemoryPool> pool) {
  RequireEngine();
  {
    std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& [id, slot] : graphs_)
      if (slot->memory().is_loaded()) LookAtLateAllocator();
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

void Session::SetMemory(std::uint32_t id, GraphMemory::Kind which, void* address, std::size_t bytes) {
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
