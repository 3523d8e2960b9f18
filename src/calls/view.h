// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tensors of calls as programs describe them: views of device memory. Strides of dimensions of size 1 mean
// nothing. Any thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/format.h"
#include "ir/tensor_type.h"

namespace foothold {

// Dimensions or strides, without memory of their own: objects are made and destroyed for every call.
class Extents {
 public:
  static constexpr std::size_t kMost = 10;  // eight of a view, two more in layouts of the hardware

  Extents() = default;
  explicit Extents(std::span<const std::int64_t> values) { Assign(values); }
  // In place of those it has; kMost at most.
  void Assign(std::span<const std::int64_t> values) {
    rank_ = static_cast<std::uint8_t>(values.size());
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

struct TensorView {
  DataType type = DataType::kUndefined;
  Format format = Format::kNd;
  Extents dims, strides;  // of the view, in elements
  Extents storage;
  std::int64_t offset = 0;  // in elements
  void* data = nullptr;
  std::shared_ptr<ToldShape> told = nullptr;
};

// The view as it is now: what a run told counts.
TensorView CurrentView(const TensorView& tensor);

bool IsEmpty(const Extents& dims);
std::int64_t CountOf(const Extents& dims);
// Elements lie one behind the other, the last dimension the fastest.
bool IsContiguous(const Extents& dims, const Extents& strides);
// From the first element to the last, holes included; 0 if there is none.
std::int64_t SpanOf(const Extents& dims, const Extents& strides);
// The dimensions in the order in which they are contiguous, if there is one.
std::optional<std::vector<std::int64_t>> DenseOrder(const Extents& dims, const Extents& strides);
// Of a contiguous tensor.
Dims PackedStrides(const Dims& dims);
// Those of the view, 0 where they mean nothing.
Dims PlainStrides(const TensorView& view);

}  // namespace foothold
