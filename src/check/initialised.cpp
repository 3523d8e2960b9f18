// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/initialised.h"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/per_process.h"
#include "base/spin.h"
#include "check/byte_set.h"
#include "check/call_scope.h"
#include "check/check.h"
#include "check/pool_blocks.h"
#include "check/race_reports.h"
#include "check/reporter.h"

namespace foothold::check {
namespace {

struct Unwritten {
  const char* rule;
  Touch touch;
  std::uintptr_t first;
  std::size_t count;
};

class Written {
 public:
  static Written& Get() { return PerProcess<Written>::Get(); }

  void Make(const BlockRecord& block) {
    const std::lock_guard<SpinLock> lock(lock_);
    blocks_[block.serial] = {block.base, block.base + block.size, {}, false};
    recent_ = {};
    any_.store(true, std::memory_order_relaxed);
  }
  void End(std::uint64_t serial) {
    const std::lock_guard<SpinLock> lock(lock_);
    blocks_.erase(serial);
    recent_ = {};
  }
  void Mark(std::uintptr_t begin, std::uintptr_t end) {
    const std::lock_guard<SpinLock> lock(lock_);
    for (auto& [serial, block] : blocks_)
      if (begin < block.end && block.begin < end)
        Add(block, std::max(begin, block.begin), std::min(end, block.end));
  }
  void MarkAll() {
    const std::lock_guard<SpinLock> lock(lock_);
    blocks_.clear();
    recent_ = {};
  }
  bool any() const { return any_.load(std::memory_order_relaxed); }

  std::vector<Unwritten> Look(std::span<const Touch> touches, bool copies, bool quiet) {
    const std::lock_guard<SpinLock> lock(lock_);
    std::vector<Unwritten> found;
    if (copies) {
      Copy(touches, found);
    } else {
      for (const Touch& touch : touches)
        if (!touch.write && touch.exact && !touch.tells && !quiet) Use(touch, "ACL-MEM-008", true, found);
    }
    for (const Touch& touch : touches)
      if (touch.write && !copies) Write(touch);
    return found;
  }

  // Whether what was found is so still, and not what a task has written since. Told once: from then on it
  // counts as written.
  bool Confirm(const Unwritten& found) {
    const std::lock_guard<SpinLock> lock(lock_);
    Block* const block = Find(found.touch);
    if (block == nullptr || block->written.FirstGap(found.first, found.first + 1) != found.first)
      return false;
    Add(*block, found.touch.address, found.touch.end());
    return true;
  }

 private:
  struct Block {
    std::uintptr_t begin, end;
    ByteSet written;
    bool whole;  // all of it is written

    // Most tasks touch blocks that have long been written.
    std::uintptr_t FirstGap(const Touch& touch) const {
      return whole ? touch.end() : written.FirstGap(touch.address, touch.end());
    }
  };
  struct Recent {
    std::uint64_t serial = 0;
    Block* block = nullptr;
  };

  Block* FindBlock(std::uint64_t serial) {
    Recent& recent = recent_[serial % recent_.size()];
    if (recent.serial == serial) return recent.block;
    const auto found = blocks_.find(serial);
    recent = {serial, found == blocks_.end() ? nullptr : &found->second};
    return recent.block;
  }
  Block* Find(const Touch& touch) {
    Block* const block = FindBlock(touch.serial);
    const bool inside =
        block != nullptr && touch.bytes > 0 && touch.address >= block->begin && touch.end() <= block->end;
    return inside ? block : nullptr;
  }
  static void Add(Block& block, std::uintptr_t begin, std::uintptr_t end) {
    if (block.whole) return;
    block.written.Add(begin, end);
    block.whole = block.written.FirstGap(block.begin, block.end) == block.end;
  }
  void Write(const Touch& touch) {
    if (Block* const block = Find(touch)) Add(*block, touch.address, touch.end());
  }

  // `each`: one byte is enough, else all must be unwritten.
  void Use(const Touch& touch, const char* rule, bool each, std::vector<Unwritten>& found) {
    Block* const block = Find(touch);
    if (block == nullptr) return;
    const std::uintptr_t first = block->FirstGap(touch);
    if (first == touch.end() || (!each && block->written.HasAny(touch.address, touch.end()))) return;
    const std::size_t count = touch.bytes - block->written.Count(touch.address, touch.end());
    found.push_back({rule, touch, first, count});
  }

