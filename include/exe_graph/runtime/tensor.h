// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A tensor of graph execution: shape, layout, element type and bytes. It moves but does not copy; use
// ShareFrom of its TensorData to have a second user of the bytes. One thread at a time may change it.
#ifndef FOOTHOLD_EXE_GRAPH_RUNTIME_TENSOR_H_
#define FOOTHOLD_EXE_GRAPH_RUNTIME_TENSOR_H_

#include <stddef.h>
#include <stdint.h>

#include <memory>
#include <new>
#include <utility>

#include "exe_graph/runtime/expand_dims_type.h"
#include "exe_graph/runtime/shape.h"
#include "exe_graph/runtime/storage_format.h"
#include "exe_graph/runtime/storage_shape.h"
#include "exe_graph/runtime/tensor_data.h"
#include "graph/types.h"

namespace gert {

using ConstTensorAddress = void* const;

enum TensorVersion : uint8_t {
  kTensorV1 = 0,
  kTensorV2 = 1,
};

class Tensor {
 public:
  Tensor() : version_(kTensorV1), reserved_bytes_{}, data_type_(ge::DT_UNDEFINED), reserved_{} {}
  // The size is what the storage shape and the element type ask for.
  Tensor(const StorageShape& storage_shape, const StorageFormat& storage_format,
         const TensorPlacement placement, const ge::DataType data_type, TensorAddress addr)
      : Tensor(storage_shape, storage_format, placement, data_type, addr, nullptr) {}
  Tensor(const StorageShape& storage_shape, const StorageFormat& storage_format,
         const TensorPlacement placement, const ge::DataType data_type, TensorAddress addr,
         TensorAddrManager manager)
      : shape_(storage_shape),
        format_(storage_format),
        version_(kTensorV1),
        reserved_bytes_{},
        data_type_(data_type),
        data_(addr, manager, BytesOf(storage_shape.GetStorageShape().GetShapeSize(), data_type), placement),
        reserved_{} {}
  // Without bytes, and with a size of 0.
  Tensor(const StorageShape& storage_shape, const StorageFormat& storage_format, ge::DataType data_type)
      : shape_(storage_shape),
        format_(storage_format),
        version_(kTensorV1),
        reserved_bytes_{},
        data_type_(data_type),
        reserved_{} {}

  // Elements of the storage shape.
  int64_t GetShapeSize() const { return shape_.GetStorageShape().GetShapeSize(); }

  template <class T>
  const T* GetData() const {
    return static_cast<const T*>(GetAddr());
  }
  template <class T>
  auto GetData() -> T* {
    return static_cast<T*>(GetAddr());
  }
  void SetData(TensorData&& data) { data_ = std::move(data); }
  const void* GetAddr() const { return IsFollowing() ? this + 1 : data_.GetAddr(); }
  void* GetAddr() { return IsFollowing() ? this + 1 : data_.GetAddr(); }
  size_t GetSize() const { return data_.GetSize(); }
  void SetSize(const size_t size) { data_.SetSize(size); }

  ge::DataType GetDataType() const { return data_type_; }
  void SetDataType(const ge::DataType data_type) { data_type_ = data_type; }

  // A tensor with its bytes right behind it; null when there is no memory or the size does not fit.
  static std::unique_ptr<uint8_t[]> CreateFollowing(const int64_t shape_size, const ge::DataType dt,
                                                    size_t& total_size) {
    const int64_t bytes = ge::GetSizeInBytes(shape_size, dt);
    return bytes < 0 ? nullptr : CreateFollowing(dt, static_cast<size_t>(bytes), total_size);
  }
  static std::unique_ptr<uint8_t[]> CreateFollowing(const ge::DataType dt, const size_t tensor_size,
                                                    size_t& total_size) {
    if (tensor_size > SIZE_MAX - sizeof(Tensor)) {
      return nullptr;
    }
    total_size = sizeof(Tensor) + tensor_size;
    std::unique_ptr<uint8_t[]> holder(new (std::nothrow) uint8_t[total_size]());
    if (holder != nullptr) {
      Tensor* const tensor = new (holder.get()) Tensor();
      tensor->data_type_   = dt;
      tensor->data_.SetSize(tensor_size);
      tensor->data_.SetPlacement(kFollowing);
    }
    return holder;
  }

  const Shape& GetStorageShape() const { return shape_.GetStorageShape(); }
  Shape& MutableStorageShape() { return shape_.MutableStorageShape(); }
  const Shape& GetOriginShape() const { return shape_.GetOriginShape(); }
  Shape& MutableOriginShape() { return shape_.MutableOriginShape(); }
  const StorageShape& GetShape() const { return shape_; }
  StorageShape& GetShape() { return shape_; }

  ge::Format GetStorageFormat() const { return format_.GetStorageFormat(); }
  void SetStorageFormat(const ge::Format storage_format) { format_.SetStorageFormat(storage_format); }
  ge::Format GetOriginFormat() const { return format_.GetOriginFormat(); }
  void SetOriginFormat(const ge::Format origin_format) { format_.SetOriginFormat(origin_format); }
  const StorageFormat& GetFormat() const { return format_; }
  StorageFormat& MutableFormat() { return format_; }
  ExpandDimsType GetExpandDimsType() const { return format_.GetExpandDimsType(); }
  void SetExpandDimsType(const ExpandDimsType& expand_dims_type) {
    format_.SetExpandDimsType(expand_dims_type);
  }

  TensorPlacement GetPlacement() const { return data_.GetPlacement(); }
  void SetPlacement(const TensorPlacement placement) { data_.SetPlacement(placement); }
  const TensorData& GetTensorData() const { return data_; }
  TensorData& MutableTensorData() { return data_; }
  TensorVersion GetVersion() const { return version_; }

 private:
  static size_t BytesOf(int64_t elements, ge::DataType data_type) {
    const int64_t bytes = ge::GetSizeInBytes(elements, data_type);
    return bytes < 0 ? 0 : static_cast<size_t>(bytes);
  }
  bool IsFollowing() const { return data_.GetPlacement() == kFollowing; }

  StorageShape shape_;
  StorageFormat format_;
  TensorVersion version_;
  __attribute__((unused)) uint8_t reserved_bytes_[3];
  ge::DataType data_type_;
  TensorData data_;
  __attribute__((unused)) uint8_t reserved_[40];
};

}  // namespace gert

#endif  // FOOTHOLD_EXE_GRAPH_RUNTIME_TENSOR_H_
