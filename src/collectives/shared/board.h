// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Shared memory by which ranks of several processes meet: each rank has records that only it writes and all
// read, so nothing in it is ever locked, and a process that dies leaves nothing half done for the others.
//
//   rank 0: bell | record 0 | record 1 | ...        a record: stage, label, request, where the bytes are,
//   rank 1: bell | record 0 | ...                             counts, a little room for bytes themselves
//
// The file is sparse: what is not used costs nothing.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "collectives/seating.h"
#include "device/memory/memory_file.h"
#include "device/sharing/share_key.h"

namespace foothold::collectives {

// Where bytes of a rank are for the others.
struct SharedPlace {
  ShareKey key{};            // of the block they are in
  std::uint64_t offset = 0;  // in the block
  std::uint64_t bytes = 0;
  bool in_record = false;  // in the record itself
};

// Under which a rank says that it has left a part for good.
inline MeetingLabel GoneLabel() {
  MeetingLabel label;
  label.number = UINT64_MAX;
  return label;
}

// How far its rank is.
enum class Stage : std::uint32_t {
  kFree = 0,
  kCame,      // the rest of the record can be read
  kCombined,  // its share of the result can be read
  kFailed,    // why is in the record
};

// Two lines of the cache are fetched at a time.
constexpr std::size_t kRecordAlignment = 128;

struct alignas(kRecordAlignment) Record {
  // What a small one needs is in two lines of the cache: who waits for it looks at the first.
  std::atomic<Stage> stage;
  // Of the request, but for its counts.
  Collective collective;
  Element element;
  Element received;
  Reduction reduction;
  PartLabel label;
  std::uint64_t count;
  std::uint32_t root;
  alignas(64) std::array<std::byte, 64> tiny;  // the bytes, if they are so few
  SharedPlace send;
  SharedPlace result;
  std::int32_t code;  // of a failure
  char why[500];
};

class Board {
 public:
  static constexpr std::uint32_t kRecords = 1024;      // of each rank: messages of a batch need one each
  static constexpr std::size_t kRoomBytes = 16 << 10;  // in each record, for its bytes

  static std::size_t BytesFor(std::uint32_t ranks);

  // Throws HCCL_E_MEMORY.
  Board(std::shared_ptr<const MemoryFile> file, std::uint32_t ranks);
  ~Board();
  Board(const Board&) = delete;
  Board& operator=(const Board&) = delete;

  std::uint32_t ranks() const { return ranks_; }
  const MemoryFile& file() const { return *file_; }
  Record& record(std::uint32_t rank, std::uint32_t number) const;
  std::uint32_t NumberOf(std::uint32_t rank, const Record& record) const;
  // Who will not read it any more: a bit for each rank.
  void MarkDone(Record& record, std::uint32_t rank) const noexcept;
  bool IsDone(const Record& record, std::uint32_t rank) const noexcept;
  // All of these will not, but for its owner.
  bool IsDoneByAll(const Record& record, std::uint32_t owner,
                   const std::vector<std::uint32_t>& ranks) const noexcept;
  void ClearDone(Record& record) const noexcept;
  // Its counts and places, four for each rank, and its room.
  std::uint64_t* counts(const Record& record) const;
  std::byte* room(const Record& record, std::uint64_t bytes) const;

  // A futex that changes when it is worth for the rank to look again; its process may be asleep there.
  std::atomic<std::uint32_t>& bell(std::uint32_t rank) const;
  enum Sleep : std::uint32_t { kAwake = 0, kAsleep, kWantsRoom };  // it wants a record of its own to be free
  std::atomic<std::uint32_t>& asleep(std::uint32_t rank) const;
  // Where it is asleep.
  void Ring(std::uint32_t rank) const noexcept;

  // So many of its records, from the first on, were ever in use.
  std::atomic<std::uint32_t>& used(std::uint32_t rank) const;
  // Set when the rank takes part in nothing any more.
  std::atomic<std::uint32_t>& gone(std::uint32_t rank) const;
  // Set where the process of the rank holds a lock as long as it lives.
  std::atomic<std::uint32_t>& locked(std::uint32_t rank) const;
  // It looks at no record of a collective of all ranks any more whose number is below this.
  std::atomic<std::uint64_t>& through(std::uint32_t rank) const;

  // The record of a rank with this label, or null.
  Record* Find(std::uint32_t rank, const PartLabel& label) const noexcept;
  // The same where it is at its usual place.
  Record* FindSoon(std::uint32_t rank, const PartLabel& label) const noexcept;
  // The number of the record at which to look for one first.
  static std::uint32_t FirstPlace(const PartLabel& label) noexcept;

 private:
  std::byte* RankAt(std::uint32_t rank) const;
  Record* FindAt(std::uint32_t rank, std::uint32_t number, const PartLabel& label) const noexcept;
  std::atomic<std::uint64_t>* done(const Record& record) const;

  const std::shared_ptr<const MemoryFile> file_;
  const std::uint32_t ranks_;
  const std::size_t record_bytes_;
  const std::size_t rank_bytes_;
  std::byte* base_ = nullptr;
};

}  // namespace foothold::collectives
