// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/faults.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/environment.h"
#include "base/error.h"
#include "base/log.h"
#include "base/per_process.h"
#include "base/thread_id.h"
#include "base/watch.h"
#include "check/call_scope.h"
#include "check/check.h"
#include "check/fault_plan.h"
#include "check/planned_failures.h"
#include "check/reporter.h"

namespace foothold::check {
namespace {

using At = FaultItem::At;

constexpr Code kLost = static_cast<Code>(507010), kEcc = static_cast<Code>(507054);

const FaultPlan*& ThePlan() {
  static const FaultPlan* plan = nullptr;
  return plan;
}

// What has happened so far, in this process.
struct State {
  State()
      : begin(Now()),
        seen(ThePlan()->items.size()),
        happened(ThePlan()->items.size()),
        random(ThePlan()->seed * 2 + 1) {}

  std::mutex mutex;  // guards all below
  const Nanoseconds begin;
  std::vector<std::uint64_t> seen;  // how often each item could have happened
  std::vector<bool> happened;       // each item, at least once
  std::uint64_t random;
  std::map<int, Code> broken;   // devices
  std::map<int, bool> aborted;  // devices: not yet taken
  std::atomic<std::uint64_t> injected{0};
  std::atomic<bool> full{false};

  bool Chance(double percent) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(random >> 33) / (1u << 31) * 100 < percent;
  }
};

State& TheState() {
  return PerProcess<State>::Get();
}

// Whether it is the turn of an item that has been seen so often. Precondition: the lock is held.
bool IsItsTurn(State& state, const FaultItem& item, std::uint64_t count) {
  if (item.nth != 0) return count == item.nth;
  if (item.every != 0) return count % item.every == 0;
  return !item.percent || state.Chance(*item.percent);
}

// Counts the item; true if it happens this time. Precondition: the lock is held.
bool Happens(State& state, std::size_t index) {
  const FaultItem& item = ThePlan()->items[index];
  if (item.main_thread && KernelThreadId() != static_cast<std::uint32_t>(getpid())) return false;
  if (Now() - state.begin < item.after) return false;
  if (!IsItsTurn(state, item, ++state.seen[index])) return false;
  state.happened[index] = true;
  return true;
}

void NoteFault(const FaultItem& item, const std::string& where) noexcept try {
  TheState().injected.fetch_add(1);
  Log(LogLevel::kWarning, "injected: {} (FOOTHOLD_FAULTS, \"{}\")", where, item.text);
  if (On()) Reporter::Get().NoteInjected(item.text, where);
} catch (...) {  // no memory to say so
}

bool IsSort(std::string_view call, std::string_view sort) {
  if (sort == "copy") return call.starts_with("aclrtMemcpy");
  if (sort == "op")
    return call.starts_with("aclop") || call.starts_with("aclnn") || call.starts_with("aclblas");
  if (sort == "model") return call.starts_with("aclmdl");
  return call.find("Graph") != std::string_view::npos;
}

bool Fits(const FaultItem& item, std::string_view call) {
  if (item.where == "allocation") return IsAllocation(call);
  // Methods of sessions have the name of their class in front.
  const auto method = call.rfind(':');
  const std::string_view name = method == std::string_view::npos ? call : call.substr(method + 1);
  return item.prefix ? call.starts_with(item.where) || name.starts_with(item.where)
                     : call == item.where || name == item.where;
}

std::atomic<int (*)()> device_of_thread{nullptr};

// What answers also for a device that is broken: how to find that out, and to begin anew.
bool WorksWithoutDevice(std::string_view call) {
  for (const std::string_view name :
       {"aclrtResetDevice", "aclrtSetDevice", "aclInit", "aclFinalize", "aclGetRecentErrMsg",
        "aclrtGetMemUceInfo", "aclrtMemUceRepair", "aclrtSynchronize", "aclrtFree", "aclrtDestroy",
        "aclrtGet", "aclrtQuery"})
    if (call.starts_with(name)) return true;
  return false;
}

int DeviceOfThread() {
  int (*const ask)() = device_of_thread.load();
  return ask == nullptr ? -1 : ask();
}

void FailForDevice(const char* call) {
  const int device = WorksWithoutDevice(call) ? -1 : DeviceOfThread();
  if (device < 0) return;
  if (const auto code = FaultOfDevice(device))
    Fail(*code, "device {} does not work (FOOTHOLD_FAULTS); reset it with aclrtResetDeviceForce", device);
}

// It runs a model or a graph itself, instead of queueing it.
bool RunsAtOnce(std::string_view call) {
  return call == "aclmdlExecute" || call == "Session::RunGraph" || call == "GeSession::RunGraph";
}

bool Begins(std::string_view call, std::string_view with) {
  return call.starts_with(with);
}

// Nothing: this call does not fail in that way.
std::optional<Code> CodeOf(const FaultItem& item, std::string_view call) {
  if (item.what == "code") return static_cast<Code>(item.number);
  if (item.what == "oom" || item.what == "oom:full")
    return Begins(call, "acl") || IsAllocation(call) ? kRtMemoryAllocation : static_cast<Code>(1343225856);
  if (item.what == "limit")
    return Begins(call, "aclrtCreateStream")  ? kRtNoStreamResource
           : Begins(call, "aclrtCreateEvent") ? kRtNoEventResource
                                              : kRtNoNotifyResource;
  if (item.what == "absent") return call == "aclrtSetDevice" ? kRtInvalidDeviceId : kRtNoDevice;
  if (item.what == "timeout" && call == "aclrtProcessReport") return kRtReportTimeout;
  if (item.what == "timeout") {
    if (call.find("WithTimeout") == std::string_view::npos) return std::nullopt;  // it just waits longer
    return call.find("Event") != std::string_view::npos ? kRtEventSyncTimeout : kRtStreamSyncTimeout;
  }
  if (item.what == "short") return static_cast<Code>(100012);
  if (Begins(call, "aclmdlLoad")) return static_cast<Code>(545001);
  if (Begins(call, "aclmdlExecute")) return kRtModelExecute;
  return kFailure;
}

// With the place in the program, so that those of one place can be told from others.
void NoteWatched(const FaultItem& item, const char* call) noexcept try {
  const CallScope* const scope = CallScope::Current();
  const StackId stack = scope == nullptr ? 0 : scope->site().stack;
  if (On()) Reporter::Get().NoteInjected(item.text, fmt::format("{} {}", call, stack));
} catch (...) {  // no memory to say so
}

constinit thread_local bool planned = false;

void FailBy(const FaultItem& item, const char* call, Code code) {
  if (item.what == "watch") return NoteWatched(item, call);
  if (item.what == "oom:full") TheState().full.store(true);
  NoteFault(item, call);
  planned = true;
  Fail(code, "this failure is injected (FOOTHOLD_FAULTS, \"{}\")", item.text);
}

Code CodeOfTask(const FaultItem& item) {
  if (item.what == "fail") return kRtSysDma;
  if (item.what == "aicore") return static_cast<Code>(507015);
  if (item.what == "aicpu") return kRtAicpuException;
  if (item.what == "vector") return kRtVectorCoreException;
  if (item.what == "overflow") return static_cast<Code>(207003);
  return static_cast<Code>(507014);  // a time-out
}

// Those of a kind that happen now, each told to `take`.
template <typename Wants, typename Take>
void ForEachFault(const Wants& wants, const Take& take) {
  State& state = TheState();
  const auto& items = ThePlan()->items;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!wants(items[i])) continue;
    {
      const std::lock_guard<std::mutex> lock(state.mutex);
      if (!Happens(state, i)) continue;
    }
    take(items[i]);
  }
}

