// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/strided_view.h"

namespace foothold {
namespace {

StridedView AtItsStart(const std::shared_ptr<const StridedView>& view, const Dims& dims) {
  if (!view) return DenseView(dims);
  StridedView made = *view;
  made.offset = 0;
  return made;
}

}  // namespace

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

StridedView ViewOf(const OpContext& context, int port) {
  const Dims& dims = context.InDims(port);  // refuses ports that are not there
  return AtItsStart(context.node().inputs()[static_cast<std::size_t>(port)].view, dims);
}

StridedView WrittenViewOf(const OpContext& context, int output) {
  const Dims& dims = context.Out(output).dims;
  return AtItsStart(context.node().outputs()[static_cast<std::size_t>(output)].view, dims);
}

bool HasDenseRows(const OpContext&, int, const StridedView& view) {
  return !view.dims.empty() && view.DenseFrom(view.dims.size() - 1);
}

}  // namespace foothold
