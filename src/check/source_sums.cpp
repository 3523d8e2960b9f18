// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/source_sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "base/schedule.h"
#include "check/check.h"
#include "check/history.h"
#include "check/order.h"
#include "check/pool_blocks.h"
#include "check/race_reports.h"
#include "check/reporter.h"

namespace foothold::check {
namespace {

constexpr std::size_t kLeastPiece = 256;

// Of a large source a quarter is looked at, another one in the next copies: reading all of it two times takes
// longer than the copy. Who fills a buffer anew is found all the same.
constexpr std::size_t kLarge = std::size_t{64} << 10, kEvery = 4;

std::atomic<std::uint64_t> functions_passed{0};

using Sums = std::array<std::uint32_t, SourceSums::kPieces>;

std::size_t PieceOf(const SourceSums& source) {
  const std::size_t least = (source.bytes + SourceSums::kPieces - 1) / SourceSums::kPieces;
  return std::max(kLeastPiece, (least + 63) / 64 * 64);
}

void Take(const SourceSums& source, std::uint32_t task, Sums& sums) {
  if (source.bytes < kLarge)
    return source.sums_of(source.kernel, source.bytes, PieceOf(source), 1, 0, sums.data());
  const std::uint32_t phase = task * 0x9E3779B1u >> 30;  // also where every fourth task is a copy
  source.sums_of(source.kernel, source.bytes, PieceOf(source), kEvery, phase, sums.data());
}

// The bytes that are not as they were: from the first changed piece to the last.
std::pair<std::size_t, std::size_t> ChangedPart(const SourceSums& source, std::uint32_t task) {
  const std::size_t piece = PieceOf(source), pieces = (source.bytes + piece - 1) / piece;
  Sums now;
  Take(source, task, now);
  std::size_t first = source.bytes, last = 0;
  for (std::size_t i = 0; i < pieces; ++i) {
    if (now[i] == source.sums[i]) continue;
    first = std::min(first, i * piece);
    last = std::min((i + 1) * piece, source.bytes);
  }
  return {first, last};
}

Touch TouchOf(const SourceSums& source) {
  return {.address = source.address, .bytes = source.bytes, .serial = source.serial, .to_host = true};
}

void Report(const StreamName& stream, std::uint32_t task, const SourceSums& source, std::size_t first,
            std::size_t last) {
  Finding finding;
  finding.rule = Wanted("ACL-RACE-004");
  const DeedPtr deed = DeedOfTask(stream, task);
  if (finding.rule == nullptr || !deed) return;
  const auto block = FindBlock(source.serial);
  const std::size_t offset = source.address - (block ? block->base : source.address);
  finding.headline = fmt::format("bytes {}-{} of the source of a queued copy were changed before it ran",
                                 offset + first, offset + last - 1);
  finding.now = ActOfAccess({deed, TouchOf(source)});
  if (block) finding.objects.push_back(Describe(*block));
  finding.key = {{"hazard", "WAR"}};
  if (const char* const by = schedule::Name()) finding.key.emplace_back("schedule", by);
  Reporter::Get().Report(std::move(finding));
}

// Settings do not change once they count.
bool IsAskedFor() {
  static const bool asked = Wanted("ACL-RACE-004") != nullptr;
  return asked;
}

}  // namespace

void SumSource(std::uint32_t task, const Touch& touch, const void* kernel, ByteSums sums_of,
               std::vector<SourceSums>& sources) noexcept try {
  if (!IsAskedFor() || Ignoring() || touch.bytes == 0) return;
  const std::uint64_t functions = functions_passed.load();
  if (IsHostWriteAwaited(touch.serial)) return;
  SourceSums& source = sources.emplace_back();
  source.address = touch.address;
  source.bytes = touch.bytes;
  source.serial = touch.serial;
  source.kernel = kernel;
  source.sums_of = sums_of;
  source.functions = functions;
  Take(source, task, source.sums);
} catch (...) {  // no memory: not looked at
}

void SourcesRun(const StreamName& stream, std::uint32_t task, std::span<const SourceSums> sources) noexcept
    try {
  for (const SourceSums& source : sources) {
    if (source.functions != functions_passed.load()) continue;
    const auto [first, last] = ChangedPart(source, task);
    if (last > 0) Report(stream, task, source, first, last);
  }
} catch (...) {
}

void FunctionPasses() noexcept {
  functions_passed.fetch_add(1);
}

void ForgetSources(std::span<SourceSums> sources, std::uintptr_t begin, std::uintptr_t end) noexcept {
  for (SourceSums& source : sources)
    if (source.address < end && begin < source.address + source.bytes) source.functions = UINT64_MAX;
}

}  // namespace foothold::check
