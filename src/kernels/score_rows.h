// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A row of attention scores becomes probabilities, where it stands. For head_attention.h; any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foothold {

struct ScoreRule {
  float scale = 1.0f;
  const float* shift = nullptr;        // by column
  const std::uint8_t* mask = nullptr;  // by column; not 0: the score is `hidden`
  float hidden = 0.0f;
};

// softmax(scale * scores + shift). A row of nothing but minus infinity becomes NaN, as in any softmax.
void SoftmaxScores(const ScoreRule& rule, float* scores, std::size_t count);

}  // namespace foothold
