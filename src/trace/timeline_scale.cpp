// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "trace/timeline_scale.h"

#include <algorithm>

namespace foothold::timeline {
namespace {

constexpr double kLongGap = 0.1, kCutWidth = 0.02;  // of the time in which something happens

using Cut = TimeScale::Cut;

// The call that ends the library also writes the timeline: that is no work of the program.
bool IsWork(const Box& box) {
  return !box.Waits() && box.name != "aclFinalize";
}

// Stretches in which something happens on any row.
std::vector<Cut> BusyStretches(const Timeline& timeline) {
  std::vector<Cut> all, joined;
  for (const Row& row : timeline.rows)
    for (const Box& box : row.boxes)
      if (IsWork(box)) all.push_back({box.begin, box.end});
  if (all.empty()) return {{0, timeline.length}};
  std::sort(all.begin(), all.end(), [](const Cut& a, const Cut& b) { return a.begin < b.begin; });
  for (const Cut& one : all) {
    if (joined.empty() || one.begin > joined.back().end) {
      joined.push_back(one);
    } else {
      joined.back().end = std::max(joined.back().end, one.end);
    }
  }
  return joined;
}

}  // namespace

TimeScale::TimeScale(const Timeline& timeline) {
  const std::vector<Cut> busy = BusyStretches(timeline);
  double total = 1e-3;
  for (const Cut& one : busy)
    total += one.end - one.begin;
  double now = busy.front().begin;
  for (std::size_t i = 0; i < busy.size(); ++i) {
    const bool last = i + 1 == busy.size();
    const double next = last ? busy[i].end : busy[i + 1].begin;
    const bool cut = !last && next - busy[i].end > kLongGap * total;
    Add(now, cut ? busy[i].end : next, (cut ? busy[i].end : next) - now);
    if (cut) {
      cuts_.push_back({busy[i].end, next});
      Add(busy[i].end, next, kCutWidth * total);
    }
    now = next;
  }
}

void TimeScale::Add(double begin, double end, double width) {
  const double from = pieces_.empty() ? 0 : pieces_.back().to;
  pieces_.push_back({begin, end, from, from + std::max(width, 1e-6)});
}

double TimeScale::Place(double time) const {
  const double whole = pieces_.back().to;
  for (const Piece& piece : pieces_) {
    if (time > piece.end) continue;
    const double part = std::max(time - piece.begin, 0.0) / std::max(piece.end - piece.begin, 1e-9);
    return (piece.from + std::min(part, 1.0) * (piece.to - piece.from)) / whole;
  }
  return 1;
}

double TimeScale::TimeAt(double place) const {
  const double wanted = place * pieces_.back().to;
  for (const Piece& piece : pieces_)
    if (wanted <= piece.to)
      return piece.begin + (wanted - piece.from) / (piece.to - piece.from) * (piece.end - piece.begin);
  return pieces_.back().end;
}

}  // namespace foothold::timeline
