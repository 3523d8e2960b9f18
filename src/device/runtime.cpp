// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/runtime.h"

#include <algorithm>
#include <utility>

#include "base/environment.h"
#include "base/error.h"
#include "base/log.h"
#include "base/process_events.h"
#include "base/thread_id.h"
#include "check/advice.h"
#include "check/check.h"
#include "check/faults.h"
#include "check/leaks.h"
#include "device/current.h"
#include "device/device_memory.h"
#include "device/sharing/share.h"
#include "device/soc.h"
#include "device/user_code.h"
#include "device/work_streams.h"

namespace foothold {
namespace {

std::atomic<Runtime*> the_runtime{nullptr};
Runtime* parents_runtime = nullptr;  // in a forked child; kept so that nothing looks like a leak
std::mutex creation;
std::atomic<Runtime::StreamEndListener> stream_end_listener{nullptr};

// The child has none of the parent's threads, and the parent's objects mean nothing in it: it starts anew.
// What the parent's runtime holds is left alone, as any lock in it may be held for ever.
void StartAnewInChild() {
  if (Runtime* parents = the_runtime.exchange(nullptr)) parents_runtime = parents;
  new (&creation) std::mutex;
  ForgetCurrentContext();
  ForgetKernelThreadId();
}
const AtFork at_fork(ForkStage::kObjects, {.in_child = StartAnewInChild});

// "1,3": ids in ascending order, read up to the first mistake.
std::vector<int> VisibleDevices(int present) {
  std::vector<int> ids;
  const auto text = GetEnv("ASCEND_RT_VISIBLE_DEVICES");
  if (!text) {
    for (int id = 0; id < present; ++id)
      ids.push_back(id);
    return ids;
  }
  const char* at = text->c_str();
  while (*at >= '0' && *at <= '9') {
    char* end = nullptr;
    const long id = std::strtol(at, &end, 10);
    if (id >= present || (!ids.empty() && id <= ids.back())) break;
    ids.push_back(static_cast<int>(id));
    if (*end != ',') break;
    at = end + 1;
  }
  return ids;
}

// One more of something, unless it does not come about.
class Counted {
 public:
  explicit Counted(std::atomic<std::uint32_t>& count) : count_(&count), before_(count.fetch_add(1)) {}
  ~Counted() {
    if (count_ != nullptr) count_->fetch_sub(1);
  }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

  std::uint32_t before() const { return before_; }
  void Keep() { count_ = nullptr; }

