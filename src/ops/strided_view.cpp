// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/strided_view.h"

#include "ops/data/rule_arguments.h"

namespace foothold {
namespace {

// How far the last element is from the first, or more than `most`.
std::int64_t LastElement(const StridedView& view, std::int64_t most) {
  std::int64_t last = 0;
  for (std::size_t i = 0; i < view.dims.size(); ++i) {
    const std::int64_t steps = view.dims[i] - 1;
    const auto stride = static_cast<std::int64_t>(view.strides[i]);
    if (steps > 0 && stride > (most - last) / steps) return most + 1;
    last += steps * stride;
  }
  return last;
}

StridedView ReadView(const OpContext& context, const std::string& attribute) {
  const std::vector<std::int64_t> numbers = context.node().Ints(attribute);
  const std::size_t rank = numbers.empty() || numbers[0] < 0 ? 0 : static_cast<std::size_t>(numbers[0]);
  if (numbers.size() % 2 == 0 || rank != numbers.size() / 2)
    context.Refuse("{} has {} numbers; expected the rank, the dimensions and the strides", attribute,
                   numbers.size());
  StridedView view;
  for (std::size_t i = 1; i <= rank; ++i) {
    if (numbers[i] < 0 || numbers[rank + i] < 0)
      context.Refuse("{} has dimension {} of {} with stride {}; both must be at least 0", attribute, i - 1,
                     numbers[i], numbers[rank + i]);
    view.dims.push_back(numbers[i]);
    view.strides.push_back(static_cast<std::size_t>(numbers[rank + i]));
  }
  return view;
}

}  // namespace

StridedView DenseView(const Dims& dims) {
  StridedView view{dims, {}};
  for (const std::ptrdiff_t stride : Strides(dims))
    view.strides.push_back(static_cast<std::size_t>(stride));
  return view;
}

bool StridedView::dense() const {
  return ElementCount(dims) == 0 || DenseFrom(0);
}

bool StridedView::DenseFrom(std::size_t axis) const {
  std::size_t step = 1;
  for (std::size_t i = dims.size(); i-- > axis;) {
    if (dims[i] != 1 && strides[i] != step) return false;
    step *= static_cast<std::size_t>(dims[i]);
  }
  return true;
}

ViewParts::ViewParts(const StridedView& view, std::size_t axis) {
  for (std::size_t i = axis; i-- > 0;) {
    const auto extent = static_cast<std::size_t>(view.dims[i]);
    count_ *= extent;
    if (extent == 1) continue;
    if (!extents_.empty() && view.strides[i] == extents_.back() * strides_.back()) {
      extents_.back() *= extent;
    } else {
      extents_.push_back(extent);
      strides_.push_back(view.strides[i]);
    }
  }
}

std::size_t ViewParts::Offset(std::size_t part) const {
  std::size_t offset = 0;
  for (std::size_t i = 0; i < extents_.size(); ++i) {
    const bool outermost = i + 1 == extents_.size();
    offset += (outermost ? part : part % extents_[i]) * strides_[i];
    part /= extents_[i];
  }
  return offset;
}

std::string ViewAttribute(const std::string& port) {
  return "_view_" + port;
}

StridedView ViewOf(const OpContext& context, int port) {
  const Dims& dims = context.InDims(port);  // refuses ports that are not there
  const std::string attribute = ViewAttribute(context.node().inputs()[static_cast<std::size_t>(port)].name);
  if (context.node().FindAttribute(attribute) == nullptr) return DenseView(dims);
  StridedView view = ReadView(context, attribute);
  const std::int64_t there = ElementCount(dims);
  if (ElementCount(view.dims) > 0 && LastElement(view, there) >= there)
    context.Refuse("{} is a view of {} that reaches beyond the {} elements that arrive", attribute,
                   ToString(view.dims), there);
  return view;
}

std::vector<std::int64_t> ViewNumbers(const Dims& dims, const std::vector<std::int64_t>& strides) {
  std::vector<std::int64_t> numbers{static_cast<std::int64_t>(dims.size())};
  numbers.insert(numbers.end(), dims.begin(), dims.end());
  numbers.insert(numbers.end(), strides.begin(), strides.end());
  return numbers;
}

}  // namespace foothold
