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

// A report of the checking mode is written, which takes its time in the middle of whatever was found.
bool IsReport(const Box& box) {
  return box.category == "mark" && box.name == "foothold check";
}

// Those that are left without the time of reports.
std::vector<Cut> WithoutReports(std::vector<Cut> busy, const Timeline& timeline) {
  for (const Row& row : timeline.rows)
    for (const Box& box : row.boxes) {
      if (!IsReport(box)) continue;
      std::vector<Cut> left;
      for (const Cut& one : busy) {
        if (box.end <= one.begin || box.begin >= one.end) {
          left.push_back(one);
          continue;
        }
        if (one.begin < box.begin) left.push_back({one.begin, box.begin});
        if (box.end < one.end) left.push_back({box.end, one.end});
      }
      busy.swap(left);
    }
  return busy;
}

// Stretches in which something happens on any row.
std::vector<Cut> BusyStretches(const Timeline& timeline) {
  std::vector<Cut> all, joined;
  for (const Row& row : timeline.rows)
    for (const Box& box : row.boxes)
      if (IsWork(box) && !IsReport(box)) all.push_back({box.begin, box.end});
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
  std::vector<Cut> busy = WithoutReports(BusyStretches(timeline), timeline);
  if (busy.empty()) busy = {{0, timeline.length}};
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
