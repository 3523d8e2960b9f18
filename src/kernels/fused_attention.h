// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Attention without a matrix of all scores: keys come in pieces, and the softmax goes on from piece to piece.
// Elements are read in their own type where they lie, sums are float. Any thread; a plan is constant after
// its construction.
#pragma once

#include <cstddef>
#include <variant>

#include "kernels/few_lines_attention.h"
#include "kernels/panel_attention.h"

namespace foothold {

class FusedAttentionPlan {
 public:
  explicit FusedAttentionPlan(const FusedAttention& attention);

  std::size_t WorkspaceBytes() const;
  void Run(const SequenceSource& source, std::byte* workspace) const;

 private:
  std::variant<FewLinesAttention, PanelAttention> way_;
};

}  // namespace foothold
