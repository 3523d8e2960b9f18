// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What one node of GroupedMatmul multiplies: read from its ports and attributes once, for its rules and its
// kernel. Any thread.
#pragma once

#include <cstddef>
#include <vector>

#include "ops/op.h"

namespace foothold {

// Numbers that belong to one group: `count` of them, from element `first` of an input on; -1: none.
struct GroupNumbers {
  int port = -1;
  std::size_t first = 0, count = 0;
};

struct GroupedProduct {
  int x = 0, y = 0;                 // ports
  std::size_t rows = 0, y_row = 0;  // of x, and where its rows begin in y; not known where a list tells it
  std::size_t depth = 0, columns = 0;
  int weight = 0;
  std::size_t matrix = 0;  // of the weight tensor
  GroupNumbers bias, scale, antiquant_scale, antiquant_offset;
};

enum class GroupActivation { kNone, kRelu, kTanhGelu, kSilu };

struct GroupedMatmulForm {
  std::vector<GroupedProduct> groups;
  bool listed = false;   // 'group_list' divides the rows of the one x among the groups
  std::size_t rows = 0;  // of x, if it is one tensor
  bool transposed = false;
  int tokens = -1;  // 'per_token_scale'
  GroupActivation activation = GroupActivation::kNone;
  DataType x_type, weight_type, y_type;
  std::vector<Dims> outputs;
};

// Refuses what does not fit, and forms that have no kernel.
GroupedMatmulForm GroupedMatmulFormOf(const OpContext& context);

}  // namespace foothold
