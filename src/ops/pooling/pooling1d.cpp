// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/data/rule_arguments.h"
#include "ops/element_types.h"
#include "ops/pooling/pooling_rules.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

// Only the width of an image is pooled.
PoolingShape RowPoolingOf(const OpContext& context) {
  const Node& node = context.node();
  const TensorType& x = context.In("x");
  const bool last = ChannelsLast(context, x, "NCHW");
  const ImageDims image = ImageDimsOf(context, x.dims, last, "x");
  const std::vector<std::int64_t> pads = node.Ints("pads", {0, 0});
  if (pads.size() != 2) context.Refuse("pads has {} entries; it must have two: left, right", pads.size());
  WindowAxis width{.extent = image.width,
                   .kernel = RequiredInt(context, "ksize"),
                   .stride = RequiredInt(context, "strides"),
                   .pad_begin = pads[0],
                   .pad_end = pads[1]};
  Resolve(context, width, PadMode::kExplicit, node.Bool("ceil_mode", false), "width");
  WindowAxis height{.extent = image.height};
  Resolve(context, height, PadMode::kValid, false, "height");
  PoolingShape shape;
  shape.batch = static_cast<std::size_t>(image.batch);
  shape.channels = static_cast<std::size_t>(image.channels);
  shape.height = ToPoolingAxis(height);
  shape.width = ToPoolingAxis(width);
  shape.channels_last = last;
  shape.mode = PoolingMode::kAverage;
  shape.count_padding = node.Bool("count_include_pad", false);
  return shape;
}

void InferRowPooling(OpContext& context) {
  const TensorType& x = context.In("x");
  context.SetOut(0, x.type, OutputDims(RowPoolingOf(context)), x.format);
}

template <typename T>
class RowPoolingKernel : public Kernel {
 public:
  explicit RowPoolingKernel(const PoolingShape& shape) : shape_(shape) {}
  void Run(const RunArgs& args) const override {
    if constexpr (std::is_same_v<T, float>)
      PoolFloats(shape_, args.In<float>(0), args.Out<float>(0));
    else
      PoolPlain(shape_, args.In<T>(0), args.Out<T>(0));
  }

 private:
  PoolingShape shape_;
};

std::unique_ptr<Kernel> LowerRowPooling(OpContext& context) {
  Ignore(context, {"assist_matrix"});
  const PoolingShape shape = RowPoolingOf(context);
  const DataType type = context.In("x").type;
  if (type == DataType::kDouble) return std::make_unique<RowPoolingKernel<double>>(shape);
  if (!ComputesInFloat(type))
    context.Unsupported("no kernel for {}; floating-point types have one", DataTypeName(type));
  return ThroughFloat(context, std::make_unique<RowPoolingKernel<float>>(shape));
}

OpDef RowPooling(const char* type) {
  return OpDef(type)
      .Infer(InferRowPooling)
      .Lower(LowerRowPooling)
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble});
}

const RegisterOp row_pooling({RowPooling("AvgPool1D"), RowPooling("AvgPool1DD")});

}  // namespace
}  // namespace foothold
