// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The points a transformation of normalised coordinates leads to, as [batch, points, coordinates]:
// theta [N, 2, 3] for images of the size [N, C, H, W], [N, 3, 4] for volumes [N, C, D, H, W].
#include <array>

#include "base/thread_pool.h"
#include "ops/data/rule_arguments.h"
#include "ops/op.h"
#include "ops/through_float.h"
#include "ops/window/window.h"

namespace foothold {
namespace {

struct GridShape {
  std::size_t batch, dimensions, points;
  std::array<std::size_t, 3> space = {1, 1, 1};  // what there is less of stands at the end
};

GridShape ShapeOf(const OpContext& context) {
  const Dims& theta = context.In("theta").dims;
  const std::vector<std::int64_t> size = context.NeededInts("output_size");
  const std::size_t dimensions = size.size() < 2 ? 0 : size.size() - 2;
  const auto n = static_cast<std::int64_t>(dimensions);
  if ((n != 2 && n != 3) || theta != Dims{size[0], n, n + 1})
    context.Refuse("theta is {} for an output_size of {}", ToString(theta), ToString(size));
  for (const std::int64_t side : size)
    if (side < 0 || side > kMostExtent) context.Refuse("output_size has the entry {}", side);
  GridShape shape{static_cast<std::size_t>(size[0]), dimensions, 0};
  for (std::size_t i = 0; i < dimensions; ++i)
    shape.space[3 - dimensions + i] = static_cast<std::size_t>(size[i + 2]);
  shape.points = static_cast<std::size_t>(ElementCount(Dims(size.begin() + 2, size.end())));
  return shape;
}

void InferGrid(OpContext& context) {
  const GridShape shape = ShapeOf(context);
  const Dims dims{static_cast<std::int64_t>(shape.batch), static_cast<std::int64_t>(shape.points),
                  static_cast<std::int64_t>(shape.dimensions)};
  ElementCount(dims);
  context.SetOut(0, context.In("theta").type, dims, Format::kNd);
}

// Of position i of an axis; corners are its outermost positions, or half a step outside them.
float Normalised(std::size_t i, std::size_t extent, bool align_corners) {
  if (extent <= 1) return 0.0f;
  const auto at = static_cast<double>(i), count = static_cast<double>(extent);
  return static_cast<float>(align_corners ? 2 * at / (count - 1) - 1 : (2 * at + 1) / count - 1);
}

class GridKernel : public Kernel {
 public:
  GridKernel(const GridShape& shape, bool align_corners) : shape_(shape), align_corners_(align_corners) {}

  void Run(const RunArgs& args) const override {
    ParallelFor(shape_.batch * shape_.points, 2048, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        RunPoint(args.In<float>(0) + i / shape_.points * shape_.dimensions * (shape_.dimensions + 1),
                 i % shape_.points, args.Out<float>(0) + i * shape_.dimensions);
    });
  }

 private:
  void RunPoint(const float* theta, std::size_t point, float* to) const {
    std::array<float, 3> at;  // the last dimension first, as points are written
    for (std::size_t i = 0; i < shape_.dimensions; ++i) {
      const std::size_t extent = shape_.space[2 - i];
      at[i] = Normalised(point % extent, extent, align_corners_);
      point /= extent;
    }
    for (std::size_t row = 0; row < shape_.dimensions; ++row, theta += shape_.dimensions + 1) {
      to[row] = theta[shape_.dimensions];
      for (std::size_t i = 0; i < shape_.dimensions; ++i)
        to[row] += theta[i] * at[i];
    }
  }

  GridShape shape_;
  bool align_corners_;
};

std::unique_ptr<Kernel> LowerGrid(OpContext& context) {
  const GridShape shape = ShapeOf(context);
  Ignore(context, {"output_size"});
  const DataType type = context.In("theta").type;
  if (!ComputesInFloat(type))
    context.Unsupported("no kernel for {}; float, float16 and bfloat16 have one", DataTypeName(type));
  return ThroughFloat(context,
                      std::make_unique<GridKernel>(shape, context.node().Bool("align_corners", false)));
}

const RegisterOp affine_grid(OpDef("AffineGrid")
                                 .Infer(InferGrid)
                                 .Lower(LowerGrid)
                                 .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16}));

}  // namespace
}  // namespace foothold
