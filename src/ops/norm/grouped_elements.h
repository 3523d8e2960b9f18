// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A tensor as groups of elements that are normalised or reduced together: those along any set of axes. Made
// while lowering, used by runs on any thread.
#pragma once

#include <vector>

#include "kernels/normalize.h"
#include "kernels/softmax.h"
#include "ops/op.h"

namespace foothold {

// The axes a list attribute of a node names, by dimension of input 0; all if it names none.
std::vector<bool> AxesOrAll(const OpContext& context, const char* attribute,
                            std::vector<std::int64_t> otherwise = {});

class GroupedElements {
 public:
  // `axes` by dimension: true for those that vary within a group. No groups if there are no elements.
  GroupedElements(const Dims& dims, const std::vector<bool>& axes);

  std::size_t groups() const { return where_.groups.size(); }
  std::size_t length() const { return where_.elements.size(); }
  std::size_t First(std::size_t group) const { return where_.groups[group]; }
  const std::vector<std::size_t>& offsets() const { return where_.elements; }  // from the first
  // The elements of a group lie side by side.
  bool contiguous() const { return contiguous_; }

  Moments MomentsOf(const float* x, std::size_t group) const;

  // Calls body(group) for all, several at a time.
  template <typename Body>
  void ForEach(Body&& body) const {
    ParallelFor(groups(), 1 + 8192 / (1 + length()), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        body(i);
    });
  }

 private:
  ElementGroups where_;
  bool contiguous_;
};

}  // namespace foothold
