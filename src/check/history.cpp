// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/history.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <deque>
#include <map>
#include <unordered_map>

#include "base/process_events.h"
#include "base/process_number.h"
#include "base/spin.h"
#include "check/advice.h"
#include "check/call_scope.h"
#include "check/growth.h"
#include "check/initialised.h"
#include "check/inside_calls.h"
#include "check/object_records.h"
#include "check/order.h"
#include "check/pool_blocks.h"
#include "check/thread_state.h"

namespace foothold::check {
namespace {

constexpr std::size_t kKept = 1 << 13;  // of those that have ended, of each sort: what caches hold

Site SiteOf(const ThreadState& thread) noexcept {
  return thread.call == nullptr ? Site{} : thread.call->site();
}

// Who ends something; the library does so too.
Site EndOf(const ThreadState& thread) noexcept {
  const Site site = SiteOf(thread);
  return site ? site : Site{"a thread of the library"};
}

// Records of blocks by serial; the oldest that have ended are forgotten.
class BlockRecords {
 public:
  BlockRecord* Find(std::uint64_t serial) {
    const auto found = records_.find(serial);
    return found == records_.end() ? nullptr : &found->second;
  }
  void Add(const BlockRecord& record) { records_.insert_or_assign(record.serial, record); }
  // Answers the one that is forgotten for it, if any.
  std::optional<BlockRecord> End(std::uint64_t serial) {
    ended_.push_back(serial);
    if (ended_.size() <= kKept) return std::nullopt;
    auto forgotten = records_.extract(ended_.front());
    ended_.pop_front();
    return forgotten ? std::optional<BlockRecord>(forgotten.mapped()) : std::nullopt;
  }
  template <typename Visit>
  void ForEach(Visit&& visit) const {
    for (const auto& [serial, record] : records_)
      visit(record);
  }

 private:
  std::unordered_map<std::uint64_t, BlockRecord> records_;
  std::deque<std::uint64_t> ended_;
};

struct History {
  static History& Get() {
    static History* const history = new History;
    return *history;
  }

  SpinLock lock;  // guards all below
  ObjectRecords objects{kKept};
  PlaceCounts counts;
  BlockRecords blocks;
  std::map<std::uintptr_t, std::uint64_t> by_base;  // of blocks, the latest there

