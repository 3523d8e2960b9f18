// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/allocator_blocks.h"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <optional>

#include "base/per_process.h"
#include "check/call_finding.h"
#include "check/history.h"
#include "check/open_things.h"
#include "check/pool_blocks.h"
#include "check/reporter.h"

namespace foothold::check {
namespace {

constexpr std::uintptr_t kAlignment = 32;

struct Lent {
  std::uintptr_t begin = 0, end = 0;
  Site site;
};

struct LentBlocks {
  static LentBlocks& Get() { return PerProcess<LentBlocks>::Get(); }

  std::mutex mutex;  // guards both
  std::map<std::uintptr_t, Lent> by_begin;
  std::map<const void*, std::uintptr_t> by_block;
};

// A block that overlaps, of those that live; then this one is one of them.
std::optional<Lent> Add(const PoolBlock& block) {
  const auto begin = reinterpret_cast<std::uintptr_t>(block.address);
  const Lent added{begin, begin + block.bytes, SiteHere()};
  LentBlocks& blocks = LentBlocks::Get();
  const std::lock_guard<std::mutex> lock(blocks.mutex);
  std::optional<Lent> met;
  const auto next = blocks.by_begin.lower_bound(added.end);
  if (next != blocks.by_begin.begin())
    if (const Lent& before = std::prev(next)->second; before.end > begin) met = before;
  blocks.by_begin.insert_or_assign(begin, added);
  blocks.by_block.insert_or_assign(block.block, begin);
  return met;
}

// Where it was handed out: blocks go back whenever their last user lets go, often outside of all calls.
Site SiteOf(const void* block) {
  LentBlocks& blocks = LentBlocks::Get();
  const std::lock_guard<std::mutex> lock(blocks.mutex);
  const auto found = blocks.by_block.find(block);
  const auto lent =
      found == blocks.by_block.end() ? blocks.by_begin.end() : blocks.by_begin.find(found->second);
  return lent == blocks.by_begin.end() ? SiteHere() : lent->second.site;
}

void Report(const char* rule, const PoolBlock& block, std::string headline,
            const std::optional<Lent>& other = std::nullopt) {
  auto finding = FindingHere(rule, std::move(headline));
  if (!finding) return;
  if (other) finding->before = ActAt(other->site, "got the other block");
  if (const auto memory = FindBlockAt(block.address)) finding->objects.push_back(Describe(*memory));
  Reporter::Get().Report(std::move(*finding));
}

}  // namespace

// From here on it is also a block of a pool, without a word of the program, and something that has to end.
void LookAtBlock(const PoolBlock& block, const char* rule) noexcept try {
  const auto address = reinterpret_cast<std::uintptr_t>(block.address);
  if (address % kAlignment != 0)
    Report(rule != nullptr ? rule : "GE-ALLOC-002", block,
           fmt::format("an allocator gave a block at {}, which is no multiple of {}", block.address,
                       kAlignment));
  if (!block.device_memory)
    Report(rule != nullptr ? rule : "GE-ALLOC-003", block,
           fmt::format("an allocator gave {} bytes at {}, which are not all memory of the device",
                       block.bytes, block.address));
  const auto met = Add(block);
  if (met)
    Report(rule != nullptr ? rule : "GE-ALLOC-004", block,
           fmt::format("an allocator gave {} bytes at {}, which meet a block that lives", block.bytes,
                       block.address),
           met);
  else if (block.device_memory)
    BlockTaken(block.address, block.bytes, rule == nullptr ? "memory of a graph" : "memory of a run");
  if (rule == nullptr) Opened(Thing::kAllocatorBlock, reinterpret_cast<std::uintptr_t>(block.block));
} catch (...) {  // not watched
}

void BlockReturned(const void* block) noexcept try {
  Closed(Thing::kAllocatorBlock, reinterpret_cast<std::uintptr_t>(block));
  LentBlocks& blocks = LentBlocks::Get();
  const std::lock_guard<std::mutex> lock(blocks.mutex);
  const auto found = blocks.by_block.find(block);
  if (found == blocks.by_block.end()) return;
  BlockGiven(reinterpret_cast<const void*>(found->second));
  blocks.by_begin.erase(found->second);
  blocks.by_block.erase(found);
} catch (...) {
}

void LookAtLostBlock(const void* block) noexcept try {
  Closed(Thing::kAllocatorBlock, reinterpret_cast<std::uintptr_t>(block));
  auto finding =
      FindingAt("GE-ALLOC-005", SiteOf(block), fmt::format("the block {} was given back before", block));
  if (!finding) return;
  finding->now.does = "got the block";
  Reporter::Get().ReportLater(std::move(*finding));
} catch (...) {
}

void LookAtMovedBlock(const void* before, const void* now) noexcept try {
  if (auto finding =
          FindingHere("GE-ALLOC-010", fmt::format("the address of a block was {} and then {}", before, now)))
    Reporter::Get().Report(std::move(*finding));
} catch (...) {
}

}  // namespace foothold::check
