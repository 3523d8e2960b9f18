// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>

#include "api/ge/graph_guard.h"
#include "graph/operator_reg.h"

namespace foothold {
namespace {

constexpr std::int64_t kUnknownExtent = -1;
constexpr std::int64_t kUnknownRank = -2;

bool HasUnknownRank(const std::vector<std::int64_t>& dims) {
  return dims.size() == 1 && dims[0] == kUnknownRank;
}

// An unknown extent may turn out to be 1, so a known one above 1 decides.
std::int64_t Broadcast(std::int64_t first, std::int64_t second) {
  if (first == second || second == 1) return first;
  if (first == 1) return second;
  if (first == kUnknownExtent) return second;
  if (second == kUnknownExtent) return first;
  Fail(kInvalidParam, "extents {} and {} cannot be broadcast", first, second);
}

std::vector<std::int64_t> Broadcast(std::vector<std::int64_t> longer, std::vector<std::int64_t> shorter) {
  if (HasUnknownRank(longer) || HasUnknownRank(shorter)) return {kUnknownRank};
  if (longer.size() < shorter.size()) longer.swap(shorter);
  const std::size_t offset = longer.size() - shorter.size();
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    longer[offset + i] = Broadcast(longer[offset + i], shorter[i]);
  }
  return longer;
}

}  // namespace
}  // namespace foothold

namespace ge {

graphStatus BroadCastInfer(const std::function<std::vector<int64_t>()>& get_in1_shape,
                           const std::function<std::vector<int64_t>()>& get_in2_shape,
                           const std::function<void(const std::vector<int64_t>& y_shape)>& set_out_shape) {
  return foothold::GuardGraph("BroadCastInfer",
                              [&] { set_out_shape(foothold::Broadcast(get_in1_shape(), get_in2_shape())); });
}

}  // namespace ge
