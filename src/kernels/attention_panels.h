// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Panels of attention: as many lines of queries side by side as a right operand of gemm.h is wide, so that
// the scores of a panel, a row for each key, are such an operand for the product with the values as they are.
// For fused_attention.h; any thread.
#pragma once

#include <cstddef>

namespace foothold {

// A number for each line of a panel, TileOfGemm().columns of them.
struct PanelState {
  float* most;
  float* sum;
  float* factor;  // for what was summed up before
};

// scores = exp(scores + shift - most) for `keys` rows; shift, laid out alike, may be null. Returns whether a
// factor is not 1. Scores of minus infinity become 0, even if there are no others.
bool SoftenPanel(float* scores, const float* shift, std::size_t keys, const PanelState& state);

// Every row of a panel times the factors; and divided by the sums, or zero where the sum is.
void ScalePanel(float* panel, std::size_t rows, const float* factors);
void DividePanel(float* panel, std::size_t rows, const float* sums);

}  // namespace foothold
