// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/inside_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <mutex>
#include <optional>
#include <string_view>

#include "base/per_process.h"
#include "base/thread_id.h"
#include "check/call_finding.h"
#include "check/history.h"
#include "check/reporter.h"
#include "check/thread_state.h"

namespace foothold::check {

// What one thread is inside of. Written by that thread, read by all.
struct CallPlace {
  struct Entry {
    std::atomic<std::uint64_t> handle{0};
    std::atomic<const char*> call{nullptr};
    std::atomic<StackId> stack{0};
  };
  explicit CallPlace(CallPlace* before) : next(before) {}

  CallPlace* const next;                 // of all there are
  std::atomic<std::uint32_t> thread{0};  // 0: nobody's
  std::atomic<std::uint32_t> count{0};   // those that do not fit are only counted
  std::array<Entry, 8> entries;
};

namespace {

// Places are used again and never go.
struct CallPlaces {
  static CallPlaces& Get() { return PerProcess<CallPlaces>::Get(); }

  CallPlace& Take() {
    const std::lock_guard<std::mutex> lock(mutex);
    CallPlace* place = last.load(std::memory_order_relaxed);
    while (place != nullptr && place->thread.load() != 0)
      place = place->next;
    if (place == nullptr) {
      place = new CallPlace(last.load(std::memory_order_relaxed));
      last.store(place, std::memory_order_release);
    }
    place->thread.store(KernelThreadId());
    return *place;
  }

  std::mutex mutex;  // guards who takes one
  std::atomic<CallPlace*> last{nullptr};
};

struct EndOfPlace {
  ~EndOfPlace() {
    CallPlace* const place = thread_state.place.object;
    thread_state.place = {nullptr, true};
    if (place == nullptr) return;
    place->count.store(0);
    place->thread.store(0);
  }
};

CallPlace* TakePlace() {
  thread_local EndOfPlace end;
  (void)end;
  return thread_state.place.object = &CallPlaces::Get().Take();
}

// Null for a thread that ends: what it still calls is not watched.
CallPlace* PlaceOf(const ThreadState& thread) {
  const OfThread<CallPlace>& mine = thread.place;
  return mine.object != nullptr || mine.ended ? mine.object : TakePlace();
}

std::optional<Site> CallWith(const CallPlace& place, std::uint64_t handle) {
  const std::uint32_t count = place.count.load(std::memory_order_acquire);
  for (std::uint32_t i = 0; i < count && i < place.entries.size(); ++i)
    if (place.entries[i].handle.load(std::memory_order_relaxed) == handle)
      return Site{place.entries[i].call.load(), place.entries[i].stack.load(), place.thread.load()};
  return std::nullopt;
}

// By a thread whose place is not `mine`.
std::optional<Site> OtherCall(std::uint64_t handle, const CallPlace* mine) {
  for (const CallPlace* place = CallPlaces::Get().last.load(std::memory_order_acquire); place != nullptr;
       place = place->next) {
    if (place == mine || place->thread.load(std::memory_order_relaxed) == 0) continue;
    if (const auto site = CallWith(*place, handle)) return site;
  }
  return std::nullopt;
}

// The callback of a video channel ends what a frame was sent with, and may be faster than the call.
bool HandsOver(std::string_view call) {
  return call == "aclvdecSendFrame" || call == "aclvencSendFrame";
}

}  // namespace

void CallEnters(std::uint64_t handle, const Site& site, const ThreadState& thread) noexcept try {
  CallPlace* const place = PlaceOf(thread);
  if (place == nullptr) return;
  const std::uint32_t count = place->count.load(std::memory_order_relaxed);
  if (count < place->entries.size()) {
    CallPlace::Entry& entry = place->entries[count];
    entry.call.store(site.call, std::memory_order_relaxed);
    entry.stack.store(site.stack, std::memory_order_relaxed);
    entry.handle.store(handle, std::memory_order_relaxed);
  }
  place->count.store(count + 1, std::memory_order_release);
} catch (...) {  // no memory for a place: not watched
}

void CallsLeave(std::uint32_t handles, const ThreadState& thread) noexcept {
  CallPlace* const place = PlaceOf(thread);
  if (place == nullptr) return;
  const std::uint32_t count = place->count.load(std::memory_order_relaxed);
  place->count.store(count - std::min(count, handles), std::memory_order_release);
}

void LookAtEnd(std::uint64_t handle, const Site& here, const ThreadState& thread) noexcept try {
  if (!here || std::strstr(here.call, "Destroy") == nullptr) return;
  const auto other = OtherCall(handle, thread.place.object);
  if (!other || HandsOver(other->call)) return;
  auto finding = FindingHere(
      "ACL-LIFE-006",
      fmt::format("{} destroys an object that another thread is using in {}", here.call, other->call));
  if (!finding) return;
  finding->before = ActAt(*other, "has not returned");
  if (const auto object = FindObject(reinterpret_cast<const void*>(handle)))
    finding->objects.push_back(Describe(*object));
  Reporter::Get().ReportLater(std::move(*finding));
} catch (...) {
}

}  // namespace foothold::check
