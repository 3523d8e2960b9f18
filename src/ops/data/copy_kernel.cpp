// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/data/copy_kernel.h"

namespace foothold {

StridedCopy PackingCopy(const StridedView& view, std::size_t element_size) {
  const StridedView dense = DenseView(view.dims);
  std::vector<CopyAxis> axes;
  for (std::size_t i = 0; i < view.dims.size(); ++i)
    axes.push_back({static_cast<std::size_t>(view.dims[i]),
                    static_cast<std::ptrdiff_t>(view.strides[i] * element_size),
                    static_cast<std::ptrdiff_t>(dense.strides[i] * element_size)});
  return StridedCopy(element_size, std::move(axes));
}

StridedCopy WholeCopy(std::size_t bytes) {
  return StridedCopy(1, {{bytes, 1, 1}});
}

}  // namespace foothold
