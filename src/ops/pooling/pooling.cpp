// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/pooling.h"

#include "kernels/integer_blocks.h"
#include "ops/number_kernel.h"
#include "ops/pooling/pooling_rules.h"

namespace foothold {
namespace {

template <typename T>
class PoolingKernel : public Kernel {
 public:
  explicit PoolingKernel(const PoolingShape& shape) : shape_(shape) {}

  void Run(const RunArgs& args) const override {
    if constexpr (std::is_same_v<T, float>) {
      PoolFloats(shape_, args.In<float>(0), args.Out<float>(0));
    } else {
      if constexpr (std::is_same_v<T, std::int16_t>)
        if (shape_.channels_last && shape_.mode == PoolingMode::kMax)
          return PoolLargestIntegers(shape_, args.In<T>(0), args.Out<T>(0));
      PoolPlain(shape_, args.In<T>(0), args.Out<T>(0));
    }
  }

 private:
  PoolingShape shape_;
};

std::unique_ptr<Kernel> LowerPooling(OpContext& context, const PoolingShape& shape) {
  return NumberKernel(context, [&](auto tag) -> std::unique_ptr<Kernel> {
    return std::make_unique<PoolingKernel<typename decltype(tag)::Type>>(shape);
  });
}

std::vector<DataType> PoolingTypes() {
  return {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble,
          DataType::kInt8,  DataType::kUint8,   DataType::kInt16,    DataType::kUint16,
          DataType::kInt32, DataType::kUint32,  DataType::kInt64,    DataType::kUint64};
}

using Describe = std::function<PoolingShape(const OpContext&)>;

OpDef PoolingOp(const char* type, Describe describe) {
  return OpDef(type)
      .Infer([describe](OpContext& context) {
        const TensorType& x = context.In(0);
        context.SetOut(0, x.type, OutputDims(describe(context), x), x.format);
      })
      .Lower([describe](OpContext& context) { return LowerPooling(context, describe(context)); })
      .Types(PoolingTypes());
}

OpDef PoolingOp(const char* type, PoolingWay way) {
  return PoolingOp(type,
                   [way](const OpContext& context) { return ShapeOfPooling(context, context.In(0), way); });
}

PoolingShape WholePlanes(const OpContext& context) {
  return ShapeOfGlobalPooling(context, context.In(0), PoolingMode::kAverage);
}

void InferGlobal(OpContext& context) {
  WholePlanes(context);
  const TensorType& x = context.In(0);
  Dims dims(x.dims.size(), 1);
  dims[0] = x.dims[0];
  dims[1] = x.dims[1];
  if (x.format == Format::kNc1hwc0 && dims.size() == 5) dims[4] = x.dims[4];
  context.SetOut(0, x.type, dims, x.format);
}

std::unique_ptr<Kernel> LowerGlobal(OpContext& context) {
  return LowerPooling(context, WholePlanes(context));
}

const RegisterOp pooling(std::vector<OpDef>{
    PoolingOp("MaxPool", PoolingWay{PoolingMode::kMax, "padding", "NHWC"}),
    PoolingOp("MaxPoolExt2", PoolingWay{PoolingMode::kMax, "padding", "NHWC"}),
    PoolingOp("MaxPoolV3", PoolingWay{PoolingMode::kMax, "padding_mode", "NCHW"}),
    PoolingOp("AvgPool", PoolingWay{PoolingMode::kAverage, "padding", "NHWC"}),
    PoolingOp("AvgPoolV2", PoolingWay{PoolingMode::kAverage, "padding_mode", "NCHW"}),
    PoolingOp("Pooling",
              [](const OpContext& context) { return ShapeOfCaffePooling(context, context.In(0)); }),
    OpDef("GlobalAveragePool").Infer(InferGlobal).Lower(LowerGlobal).Types(PoolingTypes())});

}  // namespace
}  // namespace foothold
