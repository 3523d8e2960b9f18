// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/shared/board.h"

#include <sys/mman.h>

#include <algorithm>

#include "base/error.h"
#include "base/futex.h"
#include "collectives/codes.h"

namespace foothold::collectives {
namespace {

constexpr std::size_t kLine = 64;
constexpr std::uint32_t kFirstPlaces = 16;  // few, so that they stay in the caches
constexpr std::size_t kHeadBytes = 8 * kLine;

std::size_t RoundUp(std::size_t bytes, std::size_t step = kLine) {
  return (bytes + step - 1) / step * step;
}

std::size_t CountsBytes(std::uint32_t ranks) {
  return RoundUp(std::size_t{ranks} * 4 * sizeof(std::uint64_t));
}

std::size_t DoneBytes(std::uint32_t ranks) {
  return RoundUp((ranks + 63) / 64 * sizeof(std::uint64_t));
}

std::size_t RecordBytes(std::uint32_t ranks) {
  return RoundUp(sizeof(Record) + DoneBytes(ranks) + CountsBytes(ranks) + Board::kRoomBytes,
                 kRecordAlignment);
}

std::size_t RankBytes(std::uint32_t ranks) {
  return kHeadBytes + Board::kRecords * RecordBytes(ranks);
}

}  // namespace

std::size_t Board::BytesFor(std::uint32_t ranks) {
  constexpr std::size_t kPage = MemoryFile::kPage;
  return (std::size_t{ranks} * RankBytes(ranks) + kPage - 1) / kPage * kPage;
}

Board::Board(std::shared_ptr<const MemoryFile> file, std::uint32_t ranks)
    : file_(std::move(file)),
      ranks_(ranks),
      record_bytes_(RecordBytes(ranks)),
      rank_bytes_(RankBytes(ranks)) {
  if (file_->bytes() < BytesFor(ranks))
    Fail(kHcclInternal, "the memory shared by {} ranks has {} bytes", ranks, file_->bytes());
  base_ = reinterpret_cast<std::byte*>(file_->Map(0, 0, BytesFor(ranks), PROT_READ | PROT_WRITE));
}

Board::~Board() {
  munmap(base_, BytesFor(ranks_));
}

std::byte* Board::RankAt(std::uint32_t rank) const {
  return base_ + rank * rank_bytes_;
}

Record& Board::record(std::uint32_t rank, std::uint32_t number) const {
  return *reinterpret_cast<Record*>(RankAt(rank) + kHeadBytes + number * record_bytes_);
}

std::uint32_t Board::NumberOf(std::uint32_t rank, const Record& record) const {
  const auto* const at = reinterpret_cast<const std::byte*>(&record);
  return static_cast<std::uint32_t>(static_cast<std::size_t>(at - RankAt(rank) - kHeadBytes) / record_bytes_);
}

std::atomic<std::uint64_t>* Board::done(const Record& record) const {
  auto* const start = reinterpret_cast<std::byte*>(const_cast<Record*>(&record));
  return reinterpret_cast<std::atomic<std::uint64_t>*>(start + RoundUp(sizeof(Record)));
}

void Board::MarkDone(Record& record, std::uint32_t rank) const noexcept {
  done(record)[rank / 64].fetch_or(std::uint64_t{1} << rank % 64);
}

bool Board::IsDone(const Record& record, std::uint32_t rank) const noexcept {
  return done(record)[rank / 64].load() >> rank % 64 & 1;
}

bool Board::IsDoneByAll(const Record& record, std::uint32_t owner,
                        const std::vector<std::uint32_t>& ranks) const noexcept {
  return std::all_of(ranks.begin(), ranks.end(),
                     [&](std::uint32_t rank) { return rank == owner || IsDone(record, rank); });
}

void Board::ClearDone(Record& record) const noexcept {
  for (std::uint32_t i = 0; i < (ranks_ + 63) / 64; ++i)
    done(record)[i].store(0, std::memory_order_relaxed);
}

std::uint64_t* Board::counts(const Record& record) const {
  return reinterpret_cast<std::uint64_t*>(reinterpret_cast<std::byte*>(done(record)) + DoneBytes(ranks_));
}

std::byte* Board::room(const Record& record, std::uint64_t bytes) const {
  if (bytes <= record.tiny.size()) return const_cast<Record&>(record).tiny.data();
  return reinterpret_cast<std::byte*>(counts(record)) + CountsBytes(ranks_);
}

std::atomic<std::uint32_t>& Board::bell(std::uint32_t rank) const {
  return *reinterpret_cast<std::atomic<std::uint32_t>*>(RankAt(rank));
}

std::atomic<std::uint32_t>& Board::asleep(std::uint32_t rank) const {
  return *reinterpret_cast<std::atomic<std::uint32_t>*>(RankAt(rank) + kLine);
}

void Board::Ring(std::uint32_t rank) const noexcept {
  if (asleep(rank).load() == kAwake) return;
  bell(rank).fetch_add(1);
  FutexWakeShared(bell(rank));
}

std::atomic<std::uint32_t>& Board::used(std::uint32_t rank) const {
  return *reinterpret_cast<std::atomic<std::uint32_t>*>(RankAt(rank) + 3 * kLine);
}

std::atomic<std::uint32_t>& Board::gone(std::uint32_t rank) const {
  return *reinterpret_cast<std::atomic<std::uint32_t>*>(RankAt(rank) + 2 * kLine);
}

std::atomic<std::uint32_t>& Board::locked(std::uint32_t rank) const {
  return *reinterpret_cast<std::atomic<std::uint32_t>*>(RankAt(rank) + 5 * kLine);
}

std::atomic<std::uint64_t>& Board::through(std::uint32_t rank) const {
  return *reinterpret_cast<std::atomic<std::uint64_t>*>(RankAt(rank) + 4 * kLine);
}

// The numbers of calls follow each other.
std::uint32_t Board::FirstPlace(const PartLabel& label) noexcept {
  const std::uint64_t mixed = label.label.number + label.label.run + label.part % 61 +
                              (label.label.is_pair() ? label.label.from * 7 + label.label.to * 13 + 5 : 0);
  return static_cast<std::uint32_t>(mixed % kFirstPlaces);
}

#ifdef __SANITIZE_THREAD__
#pragma GCC diagnostic ignored "-Wtsan"  // it follows neither fences nor memory of several processes
#endif

Record* Board::Find(std::uint32_t rank, const PartLabel& label) const noexcept {
  const std::uint32_t first = FirstPlace(label);
  const std::uint32_t count = used(rank).load();
  for (std::uint32_t i = 0; i < count; ++i) {
    if (Record* const found = FindAt(rank, (first + i) % count, label)) return found;
  }
  return nullptr;
}

Record* Board::FindSoon(std::uint32_t rank, const PartLabel& label) const noexcept {
  return FindAt(rank, FirstPlace(label), label);
}

Record* Board::FindAt(std::uint32_t rank, std::uint32_t number, const PartLabel& label) const noexcept {
  Record& one = record(rank, number);
  if (one.stage.load() == Stage::kFree || one.label != label) return nullptr;
  // The label may be that of its next use, which is not all there yet.
  std::atomic_thread_fence(std::memory_order_acquire);
  return one.stage.load() != Stage::kFree ? &one : nullptr;
}

}  // namespace foothold::collectives