void BreakDevice(const FaultItem& item) {
  State& state = TheState();
  {
    const std::lock_guard<std::mutex> lock(state.mutex);
    if (state.broken.contains(item.device_hit) || state.aborted.contains(item.device_hit)) return;
    if (item.what == "abort")
      state.aborted[item.device_hit] = true;
    else
      state.broken[item.device_hit] = item.what == "lost" ? kLost : kEcc;
  }
  NoteFault(item, fmt::format("device {}", item.device_hit));
}

[[maybe_unused]] const bool begun = [] {
  try {
    const std::string text = GetEnv("FOOTHOLD_FAULTS").value_or("");
    if (text.empty()) return true;
    auto plan = std::make_unique<FaultPlan>(ReadFaultPlan(text));
    if (plan->sweep)
      TellWrongSetting(
          "FOOTHOLD_FAULTS",
          "FOOTHOLD_FAULTS: sweep runs a program again and again: foothold check --faults sweep");
    if (plan->items.empty()) return true;
    ThePlan() = plan.release();
    watch::Begin(watch::kFaults);
  } catch (const Error& error) {
    TellWrongSetting("FOOTHOLD_FAULTS",
                     fmt::format("FOOTHOLD_FAULTS: {}. There are no faults.", error.message()));
  } catch (...) {  // no memory at load
  }
  return true;
}();

}  // namespace

