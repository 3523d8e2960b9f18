// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Inputs that operators read as strided views (ops/strided_view.h), for their tests.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "ops/data/reference.h"
#include "ops/strided_view.h"

namespace foothold {

// Random numbers under a view; the elements between those of the view are there too.
class StridedInput {
 public:
  StridedInput(DataType type, Dims dims, Ints strides, unsigned seed)
      : dims_(std::move(dims)), strides_(std::move(strides)) {
    std::int64_t last = 0;
    for (std::size_t i = 0; i < dims_.size(); ++i)
      last += (dims_[i] - 1) * strides_[i];
    const bool empty = ElementCount(dims_) == 0;
    span_ = Random(type, {empty ? 0 : last + 1}, seed);
    numbers_ = Numbers(span_);
  }

  const Dims& dims() const { return dims_; }
  double At(const Index& index) const { return numbers_[Place(index)]; }
  std::vector<double> Elements() const {
    std::vector<double> elements;
    ForIndices(dims_, [&](const Index& index) { elements.push_back(At(index)); });
    return elements;
  }
  // Changes elements of the view.
  template <typename Change>
  void Set(const Change& change) {
    ForIndices(dims_, [&](const Index& index) { numbers_[Place(index)] = change(index, At(index)); });
    span_ = Tensor(span_.type().type, span_.dims(), numbers_);
    numbers_ = Numbers(span_);
  }
  void Connect(OpRun& run, const std::string& port) const {
    run.View(port, span_, {dims_, {strides_.begin(), strides_.end()}});
  }

 private:
  std::size_t Place(const Index& index) const {
    std::int64_t place = 0;
    for (std::size_t i = 0; i < index.size(); ++i)
      place += index[i] * strides_[i];
    return static_cast<std::size_t>(place);
  }

  Dims dims_;
  Ints strides_;
  TensorValue span_;
  std::vector<double> numbers_;
};

}  // namespace foothold
