// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tasks of one stream that have not ended, in the order they were queued: each a record of two cache lines,
// longer if it touches more than one thing or copies what the host may change. One side adds, under a lock of
// the owner; the other looks and takes away, under another lock; both may do so at once, which is why a busy
// stream is fed and drained without a line that two cores write.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>

#include "base/sync_use.h"
#include "check/call_sort.h"
#include "check/clocks.h"
#include "check/source_sums.h"
#include "check/stacks.h"
#include "check/touches.h"

namespace foothold::check {

struct LoggedTask {
  const char* call = "";
  Site site;
  std::uint64_t sequence = 0;
  Epoch epoch = 0;
  Clock known;  // when it was queued, and not said by the one before it
  std::uint32_t number = 0;
  std::uint32_t touch_count = 0;
  CallSort sort = CallSort::kOther;
  bool begun = false;
  // Never written again once it is published.
  bool has_sync : 1 = false;
  bool has_sources : 1 = false;
  bool passed : 1 = false;  // a wait that was not queued: its point was reached before
  bool runs_inner : 1 = false;
  bool from_run : 1 = false;  // a lane of a run, which begins with what it is told
  bool ignored : 1 = false;   // nobody is to look at what it touches
  bool counted : 1 = false;   // among those that may write memory of the host

  // What the record goes on with.
  const SyncUse& sync() const;
  std::span<const Touch> touches() const;
  std::span<const SourceSums> sources() const;
  std::span<SourceSums> sources();
};

class TaskLog {
 public:
  TaskLog() = default;
  ~TaskLog();
  TaskLog(const TaskLog&) = delete;
  TaskLog& operator=(const TaskLog&) = delete;

  // By the side that adds: the record is there for the other one after Publish().
  LoggedTask& Add(const SyncUse& sync, std::span<const Touch> touches,
                  std::span<const SourceSums> sources = {});
  void Publish() { tail_->end.store(added_, std::memory_order_release); }

  // By the other one.
  LoggedTask* Front() { return taken_ < seen_ || FindMore() ? RecordAt(*head_, taken_) : nullptr; }
  void Pop();
  template <typename Visit>
  void ForEach(Visit&& visit) {
    if (Front() == nullptr) return;
    std::size_t at = taken_;
    for (Piece* piece = head_; piece != nullptr; piece = piece->next.load(std::memory_order_acquire), at = 0)
      for (; at < piece->end.load(std::memory_order_acquire); at += BytesOf(*RecordAt(*piece, at)))
        visit(*RecordAt(*piece, at));
  }

 private:
  struct Piece {
    std::atomic<std::size_t> end{0};  // of what is published
    std::atomic<Piece*> next{nullptr};
    std::size_t room;  // bytes
  };
  static constexpr std::size_t kRoom = 8192 - sizeof(Piece);

  static unsigned char* BytesIn(Piece& piece) { return reinterpret_cast<unsigned char*>(&piece + 1); }
  static LoggedTask* RecordAt(Piece& piece, std::size_t at) {
    return std::launder(reinterpret_cast<LoggedTask*>(BytesIn(piece) + at));
  }
  static std::size_t BytesOf(const LoggedTask& task) {
    return sizeof(LoggedTask) + (task.has_sync ? sizeof(SyncUse) : 0) + task.touch_count * sizeof(Touch) +
           (task.has_sources ? sizeof(std::size_t) + task.sources().size_bytes() : 0);
  }
  static Piece* NewPiece(std::size_t bytes);
  static void Discard(Piece* piece) noexcept;
  void Extend(std::size_t bytes);
  bool FindMore();

  // Of the side that takes away, which begins with the first piece there is.
  Piece* head_ = nullptr;
  std::size_t taken_ = 0, seen_ = 0;  // of the first piece
  std::atomic<Piece*> first_{nullptr};
  // Of the side that adds.
  alignas(64) Piece* tail_ = nullptr;
  std::size_t added_ = 0;  // to the last piece
};

}  // namespace foothold::check
