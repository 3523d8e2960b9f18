// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A shape as the program sees it and as it lies in memory.
#ifndef FOOTHOLD_EXE_GRAPH_RUNTIME_STORAGE_SHAPE_H_
#define FOOTHOLD_EXE_GRAPH_RUNTIME_STORAGE_SHAPE_H_

#include <stdint.h>

#include <initializer_list>

#include "exe_graph/runtime/shape.h"

namespace gert {

struct StorageShape {
 public:
  StorageShape() : reserved_{} {}
  StorageShape(const std::initializer_list<int64_t>& origin_shape,
               const std::initializer_list<int64_t>& storage_shape)
      : origin_shape_(origin_shape), storage_shape_(storage_shape), reserved_{} {}

  const Shape& GetOriginShape() const { return origin_shape_; }
  const Shape& GetStorageShape() const { return storage_shape_; }
  Shape& MutableOriginShape() { return origin_shape_; }
  Shape& MutableStorageShape() { return storage_shape_; }
  const Shape& GetShape() const { return storage_shape_; }
  Shape& MutableShape() { return storage_shape_; }

  bool operator==(const StorageShape& other) const {
    return origin_shape_ == other.origin_shape_ && storage_shape_ == other.storage_shape_;
  }
  bool operator!=(const StorageShape& other) const { return !(*this == other); }

 private:
  Shape origin_shape_;
  Shape storage_shape_;
  __attribute__((unused)) uint8_t reserved_[40];
};

}  // namespace gert

#endif  // FOOTHOLD_EXE_GRAPH_RUNTIME_STORAGE_SHAPE_H_
