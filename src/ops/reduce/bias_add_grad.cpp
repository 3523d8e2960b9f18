// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/plain_product.h"
#include "ops/norm/channels.h"
#include "ops/number_kernel.h"

namespace foothold {
namespace {

ChannelLayout LayoutOf(const OpContext& context) {
  const TensorType& x = context.In(0);
  return LayoutAround(x.dims, ChannelAxis(context, x, context.node().Text("data_format", "NHWC")));
}

void InferBiasAddGrad(OpContext& context) {
  const auto channels = static_cast<std::int64_t>(LayoutOf(context).channels);
  context.SetOut(0, context.In(0).type, {channels}, Format::kNd);
}

// Floats are summed in double: there may be millions of terms.
template <typename T>
class BiasAddGrad : public Kernel {
 public:
  explicit BiasAddGrad(const ChannelLayout& layout) : layout_(layout) {}

  void Run(const RunArgs& args) const override {
    using Sum = std::conditional_t<std::is_floating_point_v<T>, double, T>;
    const T* x = args.In<T>(0);
    ParallelFor(layout_.channels, 1 + 8192 / (1 + layout_.Count()), [&](std::size_t begin, std::size_t end) {
      for (std::size_t c = begin; c < end; ++c) {
        Sum sum{};
        for (std::size_t o = 0; o < layout_.outer; ++o)
          for (std::size_t i = 0; i < layout_.inner; ++i)
            sum = PlusWrapping<Sum>(sum, x[(o * layout_.channels + c) * layout_.inner + i]);
        args.Out<T>(0)[c] = static_cast<T>(sum);
      }
    });
  }

 private:
  ChannelLayout layout_;
};

std::unique_ptr<Kernel> LowerBiasAddGrad(OpContext& context) {
  const ChannelLayout layout = LayoutOf(context);
  return NumberKernel(context, [&](auto tag) -> std::unique_ptr<Kernel> {
    return std::make_unique<BiasAddGrad<typename decltype(tag)::Type>>(layout);
  });
}

const RegisterOp bias_add_grad(OpDef("BiasAddGrad")
                                   .Infer(InferBiasAddGrad)
                                   .Lower(LowerBiasAddGrad)
                                   .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16,
                                           DataType::kDouble, DataType::kInt8, DataType::kUint8,
                                           DataType::kInt16, DataType::kUint16, DataType::kInt32,
                                           DataType::kUint32, DataType::kInt64, DataType::kUint64}));

}  // namespace
}  // namespace foothold
