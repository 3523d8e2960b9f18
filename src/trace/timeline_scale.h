// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Where moments of a timeline are drawn: in proportion, but stretches in which everybody waits are cut short.
#pragma once

#include <vector>

#include "trace/timeline.h"

namespace foothold::timeline {

class TimeScale {
 public:
  explicit TimeScale(const Timeline& timeline);

  struct Cut {
    double begin = 0, end = 0;  // microseconds; at the ends of the timeline nothing of it is drawn
  };
  const std::vector<Cut>& cuts() const { return cuts_; }

  // 0 at the left end, 1 at the right.
  double Place(double time) const;
  // The moment that is drawn there.
  double TimeAt(double place) const;

 private:
  struct Piece {
    double begin, end;  // microseconds
    double from, to;    // where they are drawn, not yet in proportion to the whole
  };
  void Add(double begin, double end, double width);

  std::vector<Cut> cuts_;
  std::vector<Piece> pieces_;
};

}  // namespace foothold::timeline
