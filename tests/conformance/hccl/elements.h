// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Elements of every type of HCCL, from and to numbers that all of them can hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "conformance/hccl/ranks.h"

struct ElementType {
  HcclDataType type;
  const char* name;
  std::size_t size;
  bool reduces;
};

// All types there are.
const std::vector<ElementType>& ElementTypes();
const ElementType& TypeOf(HcclDataType type);

// Elements with these values, small whole numbers.
Bytes Encode(HcclDataType type, const std::vector<int>& values);

// What rank `rank` has at element `index`: from 1 to 5, or only 1 and 2 where they are multiplied.
int ValueOf(std::uint32_t rank, std::uint64_t index, HcclReduceOp operation = HCCL_REDUCE_SUM);
// The elements of a rank from `first` on, and those of all ranks combined: computed one by one as far as they
// differ, and repeated from there on.
Bytes Elements(const ElementType& type, std::uint32_t rank, std::uint64_t count,
               HcclReduceOp operation = HCCL_REDUCE_SUM, std::uint64_t first = 0);
Bytes Combined(const ElementType& type, std::uint32_t ranks, std::uint64_t count, HcclReduceOp operation,
               std::uint64_t first = 0);
