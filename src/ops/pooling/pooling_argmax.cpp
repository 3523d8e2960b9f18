// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Maxima with the places they were found at: row * width + column within the plane. Of equals the first one
// counts; a NaN is larger than everything. Undeclared attributes of ONNX's MaxPool are understood: auto_pad,
// and storage_order 1 for places column * height + row.
#include <cstdint>

#include "ops/data/rule_arguments.h"
#include "ops/number_kernel.h"
#include "ops/pooling/pooling_rules.h"

namespace foothold {
namespace {

struct Description {
  PoolingShape shape;
  bool by_columns;
};

// Whatever the layout, lists have height and width in the middle.
HeightWidth MiddleEntries(const OpContext& context, const char* name, std::vector<std::int64_t> otherwise) {
  const std::vector<std::int64_t> list = context.node().Ints(name, std::move(otherwise));
  if (list.size() != 4) context.Refuse("{} has {} entries; it must have four", name, list.size());
  return {list[1], list[2]};
}

Description DescriptionOf(const OpContext& context) {
  const Node& node = context.node();
  const TensorType& x = context.In("x");
  const bool last = x.format == Format::kNhwc;
  const ImageDims image = ImageDimsOf(context, x.dims, last, "x");
  const HeightWidth kernel = MiddleEntries(context, "ksize", {}),
                    strides = MiddleEntries(context, "strides", {});
  const HeightWidth pads = MiddleEntries(context, "pads", {0, 0, 0, 0});
  const HeightWidth dilation = MiddleEntries(context, "dilation", {1, 1, 1, 1});
  WindowAxis height{.extent = image.height,
                    .kernel = kernel.height,
                    .stride = strides.height,
                    .dilation = dilation.height,
                    .pad_begin = pads.height,
                    .pad_end = pads.height};
  WindowAxis width{.extent = image.width,
                   .kernel = kernel.width,
                   .stride = strides.width,
                   .dilation = dilation.width,
                   .pad_begin = pads.width,
                   .pad_end = pads.width};
  const PadMode mode = PadModeOf(context, "auto_pad", node.Text("auto_pad", "NOTSET"));
  const bool ceil = node.Bool("ceil_mode", false);
  ResolvePooling(context, height, mode, ceil, "height");
  ResolvePooling(context, width, mode, ceil, "width");
  PoolingShape shape;
  shape.batch = static_cast<std::size_t>(image.batch);
  shape.channels = static_cast<std::size_t>(image.channels);
  shape.height = ToPoolingAxis(height);
  shape.width = ToPoolingAxis(width);
  shape.channels_last = last;
  return {shape, node.Int("storage_order", 0) != 0};
}

// The number is that of the data type: 3 is int32, 9 int64.
DataType PlaceType(const OpContext& context) {
  return IndexTypeAttribute(context, "dtype", DataType::kInt32);
}

void InferArgmax(OpContext& context) {
  const TensorType& x = context.In("x");
  const PoolingShape shape = DescriptionOf(context).shape;
  if (PlaceType(context) == DataType::kInt32 && shape.Pixels() > INT32_MAX)
    context.Refuse("x is {}; places in its planes do not fit int32", ToString(x));
  const Dims dims = OutputDims(shape);
  context.SetOut(0, x.type, dims, x.format);
  context.SetOut(1, PlaceType(context), dims, x.format);
}

template <typename T, typename Place>
class ArgmaxKernel : public Kernel {
 public:
  explicit ArgmaxKernel(const Description& description) : description_(description) {}

  void Run(const RunArgs& args) const override {
    ForEachWindow(description_.shape, [&](std::size_t in, std::size_t out, std::size_t row,
                                          std::size_t column) { RunWindow(args, in, out, row, column); });
  }

 private:
  void RunWindow(const RunArgs& args, std::size_t in, std::size_t out, std::size_t row,
                 std::size_t column) const {
    const PoolingShape& shape = description_.shape;
    const PoolingSpan rows = SpanOf(shape.height, row), columns = SpanOf(shape.width, column);
    const bool empty = rows.begin == rows.end || columns.begin == columns.end;
    const std::size_t step = shape.channels_last ? shape.channels : 1;
    const T* plane = args.In<T>(0) + in;
    std::size_t best = (rows.first * shape.width.extent + columns.first) * step;
    ForEachInside(shape, rows, columns, [&](std::size_t i) {
      if (plane[i] > plane[best] || (plane[i] != plane[i] && plane[best] == plane[best])) best = i;
    });
    args.Out<T>(0)[out] = empty ? LowestOf<T>() : plane[best];
    args.Out<Place>(1)[out] = static_cast<Place>(empty ? 0 : PlaceOf(best / step));
  }

  std::size_t PlaceOf(std::size_t pixel) const {
    const PoolingShape& shape = description_.shape;
    if (!description_.by_columns) return pixel;
    return pixel % shape.width.extent * shape.height.extent + pixel / shape.width.extent;
  }

  Description description_;
};

template <typename T>
std::unique_ptr<Kernel> MakeArgmax(const OpContext& context, const Description& description) {
  if (PlaceType(context) == DataType::kInt64)
    return std::make_unique<ArgmaxKernel<T, std::int64_t>>(description);
  return std::make_unique<ArgmaxKernel<T, std::int32_t>>(description);
}

std::unique_ptr<Kernel> LowerArgmax(OpContext& context) {
  const Description description = DescriptionOf(context);
  return NumberKernel(
      context, [&](auto tag) { return MakeArgmax<typename decltype(tag)::Type>(context, description); });
}

OpDef Argmax(const char* type) {
  return OpDef(type)
      .Infer(InferArgmax)
      .Lower(LowerArgmax)
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble});
}

const RegisterOp argmax({Argmax("MaxPoolWithArgmaxV1"), Argmax("MaxPoolWithArgmaxV2")});

}  // namespace
}  // namespace foothold
