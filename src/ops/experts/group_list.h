// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Rows that lie in groups one after the other, as a list says that arrives with the run: one group for each
// expert of a mixture. Made while lowering; read by runs on any thread.
#pragma once

#include <cstddef>
#include <string>

#include "ops/op.h"

namespace foothold {

enum class GroupListKind {
  kEnds,    // where the rows of each group end
  kCounts,  // how many rows each group has
  kPairs,   // rows of two: which group comes next, and how many rows it has
};

struct RowGroup {
  std::size_t index, begin, rows;
};

class GroupList {
 public:
  // Groups of `rows` rows at most together. Refuses a list that is neither int32 nor int64, or no pairs.
  GroupList(const OpContext& context, int port, GroupListKind kind, std::size_t rows);

  // As the list has entries.
  std::size_t size() const { return count_; }

  // Calls body(group) for each entry in order, and returns how many rows they have. Throws kInvalidParam for
  // a group that has less than no rows, or rows that are not there, or that is not below `groups`.
  template <typename Body>
  std::size_t ForEach(const RunArgs& args, std::size_t groups, Body&& body) const {
    std::size_t begin = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      const RowGroup group = At(args, i, begin, groups);
      body(group);
      begin += group.rows;
    }
    return begin;
  }

 private:
  RowGroup At(const RunArgs& args, std::size_t i, std::size_t begin, std::size_t groups) const;
  std::int64_t Raw(const RunArgs& args, std::size_t i) const;

  int port_;
  GroupListKind kind_;
  bool wide_;
  std::size_t rows_, count_;
  std::string name_;
};

// From the number operators use: 0 ends, 1 counts, 2 pairs.
GroupListKind GroupListKindOf(const OpContext& context, const char* attribute);

}  // namespace foothold