void SetDeviceOfThread(int (*device)()) noexcept {
  device_of_thread.store(device);
}

void FailCall(const char* call) {
  FailForDevice(call);
  if (RunsAtOnce(call)) FailRun(call, DeviceOfThread());
  ForEachFault([&](const FaultItem& item) { return item.site == At::kCall && Fits(item, call); },
               [&](const FaultItem& item) {
                 if (const auto code = CodeOf(item, call)) FailBy(item, call, *code);
               });
}

void FailOwnAllocation(const char* api) {
  if (IsAllocation(api)) return;
  ForEachFault([&](const FaultItem& item) { return item.site == At::kCall && item.where == "allocation"; },
               [&](const FaultItem& item) { FailBy(item, api, kRtMemoryAllocation); });
}

bool TakePlannedFailure() noexcept {
  return std::exchange(planned, false);
}

TaskFault FaultOfTask(const char* call, int stream, int device) {
  ForEachFault([&](const FaultItem& item) { return item.site == At::kDevice && item.device_hit == device; },
               [](const FaultItem& item) { BreakDevice(item); });
  TaskFault fault;
  fault.code = FaultOfDevice(device);
  const auto wants = [&](const FaultItem& item) {
    return item.site == At::kTask && IsSort(call, item.where) && (!item.stream || *item.stream == stream) &&
           (!item.device || *item.device == device);
  };
  ForEachFault(wants, [&](const FaultItem& item) {
    NoteFault(item, fmt::format("{}, stream {}", call, stream));
    if (item.what == "delay")
      fault.delay += item.time;
    else if (item.what == "flip")
      fault.flips += static_cast<std::uint32_t>(item.number);
    else
      fault.code = CodeOfTask(item);
  });
  return fault;
}

void FailRun(const char* call, int device) {
  constexpr int kNoStream = -1;
  const TaskFault fault = FaultOfTask(call, kNoStream, device);
  if (fault.delay > 0) std::this_thread::sleep_for(std::chrono::nanoseconds(fault.delay));
  if (!fault.code) return;
  planned = true;
  Fail(*fault.code, "this failure is injected (FOOTHOLD_FAULTS)");
}

std::optional<Code> FaultOfDevice(int device) {
  State& state = TheState();
  const std::lock_guard<std::mutex> lock(state.mutex);
  const auto found = state.broken.find(device);
  return found == state.broken.end() ? std::nullopt : std::optional<Code>(found->second);
}

bool TakeAbort(int device) {
  State& state = TheState();
  const std::lock_guard<std::mutex> lock(state.mutex);
  const auto found = state.aborted.find(device);
  return found != state.aborted.end() && std::exchange(found->second, false);
}

void DeviceReset(int device) noexcept {
  State& state = TheState();
  const std::lock_guard<std::mutex> lock(state.mutex);
  state.broken.erase(device);
}

bool HasMemoryErrors(int device) {
  return FaultOfDevice(device) == kEcc;
}

bool MemoryLooksFull() noexcept {
  return TheState().full.load();
}

AllocatorFault FaultOfAllocator() {
  AllocatorFault fault = AllocatorFault::kNone;
  ForEachFault([](const FaultItem& item) { return item.site == At::kAllocator; },
               [&](const FaultItem& item) {
                 NoteFault(item, "the program's allocator");
                 fault = item.what == "null"    ? AllocatorFault::kNull
                         : item.what == "small" ? AllocatorFault::kSmall
                                                : AllocatorFault::kThrow;
                 planned = true;  // what is said of the allocator is not its doing
               });
  return fault;
}

bool DumpIsRefused() {
  bool refused = false;
  ForEachFault([](const FaultItem& item) { return item.site == At::kDump; },
               [&](const FaultItem& item) {
                 NoteFault(item, "the program's dump callback");
                 refused = true;
               });
  return refused;
}

std::vector<std::string> FaultsThatNeverHappened() {
  State& state = TheState();
  const std::lock_guard<std::mutex> lock(state.mutex);
  std::vector<std::string> never;
  for (std::size_t i = 0; i < state.happened.size(); ++i)
    if (!state.happened[i]) never.push_back(ThePlan()->items[i].text);
  return never;
}

std::uint64_t FaultsInjected() noexcept {
  return TheState().injected.load();
}

}  // namespace foothold::check
