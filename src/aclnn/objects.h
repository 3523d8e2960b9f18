// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What programs describe before they call an operator: tensors (views of device memory), scalars, arrays and
// lists, behind handles. Values are copied when an object is made; a list owns its members. Any thread; one
// object is used by one thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "aclnn/aclnn_codes.h"
#include "base/format.h"
#include "base/host_objects.h"
#include "ir/tensor_type.h"

namespace foothold::aclnn {

// Dimensions or strides, without memory of their own: objects are made and destroyed for every call.
class Extents {
 public:
  static constexpr std::size_t kMost = 10;  // eight of a view, two more in layouts of the hardware

  Extents() = default;
  explicit Extents(std::span<const std::int64_t> values) : rank_(static_cast<std::uint8_t>(values.size())) {
    std::copy(values.begin(), values.end(), values_.begin());
  }

  std::size_t size() const { return rank_; }
  std::int64_t operator[](std::size_t i) const { return values_[i]; }
  std::int64_t& operator[](std::size_t i) { return values_[i]; }
  const std::int64_t* begin() const { return values_.data(); }
  const std::int64_t* end() const { return values_.data() + rank_; }
  Dims ToDims() const { return {begin(), end()}; }

 private:
  std::uint8_t rank_ = 0;
  std::array<std::int64_t, kMost> values_{};
};

// The size of an output that only the run tells (Nonzero). The tensor and the run both have it, so that
// neither needs the other to live.
class ToldShape {
 public:
  void Tell(Dims dims) {
    std::lock_guard<std::mutex> lock(mutex_);
    dims_ = std::move(dims);
  }
  std::optional<Dims> dims() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return dims_;
  }

 private:
  mutable std::mutex mutex_;  // guards dims_
  std::optional<Dims> dims_;
};

struct Tensor {
  DataType type = DataType::kUndefined;
  Format format = Format::kNd;
  Extents dims, strides;  // of the view, in elements
  Extents storage;
  std::int64_t offset = 0;  // in elements
  void* data = nullptr;
  std::shared_ptr<ToldShape> told = nullptr;
};

struct Scalar {
  DataType type = DataType::kUndefined;
  alignas(16) std::array<std::byte, 16> bytes{};
};

using Tensors = HostObjects<Tensor, HandleKind::kTensor, kParamNull, kParamInvalid>;
using Scalars = HostObjects<Scalar, HandleKind::kScalar, kParamNull, kParamInvalid>;
using IntArrays = HostObjects<std::vector<std::int64_t>, HandleKind::kIntArray, kParamNull, kParamInvalid>;
using FloatArrays = HostObjects<std::vector<float>, HandleKind::kFloatArray, kParamNull, kParamInvalid>;
using BoolArrays = HostObjects<std::vector<std::uint8_t>, HandleKind::kBoolArray, kParamNull, kParamInvalid>;
// Handles of the members; one may be null.
using HandleList = std::vector<const void*>;
using TensorLists = HostObjects<HandleList, HandleKind::kTensorList, kParamNull, kParamInvalid>;
using ScalarLists = HostObjects<HandleList, HandleKind::kScalarList, kParamNull, kParamInvalid>;

// The view as it is now: what a run told counts.
Tensor CurrentView(const Tensor& tensor);

}  // namespace foothold::aclnn
