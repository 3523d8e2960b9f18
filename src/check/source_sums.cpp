// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/source_sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/per_process.h"
#include "base/spin.h"
#include "check/check.h"
#include "check/history.h"
#include "check/race_reports.h"
#include "check/reporter.h"
#include "check/ring.h"
#include "check/schedule.h"

namespace foothold::check {
namespace {

constexpr std::size_t kMostPieces = 17, kLeastPiece = 256;  // one for what is left

// Of a large source a quarter is looked at, another one in the next copy: reading all of it two times takes
// longer than the copy. Who fills a buffer anew is found all the same.
constexpr std::size_t kLarge = std::size_t{64} << 10, kEvery = 4;

struct Source {
  std::uint32_t task = 0;
  Touch touch;
  const unsigned char* bytes = nullptr;
  ByteSum sum = nullptr;
  std::size_t piece = 0;
  std::uint64_t functions = 0;  // that had passed by then
  std::array<std::uint64_t, kMostPieces> sums;

  std::size_t pieces() const { return (touch.bytes + piece - 1) / piece; }
  std::uint64_t SumOf(std::size_t i) const {
    const std::size_t every = touch.bytes < kLarge ? 1 : kEvery;
    return sum(bytes + i * piece, std::min(piece, touch.bytes - i * piece), every, task % every);
  }
};

std::atomic<std::uint64_t> functions_passed{0};

// By stream, in the order they were queued, which is that in which they run.
class Sources {
 public:
  static Sources& Get() { return PerProcess<Sources>::Get(); }

  void Add(const void* stream, const Source& source) {
    const std::lock_guard<SpinLock> lock(lock_);
    sources_[stream].push_back(source);
    count_.fetch_add(1, std::memory_order_relaxed);
  }
  // The next of this task. Those of tasks before it are forgotten.
  std::optional<Source> Take(const void* stream, std::uint32_t task) {
    if (count_.load(std::memory_order_relaxed) == 0) return std::nullopt;
    const std::lock_guard<SpinLock> lock(lock_);
    const auto found = sources_.find(stream);
    if (found == sources_.end()) return std::nullopt;
    Ring<Source>& queue = found->second;
    while (!queue.empty() && static_cast<std::int32_t>(queue.front().task - task) < 0)
      Drop(queue);
    if (queue.empty() || queue.front().task != task) return std::nullopt;
    const Source source = queue.front();
    Drop(queue);
    return source;
  }
  // It is not looked at any more.
  void Forget(std::uintptr_t begin, std::uintptr_t end) {
    const std::lock_guard<SpinLock> lock(lock_);
    for (auto& [stream, queue] : sources_)
      for (Source& source : queue)
        if (source.touch.address < end && begin < source.touch.end()) source.functions = UINT64_MAX;
  }
  void End(const void* stream) {
    const std::lock_guard<SpinLock> lock(lock_);
    const auto found = sources_.find(stream);
    if (found == sources_.end()) return;
    count_.fetch_sub(found->second.size(), std::memory_order_relaxed);
    sources_.erase(found);
  }

 private:
  void Drop(Ring<Source>& queue) {
    queue.pop_front();
    count_.fetch_sub(1, std::memory_order_relaxed);
  }

  std::atomic<std::size_t> count_{0};
  SpinLock lock_;  // guards the next one
  std::unordered_map<const void*, Ring<Source>> sources_;
};

// The bytes that are not as they were: from the first changed piece to the last.
std::pair<std::size_t, std::size_t> ChangedPart(const Source& source) {
  std::size_t first = source.touch.bytes, last = 0;
  for (std::size_t i = 0; i < source.pieces(); ++i) {
    if (source.SumOf(i) == source.sums[i]) continue;
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

void SourceQueued(const StreamName& stream, std::uint32_t task, const Touch& touch, const void* bytes,
                  ByteSum sum) noexcept try {
  if (Wanted("ACL-RACE-004") == nullptr || touch.bytes == 0) return;
  const std::uint64_t functions = functions_passed.load();
  if (IsHostWriteAwaited(touch.serial)) return;
  Source source;
  source.task = task;
  source.touch = touch;
  source.bytes = static_cast<const unsigned char*>(bytes);
  source.sum = sum;
  source.piece = std::max(kLeastPiece, (touch.bytes / (kMostPieces - 1) + 63) / 64 * 64);
  source.functions = functions;
  for (std::size_t i = 0; i < source.pieces(); ++i)
    source.sums[i] = source.SumOf(i);
  Sources::Get().Add(stream.key, source);
} catch (...) {  // no memory: not looked at
}

void SourceRuns(const StreamName& stream, std::uint32_t task) noexcept try {
  while (const auto source = Sources::Get().Take(stream.key, task)) {
    if (source->functions != functions_passed.load()) continue;
    const auto [first, last] = ChangedPart(*source);
    if (last > 0) Report(stream, task, *source, first, last);
  }
} catch (...) {
}

void SourceDropped(const StreamName& stream, std::uint32_t task) noexcept try {
  while (Sources::Get().Take(stream.key, task))
    continue;
} catch (...) {
}

void SourcesEnd(const StreamName& stream) noexcept try { Sources::Get().End(stream.key); } catch (...) {
}

void FunctionPasses() noexcept {
  functions_passed.fetch_add(1);
}

void SourceTold(std::uintptr_t begin, std::uintptr_t end) noexcept try {
  Sources::Get().Forget(begin, end);
} catch (...) {
}

}  // namespace foothold::check
