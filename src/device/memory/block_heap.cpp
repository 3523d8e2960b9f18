// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/memory/block_heap.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "base/error.h"
#include "check/check.h"
#include "check/closed_pages.h"
#include "check/device_addresses.h"
#include "check/guard_pages.h"
#include "check/history.h"
#include "device/memory/block_guards.h"
#include "device/memory/hidden_addresses.h"
#include "device/memory/poison.h"
#include "device/memory/size_class.h"

namespace foothold {

// Blocks of one size in a run of pages, or one large block (class 0).
struct Slab {
  Slab(std::size_t size_class, std::uint32_t count)
      : size_class(size_class),
        block_bytes(BytesOfClass(size_class)),
        reciprocal(block_bytes == 0 ? 0 : (std::uint64_t{1} << kReciprocalBits) / block_bytes + 1),
        count(count) {
    std::uninitialized_default_construct_n(records(), count);
  }
  static std::size_t Bytes(std::uint32_t count) { return sizeof(Slab) + count * sizeof(BlockHeap::Record); }
  BlockHeap::Record* records() { return reinterpret_cast<BlockHeap::Record*>(this + 1); }
  std::uint32_t IndexOf(const BlockHeap::Record& record) {
    return static_cast<std::uint32_t>(&record - records());
  }
  // Of the block that a byte belongs to, which is asked for every address of a task: a division would take
  // longer than all the rest. Exact, since a slab is small.
  std::size_t IndexAt(std::size_t inside) const { return inside * reciprocal >> kReciprocalBits; }
  bool full() const { return free_head == count; }

  static constexpr int kReciprocalBits = 40;
  static_assert(SlabBytesOfClass(kSizeClasses - 1) * BytesOfClass(kSizeClasses - 1) < std::uint64_t{1}
                                                                                          << kReciprocalBits);
  const std::size_t size_class;
  const std::size_t block_bytes;
  const std::uint64_t reciprocal;
  const std::uint32_t count;
  // Guarded by the heap's lock.
  std::uint32_t free_head = 0;  // count: none free
  std::uint32_t used = 0;
  Span* span = nullptr;
  Slab* next = nullptr;
  Slab* previous = nullptr;
};

namespace {

// A span whose pages are being moved. The lock is held at both ends.
class Moving {
 public:
  Moving(Span& span, std::condition_variable& moved, std::unique_lock<std::mutex>& lock)
      : span_(span), moved_(moved), lock_(lock) {
    span_.moving = true;
  }
  ~Moving() {
    if (!lock_.owns_lock()) lock_.lock();
    span_.moving = false;
    moved_.notify_all();
  }
  Moving(const Moving&) = delete;
  Moving& operator=(const Moving&) = delete;

