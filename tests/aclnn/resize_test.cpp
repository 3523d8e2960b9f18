// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Lines, images and volumes of other sizes, and the gradients of that, as PyTorch has them.
#include <algorithm>
#include <cmath>

#include "aclnn/places.h"
#include "aclnnop/aclnn_upsample_bilinear_2d.h"
#include "aclnnop/aclnn_upsample_bilinear_2d_backward.h"
#include "aclnnop/aclnn_upsample_linear_1d.h"
#include "aclnnop/aclnn_upsample_linear_1d_backward.h"
#include "aclnnop/aclnn_upsample_nearest_1d.h"
#include "aclnnop/aclnn_upsample_nearest_1d_backward.h"
#include "aclnnop/aclnn_upsample_nearest_1d_v2.h"
#include "aclnnop/aclnn_upsample_nearest_2d_backward.h"
#include "aclnnop/aclnn_upsample_nearest_2d_v2.h"
#include "aclnnop/aclnn_upsample_nearest_3d.h"
#include "aclnnop/aclnn_upsample_nearest_3d_backward.h"
#include "aclnnop/aclnn_upsample_trilinear_3d.h"
#include "aclnnop/aclnn_upsample_trilinear_3d_backward.h"

namespace nn {
namespace {

struct Resizing {
  bool linear, align = false;
  Values scales = {};  // 0 or none: from the sizes
};

// How much of each element of an axis of `from` is in element i of `to`.
Values Shares(const Resizing& way, std::size_t axis, std::int64_t from, std::int64_t to, std::int64_t i) {
  Values shares(static_cast<std::size_t>(from), 0.0);
  const double scale = way.scales.empty() ? 0 : way.scales[axis];
  const auto in = static_cast<double>(from), out = static_cast<double>(to), at = static_cast<double>(i);
  const double step = scale > 0 ? 1 / scale : in / out;
  if (!way.linear) {
    shares[static_cast<std::size_t>(std::min(std::floor(at * step + 1e-9), in - 1))] = 1;
    return shares;
  }
  double place =
      way.align ? (to > 1 ? at * (in - 1) / (out - 1) : 0) : std::max((at + 0.5) * step - 0.5, 0.0);
  place = std::min(place, in - 1);
  const auto low = static_cast<std::size_t>(place);
  const double part = place - std::floor(place);
  shares[low] += 1 - part;
  shares[std::min(low + 1, shares.size() - 1)] += part;
  return shares;
}

// Calls visit(number in the small tensor, number in the large one, share).
template <typename Visit>
void ForShares(const Resizing& way, const Dims& small, const Dims& large, Visit visit) {
  for (std::size_t to = 0; to < CountOf(large); ++to)
    for (std::size_t from = 0; from < CountOf(small); ++from) {
      const Dims p = PlaceOf(to, large), q = PlaceOf(from, small);
      double share = p[0] == q[0] && p[1] == q[1] ? 1 : 0;
      for (std::size_t axis = 2; axis < small.size() && share != 0; ++axis)
        share *= Shares(way, axis - 2, small[axis], large[axis], p[axis])[static_cast<std::size_t>(q[axis])];
      if (share != 0) visit(from, to, share);
    }
}

Values Resized(const Tensor& x, const Dims& to, const Resizing& way) {
  Values out(CountOf(to), 0.0);
  const Values values = x.Read();
  ForShares(way, x.dims(), to,
            [&](std::size_t from, std::size_t i, double share) { out[i] += share * values[from]; });
  return out;
}

Values GivenBack(const Tensor& g, const Dims& to, const Resizing& way) {
  Values out(CountOf(to), 0.0);
  const Values values = g.Read();
  ForShares(way, to, g.dims(),
            [&](std::size_t i, std::size_t from, double share) { out[i] += share * values[from]; });
  return out;
}

constexpr aclDataType kResizeTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

TEST_F(Nn, UpsampleTakesLines) {
  for (const aclDataType type : kResizeTypes) {
    const Tensor x = In(type, {2, 3, 4}, Spread(24), Layout::kTransposed),
                 out = Out(type, {2, 3, 7}, Layout::kPaddedRows),
                 g = In(type, {2, 3, 7}, Spread(42, -1, 1, 2)), back = Out(type, {2, 3, 4});
    Run(NN(UpsampleNearest1d), x, Ints{7}, out);
    ExpectClose(out.Read(), Resized(x, {2, 3, 7}, {false}), 0);
    Run(NN(UpsampleNearest1dBackward), g, Ints{7}, Ints{2, 3, 4}, 0.0, back);
    ExpectClose(back.Read(), GivenBack(g, {2, 3, 4}, {false}), Tolerance(type));
    for (const bool align : {false, true}) {
      Run(NN(UpsampleLinear1d), x, Ints{7}, align, 0.0, out);
      ExpectClose(out.Read(), Resized(x, {2, 3, 7}, {true, align}), Tolerance(type));
      Run(NN(UpsampleLinear1dBackward), g, Ints{7}, Ints{2, 3, 4}, align, 0.0, back);
      ExpectClose(back.Read(), GivenBack(g, {2, 3, 4}, {true, align}), Tolerance(type));
    }
  }
}

TEST_F(Nn, UpsampleTakesImages) {
  for (const aclDataType type : kResizeTypes)
    for (const bool align : {false, true}) {
      const Tensor x = In(type, {1, 2, 3, 4}, Spread(24), Layout::kPaddedRows), out = Out(type, {1, 2, 5, 9}),
                   g = In(type, {1, 2, 5, 9}, Spread(90, -1, 1, 2), Layout::kTransposed),
                   back = Out(type, {1, 2, 3, 4}, Layout::kPaddedRows);
      Run(NN(UpsampleBilinear2d), x, Ints{5, 9}, align, 0.0, 0.0, out);
      ExpectClose(out.Read(), Resized(x, out.dims(), {true, align}), Tolerance(type));
      Run(NN(UpsampleBilinear2dBackward), g, Ints{5, 9}, Ints{1, 2, 3, 4}, align, 0.0, 0.0, back);
      ExpectClose(back.Read(), GivenBack(g, back.dims(), {true, align}), Tolerance(type));
      Run(NN(UpsampleNearest2dBackward), g, Ints{5, 9}, Ints{1, 2, 3, 4}, 0.0, 0.0, back);
      ExpectClose(back.Read(), GivenBack(g, back.dims(), {false}), Tolerance(type));
    }
}

TEST_F(Nn, UpsampleTakesScales) {
  const Tensor x = In(ACL_FLOAT, {1, 2, 3, 4}, Spread(24)), out = Out(ACL_FLOAT, {1, 2, 7, 6});
  Run(NN(UpsampleBilinear2d), x, Ints{7, 6}, false, 2.5, 1.5, out);
  ExpectClose(out.Read(), Resized(x, out.dims(), {true, false, {2.5, 1.5}}), 1e-5);
  Run(NN(UpsampleBilinear2d), x, Ints{7, 6}, false, 0.0, 1.5, out);
  ExpectClose(out.Read(), Resized(x, out.dims(), {true, false, {0, 1.5}}), 1e-5);
  ExpectRefused(161002, "'outputSize' is [7]", NN(UpsampleBilinear2d), x, Ints{7}, false, 0.0, 0.0, out);
  ExpectRefused(161002, "'self' is", NN(UpsampleNearest1d), x, Ints{7}, out);
}

TEST_F(Nn, UpsampleTakesVolumes) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    const Dims small{1, 2, 2, 3, 2}, large{1, 2, 3, 4, 5};
    const Tensor x = In(type, small, Spread(24), Layout::kPaddedRows), out = Out(type, large),
                 g = In(type, large, Spread(120, -1, 1, 2)), back = Out(type, small);
    Run(NN(UpsampleNearest3d), x, Ints{3, 4, 5}, 0.0, 0.0, 0.0, out);
    ExpectClose(out.Read(), Resized(x, large, {false}), 0);
    Run(NN(UpsampleNearest3dBackward), g, Ints{3, 4, 5}, Ints{1, 2, 2, 3, 2}, 0.0, 0.0, 0.0, back);
    ExpectClose(back.Read(), GivenBack(g, small, {false}), Tolerance(type));
    for (const bool align : {false, true}) {
      Run(NN(UpsampleTrilinear3d), x, Ints{3, 4, 5}, align, 0.0, 0.0, 0.0, out);
      ExpectClose(out.Read(), Resized(x, large, {true, align}), Tolerance(type));
      Run(NN(UpsampleTrilinear3dBackward), g, Ints{3, 4, 5}, Ints{1, 2, 2, 3, 2}, align, 0.0, 0.0, 0.0, back);
      ExpectClose(back.Read(), GivenBack(g, small, {true, align}), 2 * Tolerance(type));
    }
  }
}

TEST_F(Nn, UpsampleNearestTakesScales) {
  const Tensor x = In(ACL_FLOAT, {1, 2, 3, 4}, Spread(24)), out = Out(ACL_FLOAT, {1, 2, 7, 6}),
               line = In(ACL_FLOAT, {2, 3, 4}, Spread(24)), longer = Out(ACL_FLOAT, {2, 3, 9});
  Run(NN(UpsampleNearest2dV2), x, Ints{7, 6}, 2.5f, 0.0f, out);
  ExpectClose(out.Read(), Resized(x, out.dims(), {false, false, {2.5, 0}}), 0);
  Run(NN(UpsampleNearest1dV2), line, Ints{9}, 2.25f, longer);
  ExpectClose(longer.Read(), Resized(line, longer.dims(), {false, false, {2.25}}), 0);
}

}  // namespace
}  // namespace nn
