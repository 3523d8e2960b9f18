// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ir/strided_view.h"

#include <algorithm>

namespace foothold {
namespace {

// Dimensions that are walked through one element after the other at one distance.
struct Run {
  std::int64_t count;
  std::size_t stride;
};

// Outermost first, without those of one element.
std::vector<Run> RunsOf(const StridedView& view) {
  std::vector<Run> runs;
  for (std::size_t i = 0; i < view.dims.size(); ++i) {
    if (view.dims[i] == 1) continue;
    const auto steps = static_cast<std::size_t>(view.dims[i]);
    if (!runs.empty() && runs.back().stride == view.strides[i] * steps)
      runs.back() = {runs.back().count * view.dims[i], view.strides[i]};
    else
      runs.push_back({view.dims[i], view.strides[i]});
  }
  return runs;
}

bool IsEmpty(const Dims& dims) {
  return std::find(dims.begin(), dims.end(), 0) != dims.end();
}

}  // namespace

StridedView DenseView(const Dims& dims) {
  StridedView view{dims, std::vector<std::size_t>(dims.size(), 1), 0};
  for (std::size_t i = dims.size(); i-- > 1;)
    view.strides[i - 1] = view.strides[i] * static_cast<std::size_t>(dims[i]);
  return view;
}

bool StridedView::dense() const {
  return IsEmpty(dims) || DenseFrom(0);
}

bool StridedView::DenseFrom(std::size_t axis) const {
  std::size_t step = 1;
  for (std::size_t i = dims.size(); i-- > axis;) {
    if (dims[i] != 1 && strides[i] != step) return false;
    step *= static_cast<std::size_t>(dims[i]);
  }
  return true;
}

std::size_t StridedView::Span() const {
  if (IsEmpty(dims)) return 0;
  std::size_t last = 0;
  for (std::size_t i = 0; i < dims.size(); ++i)
    last += static_cast<std::size_t>(dims[i] - 1) * strides[i];
  return last + 1;
}

std::optional<StridedView> Reshaped(const StridedView& view, const Dims& dims) {
  if (ElementCount(view.dims) != ElementCount(dims)) return std::nullopt;
  StridedView made = DenseView(dims);
  made.offset = view.offset;
  if (IsEmpty(dims)) return made;
  std::vector<Run> runs = RunsOf(view);
  for (std::size_t i = dims.size(); i-- > 0;) {
    made.strides[i] = 0;
    if (dims[i] == 1) continue;
    if (runs.empty() || runs.back().count % dims[i] != 0) return std::nullopt;
    made.strides[i] = runs.back().stride;
    runs.back().count /= dims[i];
    runs.back().stride *= static_cast<std::size_t>(dims[i]);
    if (runs.back().count == 1) runs.pop_back();
  }
  return made;
}

StridedView Permuted(const StridedView& view, const std::vector<std::size_t>& order) {
  StridedView made{{}, {}, view.offset};
  for (const std::size_t axis : order) {
    made.dims.push_back(view.dims[axis]);
    made.strides.push_back(view.strides[axis]);
  }
  return made;
}

std::optional<StridedView> Repeated(const StridedView& view, const Dims& dims) {
  if (view.dims.size() > dims.size()) return std::nullopt;
  const std::size_t missing = dims.size() - view.dims.size();
  StridedView made{dims, std::vector<std::size_t>(dims.size(), 0), view.offset};
  for (std::size_t i = 0; i < view.dims.size(); ++i) {
    if (view.dims[i] != 1 && view.dims[i] != dims[missing + i]) return std::nullopt;
    if (view.dims[i] != 1) made.strides[missing + i] = view.strides[i];
  }
  return made;
}

}  // namespace foothold