 private:
  Span& span_;
  std::condition_variable& moved_;
  std::unique_lock<std::mutex>& lock_;
};

using Sides = BlockHeap::Settings::Sides;

AddressRange::Backing BackingFor(Sides sides) {
  if (sides == Sides::kTwice) return AddressRange::Backing::kTwice;
  const bool opened =
      sides == Sides::kHidden && check::HidesDeviceAddresses() && check::OpensDeviceAddresses();
  return opened ? AddressRange::Backing::kFile : AddressRange::Backing::kOwn;
}

// Managed memory comes in whole pages at the start of pages.
check::BlockCare CareFor(const BlockHeap::Settings& settings) {
  check::BlockCare care = check::CareForBlocks();
  if (settings.kind == MemoryKind::kManaged) care.guard = 0;
  if (!care.fills && kFillsAlways) care = {0, 0, true, kFreshByte, kFreedByte};
  return care;
}

// Where pages are closed to the program, no two blocks share one.
BlockGuards GuardsOf(const check::BlockCare& care, const BlockHeap::Settings& settings) {
  return {care.guard, settings.sides == Sides::kTwice};
}

std::uintptr_t GivenBase(const AddressRange& range, const BlockHeap::Settings& settings) {
  if (range.second() != 0) {
    check::WatchClosablePages(range.second(), range.size());
    return range.second();
  }
  const std::uintptr_t hidden =
      settings.sides == Sides::kHidden ? HideAddresses(range.base(), range.size(), kHugePage) : 0;
  return hidden != 0 ? hidden : range.base() + settings.offset;
}

}  // namespace

BlockHeap::BlockHeap(const Settings& settings)
    : settings_(settings),
      range_(settings.reservation, kHugePage, settings.preferred, BackingFor(settings.sides)),
      base_(GivenBase(range_, settings)),
      offset_(base_ - range_.base()),
      care_(CareFor(settings)),
      pages_(range_),
      open_(kSizeClasses),
      spare_(kSizeClasses) {
  if (GuardsOf(care_, settings).has_pages()) check::WatchGuardPages(range_.base(), range_.size(), offset_);
}

BlockHeap::~BlockHeap() {
  if (GuardsOf(care_, settings_).has_pages()) check::ForgetGuardPages(range_.base());
  if (settings_.sides == Sides::kHidden && base_ != range_.base() + settings_.offset)
    DropHiddenAddresses(base_, range_.size());
  Unpoison(range_.base(), range_.committed());
  for (Slab* slab : slabs_) {
    std::destroy_n(slab->records(), slab->count);
    slab->~Slab();
    ::operator delete(slab);
  }
}

// Every copy comes by the next two twice, so they are part of their callers.
[[gnu::always_inline]] inline BlockHeap::Record* BlockHeap::FindRecord(
    std::uintptr_t address) const noexcept {
  const std::size_t offset = address - base();
  const Span* const span = pages_.Find(offset / PageHeap::kPage);
  Slab* const slab = span == nullptr ? nullptr : span->slab.load(std::memory_order_acquire);
  if (slab == nullptr) return nullptr;
  if (slab->size_class == 0) return slab->records();
  const std::size_t inside = offset - span->first.load(std::memory_order_relaxed) * PageHeap::kPage;
  const std::size_t index = slab->IndexAt(inside);
  return index < slab->count ? slab->records() + index : nullptr;
}

[[gnu::always_inline]] inline MemoryInfo BlockHeap::InfoOf(const Record& record) const noexcept {
  const std::uint64_t serial = record.serial.load(std::memory_order_acquire);
  int device = settings_.device;
  if (device == kOwnerIsTag) device = static_cast<int>(record.tag.load(std::memory_order_acquire));
  const std::uintptr_t base = record.base.load(std::memory_order_acquire);
  const std::size_t size = record.size.load(std::memory_order_acquire);
  return {settings_.kind, device, base, size, serial, record.api.load(std::memory_order_acquire), offset_};
}

void* BlockHeap::Allocate(std::size_t size, const char* api, std::uint32_t tag) {
  if (size > range_.size()) return nullptr;
  const std::size_t room = RoomFor(size);
  std::uintptr_t base;
  std::uint64_t serial;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    Record* record = TakeRecord(room);
    if (record == nullptr && !quarantine_.empty()) {
      EmptyQuarantine(0);
      record = TakeRecord(room);
    }
    if (record == nullptr) return nullptr;
    base = record->base.load(std::memory_order_relaxed) + GuardsOf(care_, settings_).FrontOf(size);
    record->base.store(base, std::memory_order_relaxed);
    record->size.store(size, std::memory_order_relaxed);
    record->api.store(api, std::memory_order_relaxed);
    record->tag.store(tag, std::memory_order_relaxed);
    serial = NextAllocationSerial();
    Unpoison(base - GuardsOf(care_, settings_).FrontOf(size) - offset_, room);
    PaintGuards(base, size);  // before anybody can look at them
    record->serial.store(serial, std::memory_order_release);
    TrimLocked();
  }
  Prepare(base, size);
  if (check::On()) TellMade(serial, base, size, tag);
  return reinterpret_cast<void*>(base);
}

// What it holds; what is around it has been seen to.
void BlockHeap::Prepare(std::uintptr_t base, std::size_t size) const noexcept {
  if (care_.fills) FillEnds(base - offset_, care_.guard != 0 ? size : FootprintOf(size), care_.fresh);
}

std::size_t BlockHeap::RoomFor(std::size_t size) const noexcept {
  return GuardsOf(care_, settings_).RoomFor(size);
}

void BlockHeap::PaintGuards(std::uintptr_t base, std::size_t size) const noexcept {
  GuardsOf(care_, settings_).Close(base - offset_, size);
}