  // Sources and destinations of copies stand in the same order.
  void Copy(std::span<const Touch> touches, std::vector<Unwritten>& found) {
    if (touches.size() == 2 && !touches[0].write && touches[1].write)
      return CopyOne(&touches[0], touches[1], found);
    std::vector<const Touch*> reads, writes;
    for (const Touch& touch : touches)
      (touch.write ? writes : reads).push_back(&touch);
    for (std::size_t i = 0; i < writes.size(); ++i)
      CopyOne(i < reads.size() && reads.size() == writes.size() ? reads[i] : nullptr, *writes[i], found);
  }
  void CopyOne(const Touch* from, const Touch& to, std::vector<Unwritten>& found) {
    Block* const source = from == nullptr ? nullptr : Find(*from);
    if (source == nullptr || !from->exact || !to.exact || from->bytes != to.bytes) return Write(to);
    Block* const target = Find(to);
    if (target == nullptr) return Leave(*from, to, found);
    if (source->FirstGap(*from) == from->end()) return Write(to);
    const ByteSet before = source->written;
    target->written.Remove(to.address, to.end());
    target->whole = false;
    before.ForEach(from->address, from->end(), [&](std::uintptr_t begin, std::uintptr_t end) {
      target->written.Add(begin - from->address + to.address, end - from->address + to.address);
    });
  }
  // To memory that is not looked at: the host's, where somebody may look.
  void Leave(const Touch& from, const Touch& to, std::vector<Unwritten>& found) {
    if (!to.to_host) return;
    Use(from, "ACL-MEM-009", TheSettings().init_strict, found);
  }

  std::atomic<bool> any_{false};
  SpinLock lock_;  // guards the next two
  std::unordered_map<std::uint64_t, Block> blocks_;
  std::array<Recent, 16> recent_;  // what was asked for last, by serial; 0 is none's
};

Act ActOf(const Toucher& toucher, const std::string& does) {
  const CallScope* const call = CallScope::Current();
  Act act{.call = toucher.call, .arguments = {}, .does = does, .agent = {}, .site = {}};
  if (!toucher.stream) {
    if (call != nullptr) act.arguments = call->Arguments(), act.site = call->site();
    return act;
  }
  if (const DeedPtr deed = DeedOfTask(*toucher.stream, toucher.task)) {
    act.agent = deed->Where();
    act.task = deed->task;
    act.how = "queued by";
    act.site = deed->site;
  }
  return act;
}

// It is queued to be written: what is missing is a wait, and that is told by others.
bool IsOnItsWay(const Toucher& toucher, std::uint64_t serial) {
  const DeedPtr itself = toucher.stream ? DeedOfTask(*toucher.stream, toucher.task) : nullptr;
  return IsAwaited(serial, Awaited::kWrite, itself);
}

void Report(const Toucher& toucher, const Unwritten& found) {
  Finding finding;
  finding.rule = Wanted(found.rule);
  if (finding.rule == nullptr || IsOnItsWay(toucher, found.touch.serial) || !Written::Get().Confirm(found))
    return;
  const auto block = FindBlock(found.touch.serial);
  const std::uintptr_t base = block ? block->base : 0;
  finding.headline =
      fmt::format("{} {} {} bytes nobody has written, the first is byte {} of their block", toucher.call,
                  std::string_view(found.rule) == "ACL-MEM-008" ? "reads" : "copies to the host", found.count,
                  found.first - base);
  finding.now = ActOf(
      toucher, fmt::format("reads bytes {}-{}", found.touch.address - base, found.touch.end() - base - 1));
  if (block) finding.objects.push_back(Describe(*block));
  Reporter::Get().Report(std::move(finding));
}

}  // namespace

bool WatchesBytes() noexcept {
  const Written* const written = PerProcess<Written>::IfMade();
  return written != nullptr && written->any();
}

void BytesMade(const BlockRecord& block) noexcept try {
  if (block.kind != BlockKind::kDevice || !IsPrograms(block)) return;
  if (std::string_view(block.made.call).starts_with("acldvpp")) return;  // comes as zeros
  if (Wanted("ACL-MEM-008") != nullptr || Wanted("ACL-MEM-009") != nullptr) Written::Get().Make(block);
} catch (...) {  // no memory: counts as written
}

void BytesGone(std::uint64_t serial) noexcept try {
  if (WatchesBytes()) Written::Get().End(serial);
} catch (...) {
}

void MarkWritten(std::uintptr_t address, std::size_t bytes) noexcept try {
  if (WatchesBytes()) Written::Get().Mark(address, address + bytes);
} catch (...) {
}

void MarkAllWritten() noexcept try {
  if (WatchesBytes()) Written::Get().MarkAll();
} catch (...) {
}

void LookAtBytes(const Toucher& toucher, std::span<const Touch> touches) noexcept try {
  if (touches.empty() || !WatchesBytes()) return;
  const std::vector<Unwritten> all =
      Written::Get().Look(touches, toucher.sort == CallSort::kCopy, toucher.quiet);
  if (all.empty() || toucher.quiet || Ignoring()) return;
  for (const Unwritten& found : all)
    Report(toucher, found);
} catch (...) {
}

}  // namespace foothold::check
