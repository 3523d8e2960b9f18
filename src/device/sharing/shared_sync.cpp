// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/sharing/shared_sync.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/futex.h"

namespace foothold {
namespace {

constexpr std::uint64_t kHolderBits = 24;
constexpr std::uint64_t kMostHolders = std::uint64_t{1} << kHolderBits;
// Bytes that are locked and never read lie behind the page.
constexpr std::uint64_t kFirstLock = MemoryFile::kPage;

struct flock LockOf(std::uint64_t first, std::uint64_t count) {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = static_cast<off_t>(kFirstLock + first);
  lock.l_len = static_cast<off_t>(count);
  return lock;
}

void Raise(std::atomic<std::uint64_t>& number, std::uint64_t to) noexcept {
  std::uint64_t now = number.load();
  while (now < to && !number.compare_exchange_weak(now, to)) {
  }
}

}  // namespace

SharedSync::SharedSync(std::shared_ptr<const MemoryFile> file) : file_(std::move(file)) {
  const std::uintptr_t at = file_->Map(0, 0, kBytes, PROT_READ | PROT_WRITE);
  header_ = reinterpret_cast<Header*>(at);
  holder_ = static_cast<std::uint32_t>(header_->next_holder.fetch_add(1) % kMostHolders);
  // Before it joins: who has joined and holds no lock is dead.
  struct flock mine = LockOf(holder_, 1);
  if (fcntl(file_->descriptor(), F_SETLK, &mine) != 0) {
    const int reason = errno;
    munmap(header_, kBytes);
    Fail(kRtResourceAllocFail, "no lock can be had on shared memory: {}", std::strerror(reason));
  }
  header_->joined.fetch_add(1);
}

SharedSync::~SharedSync() {
  header_->left.fetch_add(1);
  munmap(header_, kBytes);
}

// Locks of this process do not count.
bool SharedSync::AnyLocked(std::uint64_t first, std::uint64_t count) const noexcept {
  struct flock found = LockOf(first, count);
  return fcntl(file_->descriptor(), F_GETLK, &found) != 0 || found.l_type != F_UNLCK;
}

bool SharedSync::IsAlive(std::uint32_t holder) const noexcept {
  return holder == holder_ || AnyLocked(holder, 1);
}

bool SharedSync::AllOthersDied() const noexcept {
  const std::uint32_t joined = header_->joined.load();
  const std::uint32_t left = header_->left.load();
  return joined - left > 1 && !AnyLocked(0, kMostHolders);
}

void SharedSync::Tell() noexcept {
  header_->changes.fetch_add(1);
  FutexWakeShared(header_->changes);
}

void SharedNotify::Set(std::uint32_t value) noexcept {
  page<Page>().value.store(value);
  Tell();
}

std::uint32_t SharedNotify::value() const noexcept {
  return page<Page>().value.load();
}

bool SharedNotify::Take() noexcept {
  return page<Page>().value.exchange(0) != 0;
}

std::uint64_t SharedEvent::BeginRecord() noexcept {
  const std::uint64_t record = page<Page>().next.fetch_add(1) + 1;
  page<Page>().records[record % kRecords].queued.store(record << kHolderBits | holder());
  Raise(page<Page>().latest, record);
  return record;
}

void SharedEvent::EndRecord(std::uint64_t record, int code) noexcept {
  Record& mine = page<Page>().records[record % kRecords];
  mine.code.store(code);
  Raise(mine.done, record);
  Tell();
}

std::uint64_t SharedEvent::latest() const noexcept {
  return page<Page>().latest.load();
}

SharedEvent::State SharedEvent::Look(std::uint64_t record, int& code, bool look_for_death) const noexcept {
  const Record& wanted = page<Page>().records[record % kRecords];
  const auto done = [&] { return wanted.done.load() >= record; };
  if (!done() && look_for_death) {
    const std::uint64_t queued = wanted.queued.load();
    const bool dead =
        queued >> kHolderBits == record && !IsAlive(static_cast<std::uint32_t>(queued % kMostHolders));
    if (dead && !done()) return State::kLost;  // it may have been its last deed
  }
  if (!done()) return State::kPending;
  code = wanted.code.load();
  return State::kDone;
}

}  // namespace foothold
