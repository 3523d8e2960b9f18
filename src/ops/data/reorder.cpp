// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/data/reorder.h"

#include "ops/data/copy_kernel.h"
#include "ops/data/rule_arguments.h"

namespace foothold {

std::unique_ptr<Kernel> LowerReorder(OpContext& context, const Dims& dims, const AxisOrder& order) {
  ByteSize(context.In(0));
  const std::size_t size = ElementBytes(context, context.In(0).type);
  Dims result;
  for (const std::size_t axis : order)
    result.push_back(dims[axis]);
  const auto from = Strides(dims, size);
  const auto to = Strides(result, size);
  std::vector<CopyAxis> axes;
  for (std::size_t i = 0; i < order.size(); ++i)
    axes.push_back({static_cast<std::size_t>(result[i]), from[order[i]], to[i]});
  return std::make_unique<CopyKernel>(std::vector<PortCopy>{{0, 0, StridedCopy(size, std::move(axes))}});
}

}  // namespace foothold