void BlockHeap::LookAtGuardsOf(const Record& record) const noexcept {
  const std::uintptr_t block = record.base.load() - offset_;
  const auto damage = GuardsOf(care_, settings_).Look(block, record.size.load());
  if (!damage) return;
  check::GuardDamaged(record.serial.load(), damage->first, damage->count);
  PaintGuards(record.base.load(), record.size.load());
}

void BlockHeap::LookAtGuards() {
  if (care_.guard == 0) return;
  std::lock_guard<std::mutex> lock(mutex_);
  Place place;
  while (const Record* const record = NextLive(place))
    LookAtGuardsOf(*record);
}

void BlockHeap::TellMade(std::uint64_t serial, std::uintptr_t base, std::size_t size,
                         std::uint32_t tag) const noexcept {
  const auto block_kind = kind() == MemoryKind::kPinned    ? check::BlockKind::kPinned
                          : kind() == MemoryKind::kManaged ? check::BlockKind::kManaged
                                                           : check::BlockKind::kDevice;
  check::BlockMade(serial, base, size, block_kind,
                   device() == kOwnerIsTag ? static_cast<int>(tag) : device());
}

BlockHeap::Record* BlockHeap::TakeRecord(std::size_t footprint) {
  const std::size_t size_class = ClassOf(footprint);
  Slab* slab = open_[size_class];
  if (slab == nullptr) {
    const std::size_t bytes = size_class == 0 ? footprint : SlabBytesOfClass(size_class);
    slab = OpenSlab(size_class, bytes, bytes >= kHugePage ? kHugePage : PageHeap::kPage);
    if (slab == nullptr) return nullptr;
  }
  Record& record = slab->records()[slab->free_head];
  slab->free_head = record.next_free;
  ++slab->used;
  if (slab->full()) Unlink(*slab);
  return &record;
}

Slab* BlockHeap::OpenSlab(std::size_t size_class, std::size_t bytes, std::size_t align) {
  const auto pages = static_cast<std::uint32_t>((bytes + PageHeap::kPage - 1) / PageHeap::kPage);
  Slab& slab = NewSlab(size_class);
  try {
    slab.span = pages_.Allocate(pages, static_cast<std::uint32_t>(align / PageHeap::kPage));
  } catch (...) {
    spare_[size_class].push_back(&slab);
    throw;
  }
  if (slab.span == nullptr) {
    spare_[size_class].push_back(&slab);
    return nullptr;
  }
  const std::uintptr_t start = base() + slab.span->first.load() * PageHeap::kPage;
  for (std::uint32_t i = 0; i < slab.count; ++i) {
    slab.records()[i].base.store(start + i * slab.block_bytes, std::memory_order_relaxed);
    slab.records()[i].next_free = i + 1;
  }
  slab.free_head = 0;
  slab.used = 0;
  slab.span->slab.store(&slab, std::memory_order_release);
  Link(slab);
  return &slab;
}

void BlockHeap::CloseSlab(Slab& slab) {
  Unlink(slab);
  pages_.Free(*slab.span);
  slab.span = nullptr;
  spare_[slab.size_class].push_back(&slab);
}

Slab& BlockHeap::NewSlab(std::size_t size_class) {
  auto& spare = spare_[size_class];
  if (!spare.empty()) {
    Slab& slab = *spare.back();
    spare.pop_back();
    return slab;
  }
  const std::uint32_t count = BlocksOfClass(size_class);
  // So that giving slabs back needs no memory.
  if (slabs_.capacity() == slabs_.size()) slabs_.reserve(2 * slabs_.size() + 8);
  if (spare.capacity() <= slabs_.size()) spare.reserve(slabs_.capacity());
  Slab* const slab = ::new (::operator new(Slab::Bytes(count))) Slab(size_class, count);
  slabs_.push_back(slab);
  return *slab;
}

void BlockHeap::Link(Slab& slab) {
  Slab*& head = open_[slab.size_class];
  slab.previous = nullptr;
  slab.next = head;
  if (head != nullptr) head->previous = &slab;
  head = &slab;
}

void BlockHeap::Unlink(Slab& slab) {
  Slab*& head = open_[slab.size_class];
  if (slab.next != nullptr) slab.next->previous = slab.previous;
  if (slab.previous != nullptr) slab.previous->next = slab.next;
  if (head == &slab) head = slab.next;
  slab.next = slab.previous = nullptr;
}

