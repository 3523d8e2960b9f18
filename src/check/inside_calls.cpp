// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/inside_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

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
  std::atomic<std::uint32_t> thread{0};  // 0: nobody's
  std::atomic<std::uint32_t> count{0};   // those that do not fit are only counted
  std::array<Entry, 8> entries;
};

namespace {

// Places are used again and never go.
struct CallPlaces {
  static CallPlaces& Get() { return PerProcess<CallPlaces>::Get(); }
  static std::mutex& Mutex() { return Get().mutex; }

  CallPlace& Take() {
    const std::lock_guard<std::mutex> lock(mutex);
    const auto free = std::find_if(all.begin(), all.end(),
                                   [](const CallPlace* place) { return place->thread.load() == 0; });
    CallPlace* const place = free == all.end() ? new CallPlace : *free;
    if (free == all.end()) all.push_back(place);
    place->thread.store(KernelThreadId());
    return *place;
  }

  std::mutex mutex;  // guards the list
  std::vector<CallPlace*> all;
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
CallPlace* PlaceOfThread() {
  const OfThread<CallPlace>& mine = thread_state.place;
  return mine.object != nullptr || mine.ended ? mine.object : TakePlace();
}

std::optional<Site> CallWith(const CallPlace& place, std::uint64_t handle) {
  const std::uint32_t count = place.count.load(std::memory_order_acquire);
  for (std::uint32_t i = 0; i < count && i < place.entries.size(); ++i)
    if (place.entries[i].handle.load(std::memory_order_relaxed) == handle)
      return Site{place.entries[i].call.load(), place.entries[i].stack.load(), place.thread.load()};
  return std::nullopt;
}

std::optional<Site> OtherCall(std::uint64_t handle) {
  CallPlaces& places = CallPlaces::Get();
  const std::lock_guard<std::mutex> lock(places.mutex);
  for (const CallPlace* const place : places.all) {
    if (place->thread.load() == 0 || place->thread.load() == KernelThreadId()) continue;
    if (const auto site = CallWith(*place, handle)) return site;
  }
  return std::nullopt;
}

// The callback of a video channel ends what a frame was sent with, and may be faster than the call.
bool HandsOver(std::string_view call) {
  return call == "aclvdecSendFrame" || call == "aclvencSendFrame";
}

}  // namespace

void CallEnters(std::uint64_t handle, const Site& site) noexcept try {
  CallPlace* const place = PlaceOfThread();
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

void CallsLeave(std::uint32_t handles) noexcept {
  CallPlace* const place = PlaceOfThread();
  if (place == nullptr) return;
  const std::uint32_t count = place->count.load(std::memory_order_relaxed);
  place->count.store(count - std::min(count, handles), std::memory_order_release);
}

void LookAtEnd(std::uint64_t handle) noexcept try {
  const Site here = SiteHere();
  if (!here || std::string_view(here.call).find("Destroy") == std::string_view::npos) return;
  const auto other = OtherCall(handle);
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
