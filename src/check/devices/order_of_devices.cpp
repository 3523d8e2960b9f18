// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/callback_rules.h"
#include "check/devices/names.h"
#include "check/devices/observer.h"
#include "check/host_wait.h"
#include "check/sync_reports.h"
#include "device/event.h"
#include "device/runtime.h"

namespace foothold::check {
namespace {

HostWait::For KindOf(DeviceObserver::WaitsFor kind) {
  using WaitsFor = DeviceObserver::WaitsFor;
  return kind == WaitsFor::kStream  ? HostWait::For::kStream
         : kind == WaitsFor::kPoint ? HostWait::For::kPoint
                                    : HostWait::For::kReports;
}

class ObservedWait final : public DeviceObserver::Wait {
 public:
  ObservedWait(DeviceObserver::WaitsFor kind, const void* what, bool limited)
      : wait_(KindOf(kind), what, limited) {}
  void Look() override {
    std::vector<StreamFacts> facts;  // what all streams do at this moment
    Runtime::Get().streams.ForEach([&](Stream& stream) { facts.push_back(stream.Facts()); });
    wait_.Look(facts);
  }

 private:
  HostWait wait_;
};

class ObservedCall final : public DeviceObserver::Call {
 public:
  ObservedCall(const Stream& stream, bool holds_stream, const void* function)
      : scope_(NameOf(stream), holds_stream, function) {}

 private:
  const FunctionScope scope_;
};

// With the library, before anything can happen on a device.
constinit OrderOfDevices observer;
[[maybe_unused]] const bool observes = [] {
  device_observer = &observer;
  return true;
}();

}  // namespace

void OrderOfDevices::OnReaches(const Stream& stream, const std::shared_ptr<const void>& point,
                               Point how) noexcept {
  StreamReaches(NameOf(stream), point, how == Point::kJoin ? check::Point::kJoin : check::Point::kReplace);
}
void OrderOfDevices::OnLearns(const Stream& stream, const void* point) noexcept {
  StreamLearns(NameOf(stream), point);
}
void OrderOfDevices::OnLearnsValue(const Stream& stream, const foothold::Access& value) noexcept {
  StreamLearnsValue(NameOf(stream), {.address = reinterpret_cast<std::uintptr_t>(value.address),
                                     .bytes = value.bytes,
                                     .serial = value.serial,
                                     .tells = true});
}
void OrderOfDevices::OnLearnsStream(const Stream& stream, const Stream& other) noexcept {
  StreamLearnsStream(NameOf(stream), NameOf(other));
}
void OrderOfDevices::OnWillKnow(const Stream& stream, const void* point) noexcept {
  StreamWillKnow(NameOf(stream), point);
}
void OrderOfDevices::OnWillKnowStream(const Stream& stream, const Stream& other) noexcept {
  StreamWillKnowStream(NameOf(stream), NameOf(other));
}
void OrderOfDevices::OnPassesWait(const Stream& stream, const SyncUse& wait) {
  StreamPassesWait(NameOf(stream), wait);
}
void OrderOfDevices::OnWaitsForNoRecord(const Stream& stream, const EventState& event) {
  WaitsForNoRecord(NameOf(stream), event.id(), event.kind() == EventState::Kind::kExtended);
}

void OrderOfDevices::OnHostLearns(const void* point) noexcept {
  HostLearns(point);
}
void OrderOfDevices::OnHostLearns(const Stream& stream) noexcept {
  HostLearnsStream(NameOf(stream));
}
void OrderOfDevices::OnHostTimesOut(const Stream& stream) noexcept {
  HostTimesOut(NameOf(stream));
}
void OrderOfDevices::OnFailureSeen(const Stream& stream) noexcept {
  FailureSeen(NameOf(stream));
}
std::unique_ptr<DeviceObserver::Wait> OrderOfDevices::OnHostWaits(WaitsFor kind, const void* what,
                                                                  bool limited) {
  return std::make_unique<ObservedWait>(kind, what, limited);
}

void OrderOfDevices::OnEventLookedAt(const EventState& event) noexcept {
  EventLookedAt(&event);
}
void OrderOfDevices::OnEventWaitsKnown(const EventState& event) noexcept {
  EventWaitsKnown(&event);
}
void OrderOfDevices::OnEventDestroyed(const EventState& event) noexcept {
  EventDestroyed(&event, event.id(), (event.flags() & kEventTimeLine) != 0);
}
void OrderOfDevices::OnEventGone(const EventState& event) noexcept {
  EventGone(&event);
}
void OrderOfDevices::OnTimesOfTwoStreams(const EventState& start, const EventState& end) {
  TimesTwoStreams(start.id(), end.id());
}
void OrderOfDevices::OnNotifyCleared(const void* notify) noexcept {
  NotifyCleared(notify);
}
void OrderOfDevices::OnNotifyDestroyed(const void* notify) noexcept {
  NotifyDestroyed(notify);
}
void OrderOfDevices::OnNotifyGone(const void* notify) noexcept {
  NotifyGone(notify);
}

void OrderOfDevices::OnFunctionQueued(const Stream& stream) noexcept {
  FunctionLaunched(NameOf(stream));
}
std::unique_ptr<DeviceObserver::Call> OrderOfDevices::OnFunctionCalled(const Stream& stream,
                                                                       bool holds_stream,
                                                                       const void* function) noexcept try {
  return std::make_unique<ObservedCall>(stream, holds_stream, function);
} catch (...) {  // no memory: it is called unwatched
  return nullptr;
}
void OrderOfDevices::OnLetterLeaves(const Stream& stream) noexcept {
  LetterLeaves(NameOf(stream));
}
void OrderOfDevices::OnThreadSubscribed(std::uint64_t thread) noexcept {
  ThreadSubscribed(thread);
}
void OrderOfDevices::OnThreadUnsubscribes(const Stream& stream, const char* launch,
                                          std::uint64_t letters) noexcept {
  ThreadUnsubscribes(NameOf(stream), launch, letters);
}

}  // namespace foothold::check
