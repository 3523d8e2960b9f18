// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// IntegerConv2D: a convolution of quantised numbers on blocks of int16 with exact sums, each multiplied with
// the scale of its channel and rounded. Inputs: x, the filter of bytes, scales, optionally the zero points of
// the filter (one, or one for each output), a bias of int32 and a residual.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "kernels/channel_blocks.h"
#include "kernels/gemm_pack.h"
#include "kernels/integer_depthwise.h"
#include "kernels/integer_winograd.h"
#include "ops/convolution/blocked_conv2d.h"
#include "ops/convolution/convolution_rules.h"
#include "ops/matrix/packed_weights.h"
#include "ops/op.h"
#include "ops/quantized/integer_blocks.h"

namespace foothold {
namespace {

std::size_t Size(std::int64_t value) {
  return static_cast<std::size_t>(value);
}

ConvolutionShape ShapeOf(const OpContext& context) {
  const TensorType& x = context.In("x");
  if (x.type != DataType::kInt16 || !IsBlocked(x))
    context.Refuse("x is {}, expected int16 in blocks of channels", ToString(x));
  const std::int64_t channels = context.node().Int("channels", 0);
  CheckBlocks(context, channels, IntegerBlock(), 2);
  const TensorType plain{context.In("filter").type, Format::kNchw, context.In("filter").dims};
  const FilterDims filter = FilterDimsOf(context, plain, false, "filter");
  return ShapeOfConvolution(context, {x.dims[0], channels, x.dims[2], x.dims[3]}, filter, false);
}

bool IsConnected(const OpContext& context, const char* name) {
  return context.node().InputIndex(name) >= 0 && context.Has(name);
}

void InferConvolution(OpContext& context) {
  const ImageDims out = OutputDims(ShapeOf(context));
  context.SetOut(0, IntegerBlocks(ToDims(out, false), IntegerBlock()));
  if (IsConnected(context, "residual") && context.In("residual") != context.Out(0))
    context.Refuse("the residual is {}, expected {}", ToString(context.In("residual")),
                   ToString(context.Out(0)));
}

std::vector<int> NumbersOf(const TensorValue& value) {
  const std::vector<std::int64_t> wide = Integers(value);
  return {wide.begin(), wide.end()};
}

// The filter less its zero points.
std::vector<std::int16_t> CentredFilter(const OpContext& context, std::size_t outs) {
  const TensorValue& filter = context.Needed("filter");
  const std::size_t count = Size(ElementCount(filter.dims())), each = outs == 0 ? 0 : count / outs;
  const std::vector<int> zeros =
      IsConnected(context, "filter_zero") ? NumbersOf(context.Needed("filter_zero")) : std::vector<int>{0};
  if (zeros.size() != 1 && zeros.size() != outs)
    context.Refuse("filter_zero has {} numbers, expected 1 or {}", zeros.size(), outs);
  const bool is_signed = filter.type().type == DataType::kInt8;
  if (!is_signed && filter.type().type != DataType::kUint8)
    context.Refuse("the filter is {}, expected bytes", ToString(filter.type()));
  std::vector<std::int16_t> centred(count);
  for (std::size_t i = 0; i < count; ++i) {
    const int number = is_signed ? int{filter.As<std::int8_t>()[i]} : int{filter.As<std::uint8_t>()[i]};
    centred[i] = static_cast<std::int16_t>(number - zeros[zeros.size() == 1 ? 0 : i / each]);
  }
  return centred;
}

// Of any output, before the bias.
double LargestSum(const OpContext& context, const std::vector<std::int16_t>& filter, std::size_t outs) {
  double largest = 0;
  for (std::size_t o = 0; o < outs; ++o) {
    double sum = 0;
    for (std::size_t i = o * filter.size() / outs; i < (o + 1) * filter.size() / outs; ++i)
      sum += std::abs(filter[i]);
    largest = std::max(largest, sum);
  }
  return largest * static_cast<double>(context.node().Int("largest", 255));
}

struct Ports {
  int data, filter, scales, bias, residual;  // -1: none
};

template <typename Plan>
class IntegerConvolutionKernel : public Kernel {
 public:
  IntegerConvolutionKernel(Plan plan, const Ports& ports, const Node& node)
      : plan_(std::move(plan)), ports_(ports), limits_(LimitsOf(node)), sum_(SumOf(node)) {}

  std::size_t WorkspaceBytes() const override { return plan_.WorkspaceBytes(); }