  void EndBlock(std::uint64_t serial) {
    const auto forgotten = blocks.End(serial);
    const auto there = forgotten ? by_base.find(forgotten->base) : by_base.end();
    if (there != by_base.end() && there->second == forgotten->serial) by_base.erase(there);
  }
};

// Whether a block of another process was ever closed.
std::atomic<bool> import_closed{false};

// Held while the process forks, so that children get it whole.
void Hold() {
  History::Get().lock.lock();
}
void LetGo() {
  History::Get().lock.unlock();
}
const AtFork whole_in_children(ForkStage::kWatching, {Hold, LetGo, LetGo});

void ObjectMade(HandleKind kind, std::uint64_t handle) noexcept try {
  const Site site = SiteOf(thread_state);
  std::uint64_t grown_to = 0;
  {
    History& history = History::Get();
    const std::lock_guard<SpinLock> lock(history.lock);
    PlaceCount* const here = site ? &history.counts.Of(kind, site) : nullptr;
    history.objects.Add({handle, kind, site, {}, {}, Forks()}, here);
    if (here != nullptr) grown_to = CountMade(*here);
  }
  if (grown_to != 0) ReportGrowth(kind, site, grown_to);
} catch (...) {  // not remembered
}

void ObjectGone(HandleKind kind, std::uint64_t handle) noexcept try {
  const ThreadState& thread = thread_state;
  std::optional<ObjectRecord> taken_along;
  {
    History& history = History::Get();
    const std::lock_guard<SpinLock> lock(history.lock);
    ObjectRecord* const record = history.objects.FindLive(kind, handle);
    if (record == nullptr) return;
    record->destroyed = EndOf(thread);
    if (thread.teardown != nullptr) taken_along = *record;
    history.objects.End(*record);
  }
  if (taken_along)
    thread.teardown->objects.push_back(*taken_along);
  else
    LookAtEnd(handle, SiteOf(thread), thread);
} catch (...) {
}

constexpr ObjectWatcher kWatcher{&ObjectMade, &ObjectGone};

}  // namespace

const char* NameOf(BlockKind kind) noexcept {
  switch (kind) {
    case BlockKind::kDevice:
      return "device memory";
    case BlockKind::kPinned:
      return "pinned host memory";
    case BlockKind::kRegistered:
      return "registered host memory";
    case BlockKind::kImported:
      return "memory of another process";
    case BlockKind::kManaged:
      return "managed memory";
  }
  return "memory";
}

std::uint32_t Forks() noexcept {
  return static_cast<std::uint32_t>(ProcessNumber::Now());
}

void WatchObjects() noexcept {
  SetObjectWatcher(kWatcher);
}

void NoteUse(const void* handle, const Site& site, ThreadState& thread) noexcept {
  const std::uint64_t value = HandleValue(handle);
  auto& noted = thread.noted[((value ^ site.stack) * 0x9E3779B97F4A7C15u) >> (64 - ThreadState::kNotedBits)];
  for (const ThreadState::Noted& last : noted)
    if (last.pointer == handle && last.stack == site.stack) return;
  noted[1] = noted[0];
  noted[0] = {handle, site.stack};
  History& history = History::Get();
  const std::lock_guard<SpinLock> lock(history.lock);
  ObjectRecord* const record = history.objects.Find(value);
  if (record != nullptr && !record->destroyed) record->used = site;
}

void BlockMade(std::uint64_t serial, std::uintptr_t base, std::size_t size, BlockKind kind,
               int device) noexcept try {
  const BlockRecord block{serial, base, size, kind, device, SiteOf(thread_state), {}, {}, Forks()};
  History& history = History::Get();
  const std::lock_guard<SpinLock> lock(history.lock);
  history.blocks.Add(block);
  history.by_base[block.base] = block.serial;
  BytesMade(block);
} catch (...) {
}

void BlockGone(std::uint64_t serial) noexcept try {
  MemoryTaken(serial);
  const ThreadState& thread = thread_state;
  History& history = History::Get();
  BlockRecord gone;
  {
    const std::lock_guard<SpinLock> lock(history.lock);
    BlockRecord* const record = history.blocks.Find(serial);
    if (record == nullptr) return;
    record->freed = EndOf(thread);
    if (record->kind == BlockKind::kImported) import_closed.store(true, std::memory_order_relaxed);
    gone = *record;
    history.EndBlock(serial);
  }
  PoolGone(gone.base, gone.size);
  BytesGone(serial);
  if (thread.teardown != nullptr)
    thread.teardown->blocks.push_back(gone);
  else
    LookAtFree(gone.made, gone.size);
} catch (...) {
}

std::optional<ObjectRecord> FindObject(const void* handle) {
  History& history = History::Get();
  const std::lock_guard<SpinLock> lock(history.lock);
  const ObjectRecord* const record = history.objects.Find(HandleValue(handle));
  return record == nullptr ? std::nullopt : std::optional<ObjectRecord>(*record);
}

std::optional<ObjectRecord> FindDestroyed(std::span<const void* const> handles) {
  History& history = History::Get();
  const std::lock_guard<SpinLock> lock(history.lock);
  for (const void* const handle : handles) {
    const ObjectRecord* const record = history.objects.Find(HandleValue(handle));
    if (record != nullptr && record->destroyed) return *record;
  }
  return std::nullopt;
}

std::optional<BlockRecord> FindBlock(std::uint64_t serial) {
  History& history = History::Get();
  const std::lock_guard<SpinLock> lock(history.lock);
  const BlockRecord* const record = history.blocks.Find(serial);
  return record == nullptr ? std::nullopt : std::optional<BlockRecord>(*record);
}

std::optional<BlockRecord> FindBlockAt(const void* address) {
  const auto number = reinterpret_cast<std::uintptr_t>(address);
  History& history = History::Get();
  const std::lock_guard<SpinLock> lock(history.lock);
  std::optional<BlockRecord> best;
  // Blocks that have ended may lie inside of others.
  auto at = history.by_base.upper_bound(number);
  for (int steps = 0; steps < 64 && at != history.by_base.begin(); ++steps) {
    --at;
    const BlockRecord* const record = history.blocks.Find(at->second);
    if (record == nullptr || number - record->base > record->size) continue;
    if (!record->freed) return *record;
    if (!best || best->serial < record->serial) best = *record;
  }
  return best;
}

std::optional<BlockRecord> FindBlockNear(const void* address, std::size_t distance) {
  const auto number = reinterpret_cast<std::uintptr_t>(address);
  History& history = History::Get();
  const std::lock_guard<SpinLock> lock(history.lock);
  const auto live = [&](auto at) -> const BlockRecord* {
    const BlockRecord* const record = history.blocks.Find(at->second);
    return record == nullptr || record->freed ? nullptr : record;
  };
  const auto behind = history.by_base.upper_bound(number);
  if (behind != history.by_base.begin())
    if (const BlockRecord* const record = live(std::prev(behind)))
      if (number < record->base + record->size + distance) return *record;
  if (behind != history.by_base.end())
    if (const BlockRecord* const record = live(behind))
      if (number + distance >= record->base) return *record;
  return std::nullopt;
}

bool IsClosedImport(const void* address) noexcept try {
  if (!import_closed.load(std::memory_order_relaxed)) return false;
  const auto block = FindBlockAt(address);
  if (!block || !block->freed || block->kind != BlockKind::kImported) return false;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  unsigned char there = 0;
  void* const start = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(address) / page * page);
  return mincore(start, page, &there) != 0;  // no page of anybody is there
} catch (...) {
  return false;
}

