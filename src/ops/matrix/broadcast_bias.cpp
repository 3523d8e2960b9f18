// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/matrix/broadcast_bias.h"

namespace foothold {

bool BroadcastsTo(const Dims& from, const Dims& to) {
  if (from.size() > to.size()) return false;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const std::int64_t own = from[from.size() - 1 - i];
    if (own != 1 && own != to[to.size() - 1 - i]) return false;
  }
  return true;
}

bool IsColumnBias(const Dims& bias, const Dims& out) {
  return !bias.empty() && !out.empty() && bias.back() == out.back() && ElementCount(bias) == bias.back();
}

BroadcastBias::BroadcastBias(const Dims& bias, const Dims& out) {
  row_length_ = out.empty() ? 1 : static_cast<std::size_t>(out.back());
  const auto count = static_cast<std::size_t>(ElementCount(out));
  rows_ = row_length_ == 0 ? 0 : count / row_length_;
  step_ = !bias.empty() && bias.back() != 1 ? 1 : 0;
  std::size_t stride = bias.empty() ? 1 : static_cast<std::size_t>(bias.back());
  for (std::size_t i = 1; i < out.size(); ++i) {
    const std::int64_t own = i < bias.size() ? bias[bias.size() - 1 - i] : 1;
    extents_.push_back(out[out.size() - 1 - i]);
    strides_.push_back(own == 1 ? 0 : stride);
    stride *= static_cast<std::size_t>(own);
  }
}

std::size_t BroadcastBias::Offset(std::size_t row) const {
  std::size_t offset = 0;
  for (std::size_t i = 0; i < extents_.size(); ++i) {
    const auto extent = static_cast<std::size_t>(extents_[i]);
    offset += row % extent * strides_[i];
    row /= extent;
  }
  return offset;
}

}  // namespace foothold
