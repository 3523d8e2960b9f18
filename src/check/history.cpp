// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/history.h"

#include <fmt/format.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <unordered_map>

#include "base/per_process.h"
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

std::atomic<std::uint32_t> forks{0};
[[maybe_unused]] const int fork_handler = pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1); });

constinit thread_local Teardown* teardown = nullptr;

Site SiteOfThread() noexcept {
  const CallScope* const call = CallScope::Current();
  return call == nullptr ? Site{} : call->site();
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
  static std::mutex& Mutex() { return Get().mutex; }

  std::mutex mutex;  // guards all below
  ObjectRecords objects{kKept};
  BlockRecords blocks;
  std::map<std::uintptr_t, std::uint64_t> by_base;  // of blocks, the latest there

  void EndBlock(std::uint64_t serial) {
    const auto forgotten = blocks.End(serial);
    const auto there = forgotten ? by_base.find(forgotten->base) : by_base.end();
    if (there != by_base.end() && there->second == forgotten->serial) by_base.erase(there);
  }
};
[[maybe_unused]] const HeldDuringFork<&History::Mutex> whole_in_children;

void ObjectMade(HandleKind kind, std::uint64_t handle) noexcept try {
  const Site site = SiteOfThread();
  History& history = History::Get();
  {
    const std::lock_guard<std::mutex> lock(history.mutex);
    history.objects.Add({handle, kind, site, {}, {}, forks.load()});
  }
  CountMade(kind, site);
} catch (...) {  // not remembered
}

void ObjectGone(HandleKind kind, std::uint64_t handle) noexcept try {
  History& history = History::Get();
  ObjectRecord gone;
  {
    const std::lock_guard<std::mutex> lock(history.mutex);
    ObjectRecord* const record = history.objects.FindLive(kind, handle);
    if (record == nullptr) return;
    record->destroyed = SiteOfThread();
    if (!record->destroyed) record->destroyed.call = "a thread of the library";
    gone = *record;
    history.objects.End(*record);
  }
  CountGone(kind, gone.made);
  if (teardown != nullptr)
    teardown->objects.push_back(gone);
  else
    LookAtEnd(handle);
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
  return forks.load();
}

void WatchObjects() noexcept {
  SetObjectWatcher(kWatcher);
}

void NoteUse(const void* pointer) noexcept {
  ThreadState& thread = thread_state;
  const StackId stack = thread.call == nullptr ? 0 : thread.call->site().stack;
  auto& last = thread.noted[(HandleValue(pointer) ^ stack) % std::size(thread.noted)];
  if (last.pointer == pointer && last.stack == stack) return;
  last = {pointer, stack};
  History& history = History::Get();
  const std::lock_guard<std::mutex> lock(history.mutex);
  ObjectRecord* const record = history.objects.Find(HandleValue(pointer));
  if (record != nullptr && !record->destroyed) record->used = SiteOfThread();
}

void BlockMade(std::uint64_t serial, std::uintptr_t base, std::size_t size, BlockKind kind,
               int device) noexcept try {
  const BlockRecord block{serial, base, size, kind, device, SiteOfThread(), {}, {}, forks.load()};
  History& history = History::Get();
  const std::lock_guard<std::mutex> lock(history.mutex);
  history.blocks.Add(block);
  history.by_base[block.base] = block.serial;
  BytesMade(block);
} catch (...) {
}

void BlockGone(std::uint64_t serial) noexcept try {
  MemoryTaken(serial);
  History& history = History::Get();
  BlockRecord gone;
  {
    const std::lock_guard<std::mutex> lock(history.mutex);
    BlockRecord* const record = history.blocks.Find(serial);
    if (record == nullptr) return;
    record->freed = SiteOfThread();
    if (!record->freed) record->freed.call = "a thread of the library";
    gone = *record;
    history.EndBlock(serial);
  }
  PoolGone(gone.base, gone.size);
  BytesGone(serial);
  if (teardown != nullptr)
    teardown->blocks.push_back(gone);
  else
    LookAtFree(gone.made, gone.size);
} catch (...) {
}

std::optional<ObjectRecord> FindObject(const void* handle) {
  History& history = History::Get();
  const std::lock_guard<std::mutex> lock(history.mutex);
  const ObjectRecord* const record = history.objects.Find(HandleValue(handle));
  return record == nullptr ? std::nullopt : std::optional<ObjectRecord>(*record);
}

std::optional<BlockRecord> FindBlock(std::uint64_t serial) {
  History& history = History::Get();
  const std::lock_guard<std::mutex> lock(history.mutex);
  const BlockRecord* const record = history.blocks.Find(serial);
  return record == nullptr ? std::nullopt : std::optional<BlockRecord>(*record);
}

std::optional<BlockRecord> FindBlockAt(const void* address) {
  const auto number = reinterpret_cast<std::uintptr_t>(address);
  History& history = History::Get();
  const std::lock_guard<std::mutex> lock(history.mutex);
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
  const std::lock_guard<std::mutex> lock(history.mutex);
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
  const std::lock_guard<std::mutex> lock(history.mutex);
  history.objects.ForEachLive([&](const ObjectRecord& record) {
    if (record.forks == forks.load()) live.push_back(record);
  });
  return live;
}

std::vector<BlockRecord> LiveBlocks() {
  History& history = History::Get();
  std::vector<BlockRecord> live;
  const std::lock_guard<std::mutex> lock(history.mutex);
  history.blocks.ForEach([&](const BlockRecord& record) {
    if (!record.freed && record.forks == forks.load()) live.push_back(record);
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

Teardown::Teardown() noexcept : outer_(teardown) {
  teardown = this;
}

Teardown::~Teardown() {
  teardown = outer_;
}

}  // namespace foothold::check
