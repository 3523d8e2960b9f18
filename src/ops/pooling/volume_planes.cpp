// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/pooling/volume_planes.h"

#include "ops/data/rule_arguments.h"

namespace foothold {

Planes PlanesOf(const OpContext& context, const Dims& in) {
  if (in.size() != 4) context.Refuse("x is {}, expected planes of three dimensions", ToString(in));
  const auto entries = [&](const char* name) {
    std::vector<std::int64_t> list = RequiredInts(context, name);
    if (list.size() != 3) context.Refuse("{} has {} entries, expected three", name, list.size());
    return list;
  };
  const std::vector<std::int64_t> kernel = entries("kernel"), stride = entries("stride"),
                                  padding = entries("padding"), dilation = entries("dilation");
  const bool ceil = context.node().Bool("ceil_mode", false);
  Planes planes;
  planes.count = static_cast<std::size_t>(in[0]);
  for (std::size_t i = 0; i < 3; ++i) {
    PlaneAxis& axis = planes.axes[i];
    axis = {in[i + 1], 0, kernel[i], stride[i], padding[i], dilation[i]};
    if (axis.kernel < 1 || axis.stride < 1 || axis.dilation < 1 || axis.padding < 0 ||
        axis.padding > axis.kernel / 2)
      context.Refuse("a window of {} with stride {}, dilation {} and padding {} cannot be", axis.kernel,
                     axis.stride, axis.dilation, axis.padding);
    const std::int64_t room = axis.in + 2 * axis.padding - axis.dilation * (axis.kernel - 1) - 1;
    axis.out = room < 0 ? 0 : (room + (ceil ? axis.stride - 1 : 0)) / axis.stride + 1;
    if (ceil && (axis.out - 1) * axis.stride >= axis.in + axis.padding) --axis.out;
    if (axis.out < 1) context.Refuse("no window of {} fits into {} elements", axis.kernel, axis.in);
  }
  return planes;
}

Dims PooledDims(const Planes& planes) {
  return {static_cast<std::int64_t>(planes.count), planes.axes[0].out, planes.axes[1].out,
          planes.axes[2].out};
}

}  // namespace foothold