std::optional<BlockHeap::Freed> BlockHeap::Free(const void* address, const char* api) {
  const auto start = reinterpret_cast<std::uintptr_t>(address);
  if (!Contains(start)) return std::nullopt;
  std::unique_lock<std::mutex> lock(mutex_);
  Record* const record = FindRecord(start);
  if (record == nullptr || record->serial.load() == 0 || record->base.load() != start) return std::nullopt;
  AwaitMove(*record, lock);
  if (record->serial.load() == 0 || record->base.load() != start) return std::nullopt;
  const Freed freed{record->size.load(), record->tag.load()};
  FreeLocked(*record, api);
  TrimLocked();
  return freed;
}

void BlockHeap::FreeLocked(Record& record, const char* api) {
  const std::size_t footprint = FootprintOf(record.size.load());
  freed_.Add(InfoOf(record), api);
  LookAtGuardsOf(record);
  if (check::On()) check::BlockGone(record.serial.load());
  record.serial.store(0, std::memory_order_release);
  KeepForItself(record);
  if (care_.fills) FillEnds(record.base.load() - offset_, footprint, care_.freed);
  Poison(record.base.load() - offset_, footprint);
  if (care_.quarantine == 0) return Recycle(record);
  try {
    quarantine_.push_back(&record);
    quarantined_ += footprint;
  } catch (const std::bad_alloc&) {
    return Recycle(record);
  }
  EmptyQuarantine(care_.quarantine);
}

void BlockHeap::EmptyQuarantine(std::size_t most) noexcept {
  while (quarantined_ > most) {
    Record& oldest = *quarantine_.front();
    quarantine_.pop_front();
    quarantined_ -= FootprintOf(oldest.size.load());
    Recycle(oldest);
  }
}

void BlockHeap::Recycle(Record& record) noexcept {
  const std::size_t size = record.size.load();
  GuardsOf(care_, settings_).Open(record.base.load() - offset_, size);
  record.base.store(record.base.load() - GuardsOf(care_, settings_).FrontOf(size), std::memory_order_relaxed);
  Slab& slab = SlabOf(record);
  if (slab.full()) Link(slab);
  record.next_free = slab.free_head;
  slab.free_head = slab.IndexOf(record);
  --slab.used;
  // One empty slab per class stays, so that a single block coming and going costs nothing.
  const bool only_one = slab.next == nullptr && slab.previous == nullptr;
  if (slab.used == 0 && (slab.size_class == 0 || !only_one)) CloseSlab(slab);
}

void BlockHeap::AwaitMove(const Record& record, std::unique_lock<std::mutex>& lock) {
  moved_.wait(lock, [&] { return record.serial.load() == 0 || !SlabOf(record).span->moving; });
}

BlockHeap::Record* BlockHeap::LiveRecord(std::uintptr_t address, std::uint64_t serial) const noexcept {
  Record* const record = FindRecord(address);
  return record != nullptr && serial != 0 && record->serial.load() == serial ? record : nullptr;
}

SharedPages BlockHeap::SharedPagesAt(std::uintptr_t address, const Record& record) const {
  const std::size_t span = SlabOf(record).span->first.load() * PageHeap::kPage;
  return {shared_.FileOf(span), address - base() - span};
}

SharedPages BlockHeap::Share(std::uintptr_t address, std::uint64_t serial, bool fresh) {
  std::unique_lock<std::mutex> lock(mutex_);
  Record* record = LiveRecord(address, serial);
  if (record != nullptr) AwaitMove(*record, lock);
  record = LiveRecord(address, serial);
  if (record == nullptr) Fail(kRtParamInvalid, "{:#x} was freed by another thread during this call", address);
  Slab& slab = SlabOf(*record);
  Span& span = *slab.span;
  const std::size_t offset = span.first.load() * PageHeap::kPage;
  if (!span.shared) {
    const Moving moving(span, moved_, lock);
    lock.unlock();  // copying takes its time
    SharedSpans::Piece piece = shared_.Move(offset, span.pages * PageHeap::kPage, fresh);
    CloseHidden(offset, span.pages * PageHeap::kPage);
    lock.lock();
    shared_.Add(offset, std::move(piece));
    span.shared = true;
    if (fresh) PaintGuards(record->base.load(), record->size.load());
  }
  shared_.Use(offset, record->base.load());
  return SharedPagesAt(address, *record);
}

