// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Events and notifies that several processes hold: a page of a memory file with numbers in it, and a futex
// that is woken at every change. Each process holds a lock on a byte of the file, which the system takes away
// when the process ends, however it ends: so the others can tell. Any thread.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

#include "base/clock.h"
#include "base/error.h"
#include "device/memory/memory_file.h"

namespace foothold {

class SharedSync {
 public:
  SharedSync(const SharedSync&) = delete;
  SharedSync& operator=(const SharedSync&) = delete;

  const std::shared_ptr<const MemoryFile>& file() const { return file_; }
  // Changes whenever something happened.
  std::atomic<std::uint32_t>& changes() const { return header_->changes; }
  // True if some process ended without letting go of it and no other one holds it any more: what this
  // process waits for will not come.
  bool AllOthersDied() const noexcept;

 protected:
  static constexpr std::size_t kBytes = MemoryFile::kPage;

  struct Header {
    std::atomic<std::uint32_t> next_holder;
    std::atomic<std::uint32_t> joined;
    std::atomic<std::uint32_t> left;
    std::atomic<std::uint32_t> changes;
  };

  // A new one, or one of another process. Throws 207001 or 507022.
  explicit SharedSync(std::shared_ptr<const MemoryFile> file);
  ~SharedSync();

  bool IsAlive(std::uint32_t holder) const noexcept;
  void Tell() noexcept;  // everybody, of a change

  // The page as one of these; both are all zero at first.
  template <typename Page>
  Page& page() const {
    static_assert(sizeof(Page) <= kBytes);
    return *reinterpret_cast<Page*>(header_);
  }
  std::uint32_t holder() const { return holder_; }  // this process's number

 private:
  bool AnyLocked(std::uint64_t first, std::uint64_t count) const noexcept;

  const std::shared_ptr<const MemoryFile> file_;
  Header* header_ = nullptr;
  std::uint32_t holder_ = 0;
};

class SharedNotify : public SharedSync {
 public:
  SharedNotify() : SharedNotify(std::make_shared<const MemoryFile>(kBytes)) {}
  explicit SharedNotify(std::shared_ptr<const MemoryFile> file) : SharedSync(std::move(file)) {}

  void Set(std::uint32_t value) noexcept;
  std::uint32_t value() const noexcept;
  // True for the one caller that found it set.
  bool Take() noexcept;

 private:
  struct Page {
    Header header;
    std::atomic<std::uint32_t> value;
  };
};

// Records are numbered from 1 in the order they were queued.
class SharedEvent : public SharedSync {
 public:
  enum class State { kPending, kDone, kLost };  // lost: who queued the record ended before it was reached

  SharedEvent() : SharedEvent(std::make_shared<const MemoryFile>(kBytes)) {}
  explicit SharedEvent(std::shared_ptr<const MemoryFile> file) : SharedSync(std::move(file)) {}

  std::uint64_t BeginRecord() noexcept;
  // `code` is what the stream had failed with, or 0.
  void EndRecord(std::uint64_t record, int code) noexcept;

  std::uint64_t latest() const noexcept;  // 0: never recorded
  // `code` is set for kDone.
  State Look(std::uint64_t record, int& code, bool look_for_death) const noexcept;

 private:
  // Room for so many records that are not reached yet; waits for still older ones last longer than needed.
  static constexpr std::size_t kRecords = 128;
  struct Record {
    std::atomic<std::uint64_t> queued;  // number and holder
    std::atomic<std::uint64_t> done;    // number of the newest that is
    std::atomic<std::int32_t> code;     // of that
  };
  struct Page {
    Header header;
    std::atomic<std::uint64_t> next;
    std::atomic<std::uint64_t> latest;
    std::array<Record, kRecords> records;
  };
};

}  // namespace foothold