  void Run(const RunArgs& args) const override {
    IntegerFinish finish{args.In<float>(ports_.scales), limits_.low, limits_.high, nullptr, sum_};
    if (ports_.residual >= 0) finish.residual = args.In<std::int16_t>(ports_.residual);
    plan_.Run(args.In<std::int16_t>(ports_.data), args.In<std::byte>(ports_.filter),
              ports_.bias < 0 ? nullptr : args.In<std::int32_t>(ports_.bias), finish,
              args.Out<std::int16_t>(0), args.workspace);
  }

 private:
  Plan plan_;
  Ports ports_;
  IntegerLimits limits_;
  IntegerSum sum_;
};

// One number for each channel, filled up to whole blocks.
template <typename T>
int AddFilled(OpContext& context, const char* name, DataType type, std::size_t channels) {
  const TensorValue& given = context.Needed(name);
  if (given.type().type != type || Size(ElementCount(given.dims())) != channels)
    context.Refuse("{} is {}, expected {} of {}", name, ToString(given.type()), DataTypeName(type), channels);
  const std::size_t filled = RoundUp(channels, IntegerBlock());
  TensorValue value(TensorType{type, Format::kNd, {static_cast<std::int64_t>(filled)}});
  std::fill_n(value.MutableAs<T>(), filled, T{});
  std::copy_n(given.As<T>(), channels, value.MutableAs<T>());
  context.SetUnused(context.Port(name));
  return context.AddConstant(std::move(value));
}

template <typename Plan>
std::unique_ptr<Kernel> LowerPlan(OpContext& context, Plan plan, const std::vector<std::int16_t>& filter,
                                  std::size_t channels, const std::string& way) {
  const TensorType type{DataType::kInt8, Format::kNd, {static_cast<std::int64_t>(plan.PackedFilterBytes())}};
  const auto pack = [&](TensorValue& to) { plan.PackFilter(filter.data(), to.mutable_data()); };
  TensorValue packed;
  if (IsConnected(context, "filter_zero")) {
    packed = TensorValue(type);
    pack(packed);
    context.SetUnused(context.Port("filter_zero"));
  } else {
    packed = SharedPacking(context.Needed("filter"), fmt::format("integer {} {}", way, ToString(type)), type,
                           pack);
  }
  context.SetUnused(context.Port("filter"));
  Ports ports{context.Port("x"), context.AddConstant(std::move(packed)), -1, -1, -1};
  ports.scales = AddFilled<float>(context, "scales", DataType::kFloat, channels);
  if (IsConnected(context, "bias"))
    ports.bias = AddFilled<std::int32_t>(context, "bias", DataType::kInt32, channels);
  if (IsConnected(context, "residual")) ports.residual = context.Port("residual");
  return std::make_unique<IntegerConvolutionKernel<Plan>>(std::move(plan), ports, context.node());
}

std::unique_ptr<Kernel> LowerConvolution(OpContext& context) {
  const ConvolutionShape shape = ShapeOf(context);
  const std::size_t outs = shape.out_channels, lanes = Size(context.In("x").dims[4]) / 2;
  const std::vector<std::int16_t> filter = CentredFilter(context, outs);
  const std::string sizes = ToString(context.In("filter").dims);
  if (IntegerDepthwisePlan::Applies(shape) && lanes == ChannelBlock()) {
    if (IsConnected(context, "residual")) context.Unsupported("no kernel for depthwise sums with a residual");
    return LowerPlan(context, IntegerDepthwisePlan(shape), filter, outs, "depthwise " + sizes);
  }
  if (shape.groups != 1) context.Unsupported("no kernel for {} groups", shape.groups);
  const std::size_t side = IntegerWinogradSide(shape, LargestSum(context, filter, outs));
  if (side > 0 && lanes == ChannelBlock())
    return LowerPlan(context, IntegerWinogradPlan(shape, side), filter, outs,
                     fmt::format("winograd {} {}", side, sizes));
  IntegerConvolutionPlan plan(shape, lanes);
  const std::string way = fmt::format("blocked by {} of {} {}", plan.Way(), lanes, sizes);
  return LowerPlan(context, std::move(plan), filter, outs, way);
}

const RegisterOp integer_conv2d(
    OpDef("IntegerConv2D").Infer(InferConvolution).Lower(LowerConvolution).Types({DataType::kInt16}));

}  // namespace
}  // namespace foothold