std::optional<SharedPages> BlockHeap::FindShared(std::uintptr_t address, std::uint64_t serial) const {
  std::lock_guard<std::mutex> lock(mutex_);
  const Record* const record = LiveRecord(address, serial);
  if (record == nullptr || !SlabOf(*record).span->shared) return std::nullopt;
  return SharedPagesAt(address, *record);
}

// The pages of a freed block are this process's own again before it is handed out anew: who imported it keeps
// what there was.
void BlockHeap::KeepForItself(Record& record) noexcept {
  Slab& slab = SlabOf(record);
  Span& span = *slab.span;
  if (!span.shared) return;
  const std::size_t offset = span.first.load() * PageHeap::kPage;
  if (!shared_.Unuse(offset, record.base.load(), slab.used > 1)) return;
  span.shared = false;
  CloseHidden(offset, span.pages * PageHeap::kPage);
}

void BlockHeap::CloseHidden(std::size_t offset, std::size_t bytes) const noexcept {
  if (settings_.sides == Sides::kHidden && offset_ != 0) CloseHiddenAddresses(base_ + offset, bytes);
}

void BlockHeap::TrimLocked() {
  std::uint64_t limit = cache_limit_.load(std::memory_order_relaxed);
  // What was filled is really there, where it would only have been reserved.
  if (care_.quarantine != 0) limit = std::min<std::uint64_t>(limit, care_.quarantine);
  if (pages_.warm_bytes() > limit) pages_.Trim(limit);
}

std::uint64_t BlockHeap::cached_bytes() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return pages_.warm_bytes();
}

MemoryInfo BlockHeap::Find(std::uintptr_t address) const noexcept {
  if (const Record* const record = FindRecord(address)) {
    const MemoryInfo info = InfoOf(*record);
    // A serial that is the same before and after says that the fields belong together.
    const bool whole = info.serial != 0 && record->serial.load(std::memory_order_relaxed) == info.serial;
    // One by one: where a copy of the whole loads in one piece what was stored in several, processors stop.
    if (whole && address - info.base < FootprintOf(info.size))
      return {info.kind, info.device, info.base, info.size, info.serial, info.api, info.offset};
  }
  return {MemoryKind::kDead, std::max(settings_.device, -1)};
}

std::optional<FreedBlock> BlockHeap::FindFreed(std::uintptr_t address) const {
  std::lock_guard<std::mutex> lock(mutex_);
  return freed_.Find(address);
}

Slab& BlockHeap::SlabOf(const Record& record) const {
  const std::size_t page = (record.base.load() - base()) / PageHeap::kPage;
  return *pages_.Find(page)->slab.load();
}

std::vector<BlockHeap::Record*> BlockHeap::LiveRecords() const {
  std::vector<Record*> live;
  for (Slab* slab : slabs_) {
    for (std::uint32_t i = 0; slab->span != nullptr && i < slab->count; ++i) {
      if (slab->records()[i].serial.load() != 0) live.push_back(slab->records() + i);
    }
  }
  return live;
}

BlockHeap::Record* BlockHeap::NextLive(Place& place) const noexcept {
  for (; place.slab < slabs_.size(); ++place.slab, place.record = 0) {
    Slab& slab = *slabs_[place.slab];
    while (slab.span != nullptr && place.record < slab.count) {
      Record& record = slab.records()[place.record++];
      if (record.serial.load() != 0) return &record;
    }
  }
  return nullptr;
}

std::vector<MemoryInfo> BlockHeap::Largest(std::size_t count) const {
  std::lock_guard<std::mutex> lock(mutex_);
  std::vector<Record*> live = LiveRecords();
  count = std::min(count, live.size());
  const auto larger = [](const Record* a, const Record* b) { return a->size.load() > b->size.load(); };
  std::partial_sort(live.begin(), live.begin() + static_cast<std::ptrdiff_t>(count), live.end(), larger);
  std::vector<MemoryInfo> out;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back(InfoOf(*live[i]));
  return out;
}

}  // namespace foothold
