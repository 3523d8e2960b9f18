// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "calls/view.h"

#include <algorithm>
#include <numeric>

namespace foothold {

TensorView CurrentView(const TensorView& tensor) {
  if (!tensor.told) return tensor;
  const auto told = tensor.told->dims();
  if (!told) return tensor;
  TensorView view = tensor;
  view.dims = view.strides = Extents(*told);
  std::int64_t stride = 1;
  for (std::size_t i = told->size(); i-- > 0; stride *= (*told)[i])
    view.strides[i] = stride;
  return view;
}

bool IsEmpty(const Extents& dims) {
  return std::find(dims.begin(), dims.end(), 0) != dims.end();
}

std::int64_t CountOf(const Extents& dims) {
  return std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>());
}

bool IsContiguous(const Extents& dims, const Extents& strides) {
  std::int64_t expected = 1;
  for (std::size_t i = dims.size(); i-- > 0;) {
    if (dims[i] != 1 && strides[i] != expected) return IsEmpty(dims);
    expected *= dims[i];
  }
  return true;
}

std::int64_t SpanOf(const Extents& dims, const Extents& strides) {
  if (IsEmpty(dims)) return 0;
  std::int64_t last = 0;
  for (std::size_t i = 0; i < dims.size(); ++i)
    if (dims[i] > 1) last += (dims[i] - 1) * strides[i];
  return last + 1;
}

std::optional<std::vector<std::int64_t>> DenseOrder(const Extents& dims, const Extents& strides) {
  std::vector<std::int64_t> order(dims.size());
  std::iota(order.begin(), order.end(), 0);
  const auto stride = [&](std::int64_t i) {
    const auto d = static_cast<std::size_t>(i);
    return dims[d] == 1 ? 0 : strides[d];  // anywhere will do
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int64_t a, std::int64_t b) { return stride(a) > stride(b); });
  std::int64_t expected = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    const auto d = static_cast<std::size_t>(order[i]);
    if (dims[d] != 1 && strides[d] != expected) return std::nullopt;
    expected *= dims[d];
  }
  return order;
}

Dims PackedStrides(const Dims& dims) {
  Dims strides(dims.size(), 1);
  for (std::size_t i = dims.size(); i-- > 1;)
    strides[i - 1] = strides[i] * dims[i];
  return strides;
}

Dims PlainStrides(const TensorView& view) {
  Dims strides = view.strides.ToDims();
  for (std::size_t i = 0; i < strides.size(); ++i)
    if (view.dims[i] == 1) strides[i] = 0;
  return strides;
}

}  // namespace foothold
