// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A tensor with its data: constants, attributes, inputs and outputs of runs. Copies share the bytes. Values;
// reading from several threads is fine, writing through mutable_data needs an owner who knows nobody reads.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "ir/tensor_type.h"

namespace foothold {

// Fresh memory starts at a multiple of this; programs and kernels rely on it.
constexpr std::size_t kTensorAlignment = 64;

using SharedBytes = std::shared_ptr<std::byte[]>;

// Not initialised. Empty for 0 bytes. Throws kBadAlloc when memory is short.
SharedBytes AllocateBytes(std::size_t size);

class TensorValue {
 public:
  TensorValue() = default;
  // Fresh memory of the size the type says, not initialised.
  explicit TensorValue(TensorType type);
  // Adopts: `size` bytes at `data`, kept alive by the pointer itself.
  TensorValue(TensorType type, SharedBytes data, std::size_t size)
      : type_(std::move(type)), data_(std::move(data)), size_(size) {}

  template <typename T>
  static TensorValue Of(DataType type, const Dims& dims, std::span<const T> values);

  const TensorType& type() const { return type_; }
  void set_type(TensorType type) { type_ = std::move(type); }  // the bytes stay
  const Dims& dims() const { return type_.dims; }
  std::size_t size() const { return size_; }
  const std::byte* data() const { return data_.get(); }
  std::byte* mutable_data() { return data_.get(); }
  const SharedBytes& shared_data() const { return data_; }
  template <typename T>
  const T* As() const {
    return reinterpret_cast<const T*>(data_.get());
  }
  template <typename T>
  T* MutableAs() {
    return reinterpret_cast<T*>(data_.get());
  }
  TensorValue Clone() const;

 private:
  TensorType type_;
  SharedBytes data_;
  std::size_t size_ = 0;
};

// All elements of an integer tensor (int8 ... uint64, bool) widened; for axes, shapes, sizes and indices.
// Throws kInvalidParam for another type.
std::vector<std::int64_t> Integers(const TensorValue& value);
// The one element of a scalar or [1] tensor of any real type.
double Scalar(const TensorValue& value);

template <typename T>
TensorValue TensorValue::Of(DataType type, const Dims& dims, std::span<const T> values) {
  TensorValue value(TensorType{type, Format::kNd, dims});
  for (std::size_t i = 0; i < values.size() && (i + 1) * sizeof(T) <= value.size_; ++i)
    value.MutableAs<T>()[i] = values[i];
  return value;
}

}  // namespace foothold
