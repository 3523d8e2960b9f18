// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/quantized/integer_blocks.h"

#include <algorithm>

#include "kernels/channel_blocks.h"
#include "kernels/gemm_pack.h"
#include "kernels/integer_blocks.h"
#include "ops/convolution/blocked_conv2d.h"
#include "ops/op.h"

namespace foothold {
namespace {

constexpr char kLimits[] = "limits";  // low, high
constexpr char kSum[] = "sum";        // scales of left, right and result, low, high

std::size_t Size(std::int64_t value) {
  return static_cast<std::size_t>(value);
}

bool IsByte(DataType type) {
  return type == DataType::kInt8 || type == DataType::kUint8;
}

void CheckBlocks(const OpContext& context, int port) {
  if (context.In(port).type != DataType::kInt16 || !IsBlocked(context.In(port)))
    context.Refuse("input {} is {}, expected int16 in blocks of channels", port, ToString(context.In(port)));
}

template <typename T>
class ToBlocks : public Kernel {
 public:
  ToBlocks(const PaddedImage& image, std::size_t lanes, int zero)
      : image_(image), lanes_(lanes), zero_(zero) {}
  void Run(const RunArgs& args) const override {
    ToIntegerBlocks(image_, lanes_, zero_, args.In<T>(0), args.Out<std::int16_t>(0));
  }

 private:
  PaddedImage image_;
  std::size_t lanes_;
  int zero_;
};

template <typename T>
class FromBlocks : public Kernel {
 public:
  FromBlocks(const BlockedImage& image, int zero) : image_(image), zero_(zero) {}
  void Run(const RunArgs& args) const override {
    FromIntegerBlocks(image_, zero_, args.In<std::int16_t>(0), args.Out<T>(0));
  }

 private:
  BlockedImage image_;
  int zero_;
};

class SumKernel : public Kernel {
 public:
  SumKernel(const IntegerSum& sum, std::size_t count) : sum_(sum), count_(count) {}
  void Run(const RunArgs& args) const override {
    AddIntegers(sum_, args.In<std::int16_t>(0), args.In<std::int16_t>(1), count_, args.Out<std::int16_t>(0));
  }

 private:
  IntegerSum sum_;
  std::size_t count_;
};

class MeanKernel : public Kernel {
 public:
  explicit MeanKernel(const IntegerMean& mean) : mean_(mean) {}
  void Run(const RunArgs& args) const override {
    MeanOfIntegers(mean_, args.In<std::int16_t>(0), args.Out<std::int16_t>(0));
  }

