// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Which meetings of a communicator are over for this rank, so that messages that come too late are not kept.
// Numbers come in order, but for a few: what is below a limit needs no memory. One thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <tuple>

#include "collectives/seating.h"

namespace foothold::collectives {

class FinishedLabels {
 public:
  void Add(const PartLabel& label) {
    Numbers& numbers = rows_[RowOf(label)];
    numbers.above.insert(NumberIn(label));
    while (numbers.above.erase(numbers.limit) > 0)
      ++numbers.limit;
  }
  bool Has(const PartLabel& label) const {
    const auto row = rows_.find(RowOf(label));
    if (row == rows_.end()) return false;
    const std::uint64_t number = NumberIn(label);
    return number < row->second.limit || row->second.above.contains(number);
  }
  void ForgetPart(std::uint64_t part) {
    std::erase_if(rows_, [part](const auto& row) { return std::get<0>(row.first) == part; });
  }

 private:
  // Ordinary calls of a pair or of all are one row; the runs of a captured one are one each.
  using Row = std::tuple<std::uint64_t, std::uint32_t, std::uint32_t, bool, std::uint64_t>;
  struct Numbers {
    std::uint64_t limit = 0;  // all below are over
    std::set<std::uint64_t> above;
  };
  static Row RowOf(const PartLabel& one) {
    const MeetingLabel& label = one.label;
    return {one.part, label.from, label.to, label.captured, label.captured ? label.number : 0};
  }
  static std::uint64_t NumberIn(const PartLabel& one) {
    return one.label.captured ? one.label.run : one.label.number;
  }

  std::map<Row, Numbers> rows_;
};

}  // namespace foothold::collectives
