// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/stacks.h"

#include <unwind.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/per_process.h"
#include "check/thread_state.h"

namespace foothold::check {
namespace {

std::atomic<StackMode> mode{StackMode::kAuto};

// Bytes of return addresses that are kept at most; stacks that come after that are not.
constexpr std::size_t kMostAddresses = (std::size_t{64} << 20) / sizeof(void*);

// All stacks there are. Read without a lock: what is there never moves.
class Depot {
 public:
  static Depot& Get() {
    static Depot* const depot = new Depot;  // reports are made while the process ends
    return *depot;
  }
  static std::mutex& Mutex() { return Get().mutex_; }

  StackId Add(std::span<const void* const> frames) {
    const std::string_view bytes(reinterpret_cast<const char*>(frames.data()), frames.size_bytes());
    const std::lock_guard<std::mutex> lock(mutex_);
    if (const auto known = ids_.find(bytes); known != ids_.end()) return known->second;
    if (addresses_ + frames.size() > kMostAddresses || count_ == kChunk * kChunks) return 0;
    auto kept = std::make_unique<const void*[]>(frames.size());
    std::copy(frames.begin(), frames.end(), kept.get());
    const std::size_t chunk = count_ / kChunk;
    if (!chunks_[chunk].load(std::memory_order_relaxed))
      chunks_[chunk].store(new std::span<const void* const>[kChunk], std::memory_order_release);
    ids_.emplace(std::string_view(reinterpret_cast<const char*>(kept.get()), frames.size_bytes()),
                 static_cast<StackId>(count_ + 1));
    chunks_[chunk].load()[count_ % kChunk] = {kept.release(), frames.size()};
    addresses_ += frames.size();
    return static_cast<StackId>(++count_);
  }

  std::span<const void* const> Find(StackId id) const {
    if (id == 0) return {};
    const auto* const chunk = chunks_[(id - 1) / kChunk].load(std::memory_order_acquire);
    return chunk == nullptr ? std::span<const void* const>() : chunk[(id - 1) % kChunk];
  }

 private:
  static constexpr std::size_t kChunk = 4096, kChunks = 1024;
  std::mutex mutex_;  // guards all but reads of the chunks
  std::unordered_map<std::string_view, StackId> ids_;
  std::size_t count_ = 0, addresses_ = 0;
  std::array<std::atomic<std::span<const void* const>*>, kChunks> chunks_{};
};

[[maybe_unused]] const HeldDuringFork<&Depot::Mutex> whole_in_children;

struct Walk {
  const void* inside;
  std::size_t count = 0;
  bool found = false;
  bool standing = true;  // each return address was found where calls leave it
  const void* frames[kMaxFrames];
  const void* const* slots[kMaxFrames];
};

const void* const* SlotBelow(std::uintptr_t frame) {
#if defined(__x86_64__)
  return reinterpret_cast<const void* const*>(frame) - 1;
#else
  (void)frame;
  return nullptr;
#endif
}

_Unwind_Reason_Code Step(_Unwind_Context* context, void* argument) {
  Walk& walk = *static_cast<Walk*>(argument);
  const void* const address = reinterpret_cast<const void*>(_Unwind_GetIP(context));
  if (address == nullptr || walk.count == kMaxFrames) return _URC_END_OF_STACK;
  if (!walk.found) {
    walk.found = address == walk.inside;
    return _URC_NO_REASON;
  }
  const void* const* const slot = SlotBelow(_Unwind_GetCFA(context));
  walk.standing = walk.standing && slot != nullptr && *slot == address;
  walk.frames[walk.count] = address;
  walk.slots[walk.count++] = slot;
  return _URC_NO_REASON;
}

}  // namespace

// Stacks this thread has taken, by the place they were taken from: a few of each place, for one function
// calls another from several lines.
class RecentStacks {
 public:
  struct Entry {
    const void* inside = nullptr;
    const void* frame = nullptr;
    StackId id = 0;
    std::uint32_t count = 0;
    const void* frames[kMaxFrames];
    const void* const* slots[kMaxFrames];

    __attribute__((no_sanitize("address", "thread"))) bool StillStands() const noexcept {
      for (std::uint32_t i = 0; i < count; ++i)
        if (*slots[i] != frames[i]) return false;
      return true;
    }
  };

  // The one that stands there now; null if none is remembered.
  const Entry* Find(const void* inside, const void* frame) noexcept {
    for (const Entry& entry : At(inside, frame).entries)
      if (entry.inside == inside && entry.frame == frame && entry.StillStands()) return &entry;
    return nullptr;
  }
  // For a new one: the oldest there.
  Entry& Replace(const void* inside, const void* frame) noexcept {
    Place& place = At(inside, frame);
    return place.entries[place.next++ % kOfOnePlace];
  }

 private:
  static constexpr std::uint32_t kOfOnePlace = 8;
  struct Place {
    std::uint32_t next = 0;
    Entry entries[kOfOnePlace];
  };

  Place& At(const void* inside, const void* frame) noexcept {
    const auto mixed =
        reinterpret_cast<std::uintptr_t>(inside) * 31 + reinterpret_cast<std::uintptr_t>(frame);
    return places_[(mixed * 0x9E3779B97F4A7C15u) >> 59];
  }

  Place places_[32];
};

namespace {

// Threads that end may still call the library; they take their stacks the long way.
struct EndOfRecent {
  ~EndOfRecent() {
    delete thread_state.stacks.object;
    thread_state.stacks = {nullptr, true};
  }
};

RecentStacks* MakeRecent() {
  thread_local EndOfRecent end;
  (void)end;
  return thread_state.stacks.object = new RecentStacks;
}

RecentStacks* RecentOf(const ThreadState& thread) {
  const OfThread<RecentStacks>& mine = thread.stacks;
  return mine.object != nullptr || mine.ended ? mine.object : MakeRecent();
}

StackId TakeAnew(const void* inside, const void* frame, RecentStacks* recent) {
  Walk walk{.inside = inside, .frames = {}, .slots = {}};
  _Unwind_Backtrace(&Step, &walk);
  const std::size_t count = mode.load(std::memory_order_relaxed) == StackMode::kCaller
                                ? std::min<std::size_t>(walk.count, 1)
                                : walk.count;
  const StackId id = Depot::Get().Add({walk.frames, count});
  if (recent == nullptr || !walk.standing || walk.count == 0) return id;
  RecentStacks::Entry& entry = recent->Replace(inside, frame);
  entry.inside = inside;
  entry.frame = frame;
  entry.id = id;
  entry.count = static_cast<std::uint32_t>(walk.count);
  std::copy_n(walk.frames, walk.count, entry.frames);
  std::copy_n(walk.slots, walk.count, entry.slots);
  return id;
}

}  // namespace

void SetStackMode(StackMode wanted) noexcept {
  mode.store(wanted);
}

StackId TakeStack(const void* inside, const void* frame, ThreadState& thread) noexcept try {
  const StackMode now = mode.load(std::memory_order_relaxed);
  if (now == StackMode::kNone) return 0;
  RecentStacks* const recent = now == StackMode::kFull ? nullptr : RecentOf(thread);
  const RecentStacks::Entry* const known = recent == nullptr ? nullptr : recent->Find(inside, frame);
  return known != nullptr ? known->id : TakeAnew(inside, frame, recent);
} catch (...) {
  return 0;
}

StackId KeepStack(std::span<const void* const> frames) noexcept try {
  return Depot::Get().Add(frames);
} catch (...) {
  return 0;
}

std::span<const void* const> FramesOf(StackId stack) noexcept {
  return Depot::Get().Find(stack);
}

}  // namespace foothold::check