 private:
  IntegerMean mean_;
};

std::vector<std::int64_t> PadsAttribute(const OpContext& context) {
  const std::vector<std::int64_t> pads = context.node().Ints("pads", {0, 0, 0, 0});
  if (pads.size() != 4 || *std::min_element(pads.begin(), pads.end()) < 0)
    context.Refuse("pads must be four numbers that are not negative");
  return pads;
}

void InferToBlocks(OpContext& context) {
  const TensorType& x = context.In(0);
  const std::int64_t lanes = context.node().Int("lanes", 0);
  if (!IsByte(x.type) || x.dims.size() != 4 || lanes < 2 || lanes % 2 != 0)
    context.Refuse("x is {} for blocks of {}; expected int8 or uint8, four dimensions and an even block",
                   ToString(x), lanes);
  const auto pads = PadsAttribute(context);
  Dims dims = x.dims;
  dims[2] += pads[0] + pads[1];
  dims[3] += pads[2] + pads[3];
  context.SetOut(0, IntegerBlocks(dims, Size(lanes)));
}

int ZeroOf(const OpContext& context) {
  return static_cast<int>(context.node().Int("zero", 0));
}

std::unique_ptr<Kernel> LowerToBlocks(OpContext& context) {
  const Dims& d = context.InDims(0);
  const auto pads = PadsAttribute(context);
  const PaddedImage image{Size(d[0]),    Size(d[1]),    Size(d[2]),    Size(d[3]),
                          Size(pads[0]), Size(pads[1]), Size(pads[2]), Size(pads[3])};
  const std::size_t lanes = Size(context.Out(0).dims[4]);
  if (context.In(0).type == DataType::kInt8)
    return std::make_unique<ToBlocks<std::int8_t>>(image, lanes, ZeroOf(context));
  return std::make_unique<ToBlocks<std::uint8_t>>(image, lanes, ZeroOf(context));
}

void InferFromBlocks(OpContext& context) {
  CheckBlocks(context, 0);
  const Dims& x = context.InDims(0);
  const std::int64_t channels = context.node().Int("channels", 0);
  const auto type = static_cast<DataType>(context.node().Int("type", static_cast<int>(DataType::kUint8)));
  if (channels < 1 || channels > x[1] * x[4] || !IsByte(type))
    context.Refuse("x is {} for {} channels of type {}", ToString(context.In(0)), channels,
                   DataTypeName(type));
  context.SetOut(0, type, {x[0], channels, x[2], x[3]}, Format::kNchw);
}

std::unique_ptr<Kernel> LowerFromBlocks(OpContext& context) {
  const Dims& d = context.Out(0).dims;
  const BlockedImage image{Size(d[0]), Size(d[1]), Size(d[2] * d[3]), Size(context.InDims(0)[4])};
  if (context.Out(0).type == DataType::kInt8)
    return std::make_unique<FromBlocks<std::int8_t>>(image, ZeroOf(context));
  return std::make_unique<FromBlocks<std::uint8_t>>(image, ZeroOf(context));
}

void InferSum(OpContext& context) {
  CheckBlocks(context, 0);
  if (context.In(0) != context.In(1))
    context.Refuse("the operands are {} and {}", ToString(context.In(0)), ToString(context.In(1)));
  if (Size(context.InDims(0)[4]) % ChannelBlock() != 0) context.Refuse("blocks must be whole vectors");
  context.SetOut(0, context.In(0));
}

std::unique_ptr<Kernel> LowerSum(OpContext& context) {
  return std::make_unique<SumKernel>(SumOf(context.node()), Size(ElementCount(context.InDims(0))));
}

void InferMean(OpContext& context) {
  CheckBlocks(context, 0);
  TensorType out = context.In(0);
  out.dims[2] = out.dims[3] = 1;
  if (out.dims[4] > 64) context.Refuse("blocks have at most 64 numbers, not {}", out.dims[4]);
  context.SetOut(0, out);
}

std::unique_ptr<Kernel> LowerMean(OpContext& context) {
  const Dims& d = context.InDims(0);
  const IntegerLimits limits = LimitsOf(context.node());
  return std::make_unique<MeanKernel>(IntegerMean{Size(d[0] * d[1]), Size(d[2] * d[3]), Size(d[4]),
                                                  context.node().Float("scale", 1), limits.low, limits.high});
}

const RegisterOp integer_blocks(std::vector<OpDef>{
    OpDef("BlockIntegers")
        .Infer(InferToBlocks)
        .Lower(LowerToBlocks)
        .Types({DataType::kInt8, DataType::kUint8}),
    OpDef("UnblockIntegers").Infer(InferFromBlocks).Lower(LowerFromBlocks).Types({DataType::kInt16}),
    OpDef("IntegerSum").Infer(InferSum).Lower(LowerSum).Types({DataType::kInt16}),
    OpDef("IntegerMean").Infer(InferMean).Lower(LowerMean).Types({DataType::kInt16})});

}  // namespace

std::size_t IntegerBlock() {
  return 2 * ChannelBlock();
}

TensorType IntegerBlocks(const Dims& d, std::size_t lanes) {
  return BlockedType({DataType::kInt16, Format::kNchw, d}, lanes);
}

void SetLimits(Node& node, const IntegerLimits& limits) {
  node.attributes[kLimits] = std::vector<float>{limits.low, limits.high};
}

IntegerLimits LimitsOf(const Node& node) {
  const std::vector<float> limits = node.Floats(kLimits);
  return limits.size() == 2 ? IntegerLimits{limits[0], limits[1]} : IntegerLimits{};
}

void SetSum(Node& node, const IntegerSum& sum) {
  node.attributes[kSum] =
      std::vector<float>{sum.left_scale, sum.right_scale, sum.out_scale, sum.low, sum.high};
}

IntegerSum SumOf(const Node& node) {
  const std::vector<float> s = node.Floats(kSum);
  return s.size() == 5 ? IntegerSum{s[0], s[1], s[2], s[3], s[4]} : IntegerSum{};
}

}  // namespace foothold
