// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/task_log.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include "check/recycled.h"

namespace foothold::check {
namespace {

constexpr std::size_t kPiece = 8192, kSpare = 512;
using Pieces = Recycled<kPiece, kSpare>;

static_assert(std::is_trivially_copyable_v<SyncUse> && std::is_trivially_copyable_v<Touch> &&
              std::is_trivially_copyable_v<SourceSums>);
static_assert(sizeof(LoggedTask) % alignof(Touch) == 0 && sizeof(SyncUse) % alignof(Touch) == 0);
static_assert(alignof(SourceSums) == alignof(std::size_t) && sizeof(Touch) % alignof(SourceSums) == 0);
static_assert(sizeof(LoggedTask) + sizeof(Touch) <= 128, "two cache lines");

const unsigned char* Behind(const LoggedTask& task) {
  return reinterpret_cast<const unsigned char*>(&task + 1);
}

}  // namespace

const SyncUse& LoggedTask::sync() const {
  static constexpr SyncUse kNone;
  return has_sync ? *std::launder(reinterpret_cast<const SyncUse*>(Behind(*this))) : kNone;
}

std::span<const Touch> LoggedTask::touches() const {
  const unsigned char* const at = Behind(*this) + (has_sync ? sizeof(SyncUse) : 0);
  return {std::launder(reinterpret_cast<const Touch*>(at)), touch_count};
}

std::span<const SourceSums> LoggedTask::sources() const {
  if (!has_sources) return {};
  const auto touched = touches();
  const auto* const count =
      std::launder(reinterpret_cast<const std::size_t*>(touched.data() + touched.size()));
  return {std::launder(reinterpret_cast<const SourceSums*>(count + 1)), *count};
}

std::span<SourceSums> LoggedTask::sources() {
  const auto all = std::as_const(*this).sources();
  return {const_cast<SourceSums*>(all.data()), all.size()};
}

TaskLog::Piece* TaskLog::NewPiece(std::size_t bytes) {
  const std::size_t room = std::max(bytes, kRoom);
  void* const memory = room == kRoom ? Pieces::Get().Take() : ::operator new(sizeof(Piece) + room);
  return ::new (memory) Piece{.room = room};
}

void TaskLog::Discard(Piece* piece) noexcept {
  static_assert(std::is_trivially_destructible_v<Piece> && sizeof(Piece) + kRoom == kPiece);
  if (piece->room != kRoom) return ::operator delete(piece);
  Pieces::Get().Give(piece);
}

TaskLog::~TaskLog() {
  while (Front() != nullptr)
    Pop();
  if (head_ != nullptr) Discard(head_);
}

void TaskLog::Extend(std::size_t bytes) {
  Piece* const piece = NewPiece(bytes);
  (tail_ == nullptr ? first_ : tail_->next).store(piece, std::memory_order_release);
  tail_ = piece;
  added_ = 0;
}

LoggedTask& TaskLog::Add(const SyncUse& sync, std::span<const Touch> touches,
                         std::span<const SourceSums> sources) {
  const bool has_sync = sync.kind != SyncUse::Kind::kNone;
  const std::size_t bytes = sizeof(LoggedTask) + (has_sync ? sizeof(SyncUse) : 0) + touches.size_bytes() +
                            (sources.empty() ? 0 : sizeof(std::size_t) + sources.size_bytes());
  if (tail_ == nullptr || tail_->room - added_ < bytes) Extend(bytes);
  LoggedTask* const task = ::new (BytesIn(*tail_) + added_) LoggedTask;
  task->has_sync = has_sync;
  task->has_sources = !sources.empty();
  task->touch_count = static_cast<std::uint32_t>(touches.size());
  unsigned char* behind = reinterpret_cast<unsigned char*>(task + 1);
  const auto put = [&](const void* from, std::size_t size) {
    std::memcpy(behind, from, size);
    behind += size;
  };
  if (has_sync) put(&sync, sizeof sync);
  if (!touches.empty()) put(touches.data(), touches.size_bytes());
  if (const std::size_t count = sources.size(); count > 0) {
    put(&count, sizeof count);
    put(sources.data(), sources.size_bytes());
  }
  added_ += bytes;
  return *task;
}

// Whether there is one that was not seen before.
bool TaskLog::FindMore() {
  if (head_ == nullptr) head_ = first_.load(std::memory_order_acquire);
  while (head_ != nullptr) {
    Piece* const next = head_->next.load(std::memory_order_acquire);
    seen_ = head_->end.load(std::memory_order_acquire);
    if (taken_ < seen_) return true;
    if (next == nullptr) return false;
    Discard(std::exchange(head_, next));
    taken_ = 0;
  }
  return false;
}

void TaskLog::Pop() {
  LoggedTask& task = *RecordAt(*head_, taken_);
  taken_ += BytesOf(task);
  task.~LoggedTask();
}

}  // namespace foothold::check
