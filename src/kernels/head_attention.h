// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Attention of floats head by head: the keys and values of a head are packed once, and the scores of some
// rows at a time stay in the second cache from their product to the product with the values. Any thread; a
// plan is constant after its construction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "kernels/attention.h"
#include "kernels/gemm_pack.h"

namespace foothold {

// Null: no shift, no mask.
struct AttentionData {
  const float* query = nullptr;
  const float* key = nullptr;
  const float* value = nullptr;
  const float* shift = nullptr;
  const std::uint8_t* mask = nullptr;
  float* out = nullptr;
};

class HeadAttentionPlan {
 public:
  // softmax(scale * q k + shift) v, where `hidden` stands for the scores that the mask hides. The shape has
  // as many heads of keys as of queries and no band; columns of shift and mask are dense.
  explicit HeadAttentionPlan(const AttentionShape& shape,
                             float hidden = -std::numeric_limits<float>::infinity());

  std::size_t WorkspaceBytes() const { return slots_ * ScratchFloats() * sizeof(float); }
  void Run(const AttentionData& data, std::byte* workspace) const;

 private:
  struct Scratch {
    float *keys, *values, *left, *scores;
  };
  Scratch CutScratch(float* memory) const;
  std::size_t ScratchFloats() const { return scores_at_ + RoundUp(row_step_ * shape_.columns, 16); }
  AttentionData HeadOf(const AttentionData& data, std::size_t item) const;
  void RunHead(const AttentionData& head, const Scratch& scratch) const;
  void RunRows(const AttentionData& head, std::size_t row, std::size_t rows, const Scratch& scratch) const;
  void RunSingleRow(const AttentionData& head, std::size_t row, float* scores) const;
  void FinishScores(const AttentionData& head, std::size_t row, float* scores) const;

  AttentionShape shape_;
  float hidden_;
  bool packs_ = true;  // few rows read keys and values as they are
  std::size_t row_step_ = 1, slots_ = 1;
  std::size_t values_at_ = 0, left_at_ = 0, scores_at_ = 0;  // in the scratch of a slot
};

}  // namespace foothold