 private:
  std::atomic<std::uint32_t>* count_;
  const std::uint32_t before_;
};

// Whether the stream came to its end soon. A thread that would wait for itself does not.
bool EndsSoon(Stream& stream) {
  try {
    return stream.Wait(Now() + 20 * kMillisecond);
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

// Every call asks for it: what happens once must not cost the others a frame.
Runtime& Runtime::Get() {
  const auto make = []() __attribute__((noinline, cold))->Runtime& {
    std::lock_guard<std::mutex> lock(creation);
    if (the_runtime.load() == nullptr) the_runtime.store(new Runtime, std::memory_order_release);
    return *the_runtime.load();
  };
  Runtime* const runtime = the_runtime.load(std::memory_order_acquire);
  return runtime != nullptr ? *runtime : make();
}

Runtime* Runtime::GetIfAlive() noexcept {
  return the_runtime.load(std::memory_order_acquire);
}

Runtime::Runtime()
    : soc_name_(SocNameFromEnvironment()),
      cores_(static_cast<int>(GetEnvInt("FOOTHOLD_THREADS", UsableCpus(), 1, 1024))) {
  limits_.streams = static_cast<std::uint32_t>(GetEnvInt("FOOTHOLD_MAX_STREAMS", 2048, 1, 200000));
  limits_.events = static_cast<std::uint32_t>(GetEnvInt("FOOTHOLD_MAX_EVENTS", 65536, 1, 200000));
  limits_.notifies = static_cast<std::uint32_t>(GetEnvInt("FOOTHOLD_MAX_NOTIFIES", 8192, 1, 200000));
  const int present = static_cast<int>(GetEnvInt("FOOTHOLD_DEVICES", 1, 1, 64));
  const std::uint64_t capacity = GetEnvBytes("FOOTHOLD_DEVICE_MEMORY", DefaultDeviceMemory(present));
  for (int physical : VisibleDevices(present)) {
    const int id = static_cast<int>(devices_.size());
    devices_.push_back(std::make_unique<Device>(id, physical, MakeDeviceMemory(id, capacity)));
  }
}

void Runtime::Start(std::optional<int> default_device) {
  if (default_device) device(*default_device);
  default_device_.store(default_device.value_or(-1));
  started_.store(true);
}

void Runtime::CheckMayStop() const {
  const bool resetting = std::any_of(devices_.begin(), devices_.end(),
                                     [](const auto& device) { return device->ReleasedByThisThread(); });
  if (resetting || InsideUserFunction())
    Fail(kRtParamInvalid, "the library cannot be finalised from inside a callback or host function");
}

void Runtime::Stop() {
  CheckMayStop();
  started_.store(false);
  default_device_.store(-1);
  for (auto& device : devices_) {
    device->RemoveAllUsers();
    ReleaseDevice(*device);
  }
  mailboxes.Stop();
  StopSharing();
  std::lock_guard<std::mutex> lock(executor_mutex_);
  if (executor_) executor_->Stop();
  timers.Stop();
}

Executor& Runtime::executor() {
  std::lock_guard<std::mutex> lock(executor_mutex_);
  if (!executor_) executor_ = std::make_unique<Executor>(cores_);
  executor_->Allow();
  return *executor_;
}

Device& Runtime::device(int id) {
  if (id < 0 || id >= device_count()) {
    Fail(kRtInvalidDeviceId,
         "device {} does not exist: there {} {} (FOOTHOLD_DEVICES and ASCEND_RT_VISIBLE_DEVICES decide)", id,
         device_count() == 1 ? "is only device 0 of" : "are", device_count());
  }
  return *devices_[id];
}

Device& Runtime::device_by_physical_id(int physical_id) {
  for (auto& device : devices_) {
    if (device->physical_id() == physical_id) return *device;
  }
  Fail(kRtInvalidDeviceId,
       "no device of this process has the physical id {} (FOOTHOLD_DEVICES and ASCEND_RT_VISIBLE_DEVICES "
       "decide)",
       physical_id);
}

std::optional<int> Runtime::default_device() const {
  const int id = default_device_.load();
  return id < 0 ? std::nullopt : std::optional<int>(id);
}

void Runtime::SetDevice(int id) {
  Device& chosen = device(id);
  mailboxes.NoteThread();
  state_callbacks.device.Call(id, DeviceState::kSetBefore);
  bool fresh = false;
  Context& context = chosen.AddUser([&]() -> Context& {
    fresh = true;
    return OpenContext(chosen, true);
  });
  SetCurrentContext(context, context.handle());
  if (fresh) state_callbacks.stream.Call(context.default_stream().handle(), StreamState::kCreated);
  state_callbacks.device.Call(id, DeviceState::kSetAfter);
}

void Runtime::ResetDevice(int id, bool force) {
  Device& chosen = device(id);
  if (!chosen.RemoveUser(force)) return;
  state_callbacks.device.Call(id, DeviceState::kResetBefore);
  ReleaseDevice(chosen);
  if (watch::Is(watch::kFaults)) check::DeviceReset(id);
  state_callbacks.device.Call(id, DeviceState::kResetAfter);
}

// Precondition: RemoveUser or RemoveAllUsers made this thread the one to do it.
void Runtime::ReleaseDevice(Device& device) {
  const std::unique_ptr<Device, void (*)(Device*)> released(&device, [](Device* done) { done->Released(); });
  const check::DeviceEnd end;
  if (Context* context = device.TakeDefaultContext()) CloseContext(*context, context->handle());
  contexts.ForEach([&](Context& context) {
    const void* handle = context.handle();
    if (handle != nullptr && &context.device() == &device) CloseContext(context, handle);
  });
  CloseAllOf(events, device);
  CloseAllOf(notifies, device);
  CloseAllOf(count_notifies, device);
  CloseAllOf(labels, device);
  CloseAllOf(label_lists, device);
  device.memory().ReleaseAll();
}

// Objects without a context end with their device.
template <typename Pool>
void Runtime::CloseAllOf(Pool& pool, const Device& device) {
  pool.ForEach([&](auto& object) {
    const void* handle = object.handle();
    const auto state = object.state();
    if (!state || &state->device() != &device || !pool.Retire(object, handle)) return;
    object.set_state(nullptr);
    pool.Recycle(object);
  });
}

Context& Runtime::OpenContext(Device& device, bool is_default) {
  Context& context = contexts.Take();
  try {
    context.Open(device, is_default);
    context.set_default_stream(OpenStream(context, 0, 0, true));
  } catch (...) {
    contexts.Recycle(context);
    throw;
  }
  contexts.Publish(context);
  return context;
}

// Whether anything in the process moves, now or since `progress` was last written: what one stream waits for
// may come from any other.
bool Runtime::IsMoving(std::uint64_t& progress) {
  bool moving = false;
  std::uint64_t now = 0;
  streams.ForEach([&](Stream& stream) {
    moving = moving || (!stream.IsIdle() && !stream.IsStuck());
    now += stream.progress();
  });
  return std::exchange(progress, now) != now || moving;
}

void Runtime::WaitWhileMoving(const Context& context) {
  const Stream* left = nullptr;
  std::uint64_t progress = UINT64_MAX;
  do {
    left = nullptr;
    context.ForEachStream([&](Stream& stream, const void*) {
      if (!EndsSoon(stream)) left = &stream;
    });
    if (left == nullptr) return;
  } while (IsMoving(progress));
  Log(LogLevel::kWarning, "stream {} of device {} is dropped with unfinished tasks that wait for something",
      left->id(), left->device());
}

// The context stays usable until its work is done, as callbacks may need it. What waits for something only
// another call could bring is dropped.
bool Runtime::CloseContext(Context& context, const void* handle) {
  WaitWhileMoving(context);
  if (!contexts.Retire(context, handle)) return false;
  context.Close();
  AwaitWorkStreams(context);
  context.ForEachStream([&](Stream& stream, const void* of_stream) {
    CloseStream({&stream, of_stream}, true);
  });
  contexts.Recycle(context);
  return true;
}

Context& Runtime::CreateContext(int id) {
  Device& chosen = device(id);
  Context& context = chosen.WhileUsable([&]() -> Context& { return OpenContext(chosen, false); });
  SetCurrentContext(context, context.handle());
  state_callbacks.stream.Call(context.default_stream().handle(), StreamState::kCreated);
  return context;
}

void Runtime::UseContext(const void* handle) {
  Context& context = FindContext(handle);
  mailboxes.NoteThread();
  SetCurrentContext(context, handle);
}

void Runtime::DestroyContext(const void* handle) {
  Context& context = FindContext(handle);
  if (context.is_default()) {
    Fail(kRtParamInvalid, "context {} is the default context of device {}, which only aclrtResetDevice ends",
         handle, context.device().id());
  }
  context.ForEachStream([&](Stream& stream, const void*) {
    if (InsideUserFunctionOf(stream))
      Fail(kRtParamInvalid, "context {} cannot be destroyed from inside a callback of its stream {}", handle,
           stream.id());
  });
  if (!CloseContext(context, handle))
    Fail(kRtParamInvalid, "context {} was destroyed by another thread", handle);
}

void Runtime::SetStreamEndListener(StreamEndListener listener) noexcept {
  stream_end_listener.store(listener);
}

Stream& Runtime::CreateStream(Context& context, std::uint32_t priority, std::uint32_t flags) {
  Stream& stream = OpenStream(context, priority, flags, false);
  state_callbacks.stream.Call(stream.handle(), StreamState::kCreated);
  return stream;
}

Stream& Runtime::OpenStream(Context& context, std::uint32_t priority, std::uint32_t flags, bool is_default) {
  Device& device = context.device();
  Counted counted(device.streams);
  if (counted.before() >= limits_.streams) {
    Fail(kRtNoStreamResource,
         "device {} has {} streams already, which is its limit (FOOTHOLD_MAX_STREAMS); destroy some first",
         device.id(), limits_.streams);
  }
  Stream& stream = TakeStream(context, {next_stream_id_.fetch_add(1), priority, flags, is_default});
  void* handle = streams.Publish(stream);
  try {
    if (!context.Add({&stream, handle}))
      Fail(kRtContextNull, "the current context was destroyed by another thread during this call");
  } catch (...) {
    stream.Close(handle, true, streams);
    throw;
  }
  counted.Keep();
  return stream;
}

Stream& Runtime::TakeStream(Context& context, const Stream::Settings& settings) {
  Executor& workers = executor();
  Stream& stream = streams.Take();
  try {
    stream.Open(context, workers, timers, settings);
    return stream;
  } catch (...) {
    streams.Recycle(stream);
    throw;
  }
}

StreamRef Runtime::OpenHiddenStream(Context& context, std::int32_t id, std::uint32_t flags) {
  Stream& stream = TakeStream(context, {id, 0, flags, false});
  return {&stream, streams.Publish(stream)};
}

void Runtime::CloseHiddenStream(const StreamRef& stream, bool drop) noexcept {
  try {
    stream->Close(stream.handle, drop, streams);
  } catch (...) {  // it would have to wait for this thread: what it does it does
  }
}

void Runtime::DestroyStream(const StreamRef& stream, bool force) {
  if (!force) stream->CheckNotDiverted();
  if (stream->is_default())
    Fail(kRtParamInvalid, "the default stream cannot be destroyed; it ends with its context");
  if (const auto binding = stream->binding(); binding && binding->owns_stream())
    Fail(kRtParamInvalid, "stream {} stands for a part of a model instance and ends with it", stream->id());
  if (!force) stream->Finish();
  if (!CloseStream(stream, force))
    Fail(kRtInvalidHandle, "stream {} was destroyed by another thread during this call", stream.handle);
}

bool Runtime::CloseStream(const StreamRef& stream, bool drop) {
  state_callbacks.stream.Call(const_cast<void*>(stream.handle), StreamState::kDestroying);
  Device& device = stream->context().device();
  if (!stream->Close(stream.handle, drop, streams)) return false;
  device.streams.fetch_sub(1);
  if (const StreamEndListener listener = stream_end_listener.load()) listener(stream.handle);
  return true;
}

std::vector<StreamRef> Runtime::StreamsOf(const Device& device) {
  std::vector<StreamRef> found;
  streams.ForEach([&](Stream& stream) {
    const void* handle = stream.handle();
    if (handle != nullptr && stream.device() == device.id()) found.push_back({&stream, handle});
  });
  return found;
}

bool Runtime::SynchronizeDevice(Device& device, Nanoseconds deadline) {
  const auto mine = StreamsOf(device);
  Failure aborted;
  for (const StreamRef& stream : mine) {
    if (!stream->Wait(deadline, &aborted)) return false;
  }
  Failure first;
  for (const StreamRef& stream : mine) {
    Failure failure = stream->IsCurrent(stream.handle) ? stream->failures().Take() : nullptr;
    if (!first) first = failure;
  }
  if (first) throw Error(*first);
  if (aborted) throw Error(*aborted);
  return true;
}

// `arguments` are those of the event between its device and its number.
template <typename... Arguments>
void* Runtime::OpenEvent(Device& device, Arguments&&... arguments) {
  Counted counted(device.events);
  if (counted.before() >= limits_.events) {
    Fail(kRtNoEventResource,
         "device {} has {} events already, which is its limit (FOOTHOLD_MAX_EVENTS); destroy some first",
         device.id(), limits_.events);
  }
  auto state = std::make_shared<EventState>(device, std::forward<Arguments>(arguments)...,
                                            next_event_id_.fetch_add(1));
  counted.Keep();  // its end takes it back
  Event& event = events.Take();
  event.set_state(std::move(state));
  return events.Publish(event);
}

void* Runtime::CreateEvent(Context& context, Event::Kind kind, std::uint32_t flags) {
  void* const made = OpenEvent(context.device(), kind, flags);
  if (check::On()) check::LookAtEventCount(context.device().events.load());
  return made;
}

void* Runtime::AdoptEvent(Context& context, std::shared_ptr<SharedEvent> shared) {
  return OpenEvent(context.device(), std::move(shared));
}

void Runtime::DestroyEvent(const void* handle) {
  FindEvent(handle);
  Event* event = events.Find(handle);
  if (event == nullptr || !events.Retire(*event, handle))
    Fail(kRtInvalidHandle, "event {} was destroyed by another thread", handle);
  if (const auto state = event->state()) state->TellDestroyed();
  event->set_state(nullptr);
  events.Recycle(*event);
}

template <typename State, typename Pool, typename... Arguments>
void* Runtime::OpenNotify(Pool& pool, Context& context, Arguments&&... arguments) {
  Device& device = context.device();
  Counted counted(device.notifies);
  if (counted.before() >= limits_.notifies) {
    Fail(kRtNoNotifyResource,
         "device {} has {} notifies already, which is its limit (FOOTHOLD_MAX_NOTIFIES); destroy some first",
         device.id(), limits_.notifies);
  }
  auto state =
      std::make_shared<State>(device, next_notify_id_.fetch_add(1), std::forward<Arguments>(arguments)...);
  counted.Keep();  // its end takes it back
  auto& notify = pool.Take();
  notify.set_state(std::move(state));
  return pool.Publish(notify);
}

template <typename Pool>
void Runtime::CloseNotify(Pool& pool, const void* handle) {
  auto* notify = pool.Find(handle);
  if (notify == nullptr || !pool.Retire(*notify, handle))
    Fail(kRtInvalidHandle, "notify {} was destroyed by another thread", handle);
  if (const auto state = notify->state()) state->TellDestroyed();
  notify->set_state(nullptr);
  pool.Recycle(*notify);
}

void* Runtime::CreateNotify(Context& context) {
  return OpenNotify<NotifyState>(notifies, context);
}

void* Runtime::AdoptNotify(Context& context, std::shared_ptr<SharedNotify> shared) {
  return OpenNotify<NotifyState>(notifies, context, std::move(shared));
}

void Runtime::DestroyNotify(const void* handle) {
  FindNotify(handle);
  CloseNotify(notifies, handle);
}

void* Runtime::CreateCountNotify(Context& context) {
  return OpenNotify<CountNotifyState>(count_notifies, context);
}

void Runtime::DestroyCountNotify(const void* handle) {
  FindCountNotify(handle);
  CloseNotify(count_notifies, handle);
}

}  // namespace foothold
