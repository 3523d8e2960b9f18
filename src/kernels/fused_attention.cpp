// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/fused_attention.h"

namespace foothold {
namespace {

constexpr std::size_t kFewLines = 16;  // half a panel costs as much as a whole one

bool ReadsKeysAsTheyAre(const AttentionShape& shape) {
  return shape.rows * (shape.heads / shape.kv_heads) <= kFewLines && shape.key.column == 1 &&
         shape.value.column == 1;
}

std::variant<FewLinesAttention, PanelAttention> WayFor(const FusedAttention& attention) {
  if (ReadsKeysAsTheyAre(attention.shape)) return FewLinesAttention(attention);
  return PanelAttention(attention);
}

}  // namespace

FusedAttentionPlan::FusedAttentionPlan(const FusedAttention& attention) : way_(WayFor(attention)) {}

std::size_t FusedAttentionPlan::WorkspaceBytes() const {
  return std::visit([](const auto& way) { return way.WorkspaceBytes(); }, way_);
}

void FusedAttentionPlan::Run(const SequenceSource& source, std::byte* workspace) const {
  std::visit([&](const auto& way) { way.Run(source, workspace); }, way_);
}

}  // namespace foothold
