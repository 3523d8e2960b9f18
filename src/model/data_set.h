// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The inputs or the outputs of a run (aclmdlDataset): data buffers of the program in order, shapes it has
// said or was told, and the gear it chose. One thread at a time; a queued run does not use it any more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/data_buffer.h"
#include "base/tensor_desc.h"
#include "ir/tensor_type.h"

namespace foothold {

struct DataSet {
  struct Item {
    void* buffer = nullptr;  // handle; the program's
    void* desc = nullptr;    // handle; the data set's, null before somebody describes the tensor
  };
  struct Gear {
    std::uint32_t model = 0;
    std::size_t index = 0;
  };

  std::vector<Item> items;
  std::optional<Gear> gear;

  // Throws kInvalidParam if there is no such item.
  Item& At(std::size_t index);
  // The description of an item, made now or changed: its handle stays the same.
  void Describe(std::size_t index, TensorDesc desc);
  void DescribeAs(std::size_t index, const TensorType& type);
  // Ends the handles it has made.
  void Clear();
};

using DataSets = HostObjects<DataSet, HandleKind::kDataSet>;

}  // namespace foothold