std::vector<ObjectRecord> LiveObjects() {
  History& history = History::Get();
  std::vector<ObjectRecord> live;
  const std::lock_guard<SpinLock> lock(history.lock);
  history.objects.ForEachLive([&](const ObjectRecord& record) {
    if (record.forks == Forks()) live.push_back(record);
  });
  return live;
}

std::vector<BlockRecord> LiveBlocks() {
  History& history = History::Get();
  std::vector<BlockRecord> live;
  const std::lock_guard<SpinLock> lock(history.lock);
  history.blocks.ForEach([&](const BlockRecord& record) {
    if (!record.freed && record.forks == Forks()) live.push_back(record);
  });
  return live;
}

bool IsPrograms(const ObjectRecord& record) {
  if (!record.made) return false;
  const std::string_view call = record.made.call;
  if (record.kind == HandleKind::kContext) return call == "aclrtCreateContext";
  if (record.kind == HandleKind::kStream) return call.starts_with("aclrtCreateStream");
  if (record.kind == HandleKind::kPhysicalMemory) return call == "aclrtMallocPhysical";
  return record.kind == HandleKind::kExecutor || call.find("Create") != std::string_view::npos;
}

bool IsPrograms(const BlockRecord& record) {
  if (!record.made) return false;
  const std::string_view call = record.made.call;
  return call.starts_with("aclrtMalloc") || call == "aclrtMemAllocManaged" ||
         call.starts_with("aclrtHostRegister") || call == "aclrtIpcMemImportByKey" ||
         call.starts_with("acldvppMalloc");
}

Object Describe(const ObjectRecord& record) {
  const std::string name = HandleKindName(record.kind);
  Object object;
  object.label = name.size() <= 7 ? name : "object";
  object.text = fmt::format("{} {:#x}", name, record.handle);
  if (record.made) object.history.emplace_back("made by", record.made);
  if (record.used && record.used.stack != record.destroyed.stack)
    object.history.emplace_back("used by", record.used);
  if (record.destroyed) object.history.emplace_back("destroyed by", record.destroyed);
  return object;
}

Object Describe(const BlockRecord& record) {
  Object object;
  object.label = "memory";
  object.text = fmt::format("{} bytes of {}{} at {:#x}, allocation {}", record.size, NameOf(record.kind),
                            record.device < 0 ? "" : fmt::format(" of device {}", record.device), record.base,
                            record.serial);
  if (record.made) object.history.emplace_back("made by", record.made);
  if (record.freed) object.history.emplace_back("freed by", record.freed);
  return object;
}

Teardown::Teardown() noexcept : outer_(thread_state.teardown) {
  thread_state.teardown = this;
}

Teardown::~Teardown() {
  thread_state.teardown = outer_;
}

}  // namespace foothold::check
