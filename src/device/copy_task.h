// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the copies of copy.h and copy_batch.h are made of: a checked copy, and the ways it can be queued.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/futex.h"
#include "device/capture_modes.h"
#include "device/current.h"
#include "device/memory_map.h"
#include "device/task.h"
#include "device/user_code.h"

namespace foothold {

// Copies larger than this may keep a caller with a time limit too long.
constexpr std::size_t kShortCopy = std::size_t{64} << 10;

inline Place PlaceOfCopy(std::size_t bytes) {
  return {bytes > kShortCopy ? Place::kUnhurried : Place::kAnywhere};
}

// A copy whose memory was looked at; as a task it looks again.
struct CheckedCopy {
  void* dst;
  const void* src;
  std::size_t count;
  std::uint64_t dst_serial;
  std::uint64_t src_serial;

  static constexpr bool kReplays = true;
  Outcome Run(Stream& stream) const;
  std::string Describe() const;
  void ListAccesses(std::vector<Access>& list) const;
  Place place() const { return PlaceOfCopy(count); }
};
static_assert(sizeof(CheckedCopy) <= Task::kRoom);

// A task that uses memory the program may take away once its call has returned. The call returns when the
// task is done, or when it is sure never to touch that memory, whatever happens to the stream meanwhile.
template <typename Body>
class BorrowingTask {
 public:
  struct Shared {
    enum State : std::uint32_t { kQueued, kRunning, kOver };

    explicit Shared(Body value) : body(std::move(value)) {}
    bool Begin() {
      std::uint32_t queued = kQueued;
      return state.compare_exchange_strong(queued, kRunning);
    }
    void End() {
      state.store(kOver);
      if (awaited.load()) FutexWakeAll(state);
    }
    void AwaitEnd() {
      awaited.store(true);
      for (std::uint32_t seen; (seen = state.load()) != kOver;)
        FutexWait(state, seen);
    }

    Body body;
    std::atomic<std::uint32_t> state{kQueued};  // futex
    std::atomic<bool> awaited{false};
    bool ran = false;  // written before End, read after it
  };

  // Ends the caller's part, also when waiting throws or ends early because the stream was aborted.
  struct Settle {
    Shared& shared;
    ~Settle() {
      if (shared.state.load() == Shared::kOver) return;
      if (shared.Begin()) {
        shared.End();
      } else {
        shared.AwaitEnd();
      }
    }
  };

  explicit BorrowingTask(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}
  BorrowingTask(BorrowingTask&&) noexcept = default;
  ~BorrowingTask() {
    if (shared_ && shared_->Begin()) shared_->End();  // dropped without having been run
  }

  Outcome Run(Stream& stream) {
    if (!shared_->Begin()) return Outcome::kDone;  // the caller has gone
    struct Ender {
      Shared& shared;
      ~Ender() { shared.End(); }
    } ender{*shared_};
    shared_->ran = true;
    return shared_->body.Run(stream);
  }
  std::string Describe() const { return shared_->body.Describe(); }
  void ListAccesses(std::vector<Access>& list) const { shared_->body.ListAccesses(list); }
  Place place() const { return shared_->body.place(); }
  // Once its call has returned, the memory may be anything.
  static constexpr bool kReplays = false;

 private:
  std::shared_ptr<Shared> shared_;
};

// A task that its call waited for was dropped: throws the stream's failure.
[[noreturn]] void FailDropped(const Stream& stream);

// Queues `body` and returns when nothing uses its memory any more.
template <typename Body>
void PushAndFinish(const StreamRef& stream, const char* api, Body body) {
  CaptureModes::CheckAllows("a copy from or to pageable memory");
  if (stream->is_stored()) {
    Fail(kRtFeatureNotSupport,
         "stream {} only stores its tasks, so a copy from or to pageable memory cannot be done before the "
         "call returns; "
         "use memory from aclrtMallocHost",
         stream->id());
  }
  if (InsideUserFunctionOf(*stream.stream)) {
    Fail(kRtParamInvalid,
         "a copy from or to pageable memory is done when the call returns, which cannot be inside a callback "
         "of the "
         "same stream {}; use memory from aclrtMallocHost",
         stream->id());
  }
  using Borrowing = BorrowingTask<Body>;
  auto shared = std::make_shared<typename Borrowing::Shared>(std::move(body));
  const std::uint32_t task = stream.Push(api, Borrowing(shared));
  {
    typename Borrowing::Settle settle{*shared};
    if (stream->skips_sync()) {
      shared->AwaitEnd();
    } else {
      stream->WaitForTask(task, kForever);
    }
  }
  if (!shared->ran) FailDropped(*stream.stream);
}

// The places of a copy, for comparison with the kind a program passed.
void WarnAboutKind(const MemoryUse& dst, const MemoryUse& src, int kind);

}  // namespace foothold
