// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Choosing boxes greedily by score and dropping those that overlap a chosen one too much. Any thread.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace foothold {

struct SuppressionRules {
  std::size_t most = 0;  // boxes to choose
  float overlap = 0;     // of intersection and union; more than this drops a box
  float least_score = -std::numeric_limits<float>::infinity();  // only scores above this
  float sigma = 0;        // above 0: overlapping lowers the score instead, and `overlap` does not count
  bool centered = false;  // boxes are x, y of the centre, width, height; else two corners y, x
  float offset = 0;       // added to widths and heights
};

struct ChosenBox {
  std::size_t box;
  float score;
};

// `boxes` has 4 floats for each of `count` scores. Of equal scores the first box counts as higher.
std::vector<ChosenBox> ChooseBoxes(const float* boxes, const float* scores, std::size_t count,
                                   const SuppressionRules& rules);

}  // namespace foothold
