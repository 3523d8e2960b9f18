// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/source_sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "base/per_process.h"
#include "check/check.h"
#include "check/history.h"
#include "check/race_reports.h"
#include "check/reporter.h"
#include "check/schedule.h"

namespace foothold::check {
namespace {

constexpr std::size_t kMostPieces = 64, kLeastPiece = 64;

// Eight lanes, so that multiplications need not wait for one another.
std::uint64_t SumOf(const unsigned char* at, std::size_t bytes) {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15u;
  constexpr int kLanes = 8;
  std::uint64_t lanes[kLanes] = {1, 2, 3, 4, 5, 6, 7, 8};
  std::uint64_t words[kLanes];
  for (; bytes >= sizeof words; at += sizeof words, bytes -= sizeof words) {
    std::memcpy(words, at, sizeof words);
    for (int i = 0; i < kLanes; ++i)
      lanes[i] = (lanes[i] ^ words[i]) * kFactor + (lanes[i] >> 47);
  }
  for (std::size_t i = 0; i < bytes; ++i)
    lanes[i % kLanes] = (lanes[i % kLanes] ^ at[i]) * kFactor;
  std::uint64_t sum = 0;
  for (const std::uint64_t lane : lanes)
    sum = sum * 3 ^ lane;
  return sum;
}

struct Source {
  Touch touch;
  const unsigned char* bytes;
  std::size_t piece;
  std::uint64_t functions;  // that had passed by then
  std::vector<std::uint64_t> sums;
};

std::atomic<std::uint64_t> functions_passed{0};

std::vector<std::uint64_t> SumsOf(const Source& source) {
  std::vector<std::uint64_t> sums;
  sums.reserve(kMostPieces);
  for (std::size_t at = 0; at < source.touch.bytes; at += source.piece)
    sums.push_back(SumOf(source.bytes + at, std::min(source.piece, source.touch.bytes - at)));
  return sums;
}

using Key = std::pair<const void*, std::uint32_t>;

class Sources {
 public:
  static Sources& Get() { return PerProcess<Sources>::Get(); }

  void Add(const Key& key, Source source) {
    const std::lock_guard<std::mutex> lock(mutex_);
    sources_[key].push_back(std::move(source));
    count_.store(sources_.size(), std::memory_order_relaxed);
  }
  std::vector<Source> Take(const Key& key) {
    if (count_.load(std::memory_order_relaxed) == 0) return {};
    const std::lock_guard<std::mutex> lock(mutex_);
    auto node = sources_.extract(key);
    count_.store(sources_.size(), std::memory_order_relaxed);
    return node ? std::move(node.mapped()) : std::vector<Source>();
  }
  void Forget(std::uintptr_t begin, std::uintptr_t end) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (auto& [key, list] : sources_)
      std::erase_if(list, [&](const Source& source) {
        return source.touch.address < end && begin < source.touch.end();
      });
  }

 private:
  std::atomic<std::size_t> count_{0};
  std::mutex mutex_;  // guards the next one
  std::map<Key, std::vector<Source>> sources_;
};

// The bytes that are not as they were: from the first changed piece to the last.
std::pair<std::size_t, std::size_t> ChangedPart(const Source& source) {
  const std::vector<std::uint64_t> now = SumsOf(source);
  std::size_t first = source.touch.bytes, last = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (now[i] == source.sums[i]) continue;
    first = std::min(first, i * source.piece);
    last = std::min((i + 1) * source.piece, source.touch.bytes);
  }
  return {first, last};
}

void Report(const StreamName& stream, std::uint32_t task, const Source& source, std::size_t first,
            std::size_t last) {
  Finding finding;
  finding.rule = Wanted("ACL-RACE-004");
  const DeedPtr deed = DeedOfTask(stream, task);
  if (finding.rule == nullptr || !deed) return;
  const auto block = FindBlock(source.touch.serial);
  const std::size_t offset = source.touch.address - (block ? block->base : source.touch.address);
  finding.headline = fmt::format("bytes {}-{} of the source of a queued copy were changed before it ran",
                                 offset + first, offset + last - 1);
  finding.now = ActOfAccess({deed, source.touch});
  if (block) finding.objects.push_back(Describe(*block));
  finding.key = {{"hazard", "WAR"}};
  if (const char* const schedule = ScheduleName()) finding.key.emplace_back("schedule", schedule);
  Reporter::Get().Report(std::move(finding));
}

}  // namespace

void SourceQueued(const StreamName& stream, std::uint32_t task, const Touch& touch,
                  const void* bytes) noexcept try {
  if (Wanted("ACL-RACE-004") == nullptr || touch.bytes == 0) return;
  const std::uint64_t functions = functions_passed.load();
  if (IsAwaited(touch.serial, Awaited::kWrite)) return;
  const std::size_t piece = std::max(kLeastPiece, (touch.bytes / kMostPieces + 63) / 64 * 64);
  Source source{touch, static_cast<const unsigned char*>(bytes), piece, functions, {}};
  source.sums = SumsOf(source);
  Sources::Get().Add({stream.key, task}, std::move(source));
} catch (...) {  // no memory: not looked at
}

void SourceRuns(const StreamName& stream, std::uint32_t task) noexcept try {
  for (const Source& source : Sources::Get().Take({stream.key, task})) {
    if (source.functions != functions_passed.load()) continue;
    const auto [first, last] = ChangedPart(source);
    if (last > 0) Report(stream, task, source, first, last);
  }
} catch (...) {
}

void SourceDropped(const StreamName& stream, std::uint32_t task) noexcept try {
  Sources::Get().Take({stream.key, task});
} catch (...) {
}

void FunctionPasses() noexcept {
  functions_passed.fetch_add(1);
}

void SourceTold(std::uintptr_t begin, std::uintptr_t end) noexcept try {
  Sources::Get().Forget(begin, end);
} catch (...) {
}

}  // namespace foothold::check
