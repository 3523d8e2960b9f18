// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/blocked_convolution.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <ostream>
#include <random>
#include <vector>

#include "kernels/blocked_depthwise.h"
#include "kernels/blocked_filter_gradient.h"
#include "kernels/channel_blocks.h"
#include "kernels/plain_convolution.h"
#include "kernels/winograd.h"

namespace foothold {
namespace {

struct Case {
  std::size_t batch, channels, height, width, out_channels;
  std::size_t kernel = 3, stride = 1, pad = 1, dilation = 1, groups = 1;
};

std::ostream& operator<<(std::ostream& stream, const Case& c) {
  return stream << c.batch << "x" << c.channels << "x" << c.height << "x" << c.width << " to "
                << c.out_channels << ", kernel " << c.kernel << ", stride " << c.stride << ", pad " << c.pad
                << ", dilation " << c.dilation << ", groups " << c.groups;
}

ConvolutionShape ShapeOf(const Case& c) {
  const auto out = [&](std::size_t extent) {
    return (extent + 2 * c.pad - c.dilation * (c.kernel - 1) - 1) / c.stride + 1;
  };
  return {.batch = c.batch,
          .channels = c.channels,
          .height = c.height,
          .width = c.width,
          .out_channels = c.out_channels,
          .out_height = out(c.height),
          .out_width = out(c.width),
          .kernel_height = c.kernel,
          .kernel_width = c.kernel,
          .stride_height = c.stride,
          .stride_width = c.stride,
          .dilation_height = c.dilation,
          .dilation_width = c.dilation,
          .pad_top = c.pad,
          .pad_left = c.pad,
          .groups = c.groups};
}

std::vector<float> RandomFloats(std::size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> numbers(-1, 1);
  std::vector<float> values(count);
  for (float& value : values)
    value = numbers(engine);
  return values;
}

float ActivatedByDefinition(const ActivationSpec& spec, float x) {
  switch (spec.kind) {
    case Activation::kLeakyRelu:
      return x < 0 ? spec.slope * x : x;
    case Activation::kSigmoid:
      return 1 / (1 + std::exp(-x));
    case Activation::kSilu:
      return x / (1 + std::exp(-x));
    case Activation::kHardSwish:
      return x * std::min(std::max(x / 6 + 0.5f, 0.0f), 1.0f);
    default:
      return std::min(std::max(x, spec.low), spec.high);
  }
}

// One convolution by the definition, and the same through a plan on blocks of channels.
class BlockedRun {
 public:
  BlockedRun(const Case& c, const ActivationSpec& activation, bool residual)
      : shape_(ShapeOf(c)),
        activation_(activation),
        input_(RandomFloats(shape_.batch * shape_.channels * shape_.Pixels(), 1)),
        filter_(RandomFloats(shape_.out_channels * shape_.Depth(), 2)),
        bias_(RandomFloats(shape_.out_channels, 3)) {
    if (residual) residual_ = RandomFloats(shape_.batch * shape_.out_channels * shape_.OutPixels(), 4);
  }

  const ConvolutionShape& shape() const { return shape_; }

  std::vector<float> ByDefinition() const {
    std::vector<float> output(shape_.batch * shape_.out_channels * shape_.OutPixels());
    PlainConvolution(shape_, input_.data(), filter_.data(), Strides(), bias_.data(), 0.0f, output.data());
    for (std::size_t i = 0; i < output.size(); ++i)
      output[i] = ActivatedByDefinition(activation_, output[i] + (residual_.empty() ? 0 : residual_[i]));
    return output;
  }

  template <typename Plan>
  std::vector<float> Through(const Plan& plan, std::size_t lanes) const {
    const BlockedImage in{shape_.batch, shape_.channels, shape_.Pixels(), lanes};
    const BlockedImage out{shape_.batch, shape_.out_channels, shape_.OutPixels(), ChannelBlock()};
    std::vector<float> filter(plan.PackedFilterBytes() / sizeof(float));
    plan.PackFilter(filter_.data(), Strides(), filter.data());
    std::vector<float> bias = bias_;
    bias.resize(out.Blocks() * out.lanes);
    const std::vector<float> input = Blocks(in, input_);
    const std::vector<float> residual = residual_.empty() ? residual_ : Blocks(out, residual_);
    std::vector<float> output(out.batch * out.Blocks() * out.pixels * out.lanes);
    std::vector<std::max_align_t> workspace(plan.WorkspaceBytes() / sizeof(std::max_align_t) + 1);
    const OutputFinish finish{bias.data(), residual.empty() ? nullptr : residual.data(), activation_};
    plan.Run(input.data(), filter.data(), finish, output.data(),
             reinterpret_cast<std::byte*>(workspace.data()));
    std::vector<float> planes(out.batch * out.channels * out.pixels);
    FromChannelBlocks(out, output.data(), planes.data());
    return planes;
  }

 private:
  static std::vector<float> Blocks(const BlockedImage& image, const std::vector<float>& planes) {
    std::vector<float> blocks(image.batch * image.Blocks() * image.pixels * image.lanes, NAN);
    ToChannelBlocks(image, planes.data(), blocks.data());
    return blocks;
  }
  FilterStrides Strides() const { return {shape_.Depth(), shape_.KernelArea(), shape_.kernel_width, 1}; }

  ConvolutionShape shape_;
  ActivationSpec activation_;
  std::vector<float> input_, filter_, bias_, residual_;
};

void ExpectClose(const std::vector<float>& found, const std::vector<float>& expected, float tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  float largest = 1;
  for (const float value : expected)
    largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_NEAR(found[i], expected[i], tolerance * largest) << "at " << i;
}

const Case kCases[] = {{1, 16, 9, 9, 16},
                       {2, 20, 7, 11, 13},
                       {1, 3, 17, 15, 24, 7, 2, 3},
                       {1, 8, 12, 12, 40, 1, 1, 0},
                       {3, 33, 5, 6, 17, 1, 2, 0},
                       {1, 64, 14, 14, 32, 3, 2, 1},
                       {1, 24, 13, 13, 16, 5, 1, 2},
                       {1, 16, 12, 10, 8, 3, 1, 2, 2},
                       {1, 400, 4, 4, 24, 1, 1, 0},
                       {1, 1, 8, 8, 6, 5, 1, 0},
                       {2, 96, 10, 10, 64, 3, 1, 1, 1, 2},
                       {1, 40, 6, 6, 40, 3, 1, 0},
                       {1, 536, 41, 39, 24, 1, 2, 0},
                       {2, 600, 12, 13, 20, 1, 1, 0},
                       {1, 20, 30, 31, 12, 5, 1, 1},
                       {1, 100, 14, 14, 24, 3, 2, 1},
                       {2, 20, 12, 12, 50, 5, 1, 0},
                       {1, 9, 13, 11, 8, 3, 2, 0},
                       {1, 12, 60, 60, 8, 5, 1, 0},
                       {1, 8, 13, 13, 8, 3, 1, 7, 7},  // windows wider than the image
                       {2, 20, 5, 5, 9, 7, 1, 3}};

class BlockedConvolution : public testing::TestWithParam<Case> {};

TEST_P(BlockedConvolution, IsTheConvolutionOfItsDefinition) {
  const BlockedRun run(GetParam(), {}, false);
  ASSERT_TRUE(BlockedConvolutionPlan::Applies(run.shape()));
  const std::size_t lanes =
      run.shape().groups == 1 ? std::min(run.shape().channels, ChannelBlock()) : ChannelBlock();
  ExpectClose(run.Through(BlockedConvolutionPlan(run.shape(), lanes), lanes), run.ByDefinition(), 1e-5f);
}

TEST_P(BlockedConvolution, ReadsChannelsThatAreFewerThanABlockFromAFilledBlock) {
  const BlockedRun run(GetParam(), {}, true);
  ASSERT_TRUE(BlockedConvolutionPlan::Applies(run.shape()));
  ExpectClose(run.Through(BlockedConvolutionPlan(run.shape(), ChannelBlock()), ChannelBlock()),
              run.ByDefinition(), 1e-5f);
}

INSTANTIATE_TEST_SUITE_P(Shapes, BlockedConvolution, testing::ValuesIn(kCases));

TEST(BlockedConvolutionPlan, JoinsThePixelsOfSmallImagesWhoseLastBlockIsNotFull) {
  const auto joins = [](const Case& c) {
    return BlockedConvolutionPlan(ShapeOf(c), ChannelBlock()).JoinsPixels();
  };
  const std::size_t full = 2 * ChannelBlock(), more = full + 1;
  EXPECT_TRUE(joins({2, more, 12, 12, 50, 5, 1, 0}));
  EXPECT_FALSE(joins({1, more, 60, 60, 50, 5, 1, 0}));  // large
  EXPECT_FALSE(joins({1, more, 12, 12, 50, 5, 1, 1}));  // zeros around it
  EXPECT_FALSE(joins({1, full, 12, 12, 50, 5, 1, 0}));
}

class Winograd : public testing::TestWithParam<Case> {};

TEST_P(Winograd, IsTheConvolutionOfItsDefinition) {
  const BlockedRun run(GetParam(), {Activation::kClip, 0}, true);
  ExpectClose(run.Through(WinogradPlan(run.shape(), 4), ChannelBlock()), run.ByDefinition(), 2e-5f);
  ExpectClose(run.Through(WinogradPlan(run.shape(), 2), ChannelBlock()), run.ByDefinition(), 1e-5f);
}

const Case kWinograd[] = {{1, 16, 9, 9, 16},  {2, 20, 7, 11, 13},  {1, 40, 6, 6, 40, 3, 1, 0},
                          {1, 8, 3, 3, 24},   {1, 64, 30, 29, 72}, {1, 24, 12, 5, 8, 3, 1, 2},
                          {3, 130, 4, 4, 16}, {70, 16, 4, 4, 20},  {9, 40, 8, 7, 24}};
INSTANTIATE_TEST_SUITE_P(Shapes, Winograd, testing::ValuesIn(kWinograd));

class FilterGradient : public testing::TestWithParam<Case> {};

// Sums of many products, so with numbers that floats hold exactly.
std::vector<float> SmallIntegers(std::size_t count, unsigned seed) {
  std::vector<float> values = RandomFloats(count, seed);
  for (float& value : values)
    value = std::round(value * 4);
  return values;
}

TEST_P(FilterGradient, IsTheGradientOfItsDefinition) {
  const ConvolutionShape shape = ShapeOf(GetParam());
  ASSERT_TRUE(BlockedFilterGradientPlan::Applies(shape));
  const BlockedImage in{shape.batch, shape.channels, shape.Pixels(), ChannelBlock()};
  const BlockedImage out{shape.batch, shape.out_channels, shape.OutPixels(), ChannelBlock()};
  const auto blocks = [](const BlockedImage& image, const std::vector<float>& planes) {
    std::vector<float> result(image.batch * image.Blocks() * image.pixels * image.lanes);
    ToChannelBlocks(image, planes.data(), result.data());
    return result;
  };
  const std::vector<float> x = SmallIntegers(shape.batch * shape.channels * shape.Pixels(), 1);
  const std::vector<float> dy = SmallIntegers(shape.batch * shape.out_channels * shape.OutPixels(), 2);
  const FilterStrides strides{shape.Depth(), shape.KernelArea(), shape.kernel_width, 1};
  std::vector<float> expected(shape.out_channels * shape.Depth()), found(expected.size(), NAN);
  PlainFilterGradient(shape, x.data(), dy.data(), strides, expected.data());
  const BlockedFilterGradientPlan plan(shape);
  std::vector<std::max_align_t> workspace(plan.WorkspaceBytes() / sizeof(std::max_align_t) + 1);
  plan.Run(blocks(in, x).data(), blocks(out, dy).data(), strides, found.data(),
           reinterpret_cast<std::byte*>(workspace.data()));
  EXPECT_EQ(found, expected);
}

const Case kFilterGradients[] = {{1, 16, 9, 9, 16},
                                 {2, 20, 7, 11, 13},
                                 {3, 3, 17, 15, 70, 7, 2, 3},
                                 {1, 8, 12, 12, 100, 1, 1, 0},
                                 {3, 33, 5, 6, 50, 1, 2, 0},
                                 {2, 64, 14, 14, 32, 3, 2, 1},
                                 {1, 16, 12, 10, 8, 3, 1, 2, 2},
                                 {70, 40, 4, 4, 40},
                                 {2, 16, 3, 200, 16},
                                 {1, 5, 2, 2, 4, 5, 1, 2},
                                 {1, 8, 13, 13, 8, 3, 1, 7, 7}};
INSTANTIATE_TEST_SUITE_P(Shapes, FilterGradient, testing::ValuesIn(kFilterGradients));

class BlockedDepthwise : public testing::TestWithParam<Case> {};

TEST_P(BlockedDepthwise, IsTheConvolutionOfItsDefinition) {
  for (const bool residual : {false, true}) {
    const BlockedRun run(GetParam(), {Activation::kClip, 0, 6}, residual);
    ASSERT_TRUE(BlockedDepthwisePlan::Applies(run.shape()));
    ExpectClose(run.Through(BlockedDepthwisePlan(run.shape()), ChannelBlock()), run.ByDefinition(), 1e-5f);
  }
}

const Case kDepthwise[] = {{1, 16, 9, 9, 16, 3, 1, 1, 1, 16},   {2, 20, 14, 7, 20, 3, 2, 1, 1, 20},
                           {1, 40, 15, 15, 40, 5, 2, 2, 1, 40}, {1, 9, 12, 13, 9, 3, 1, 2, 2, 9},
                           {1, 24, 3, 2, 24, 5, 1, 2, 1, 24},   {1, 8, 20, 20, 8, 3, 1, 0, 1, 8},
                           {2, 16, 50, 51, 16, 3, 1, 1, 1, 16}, {1, 12, 30, 43, 12, 5, 1, 2, 1, 12},
                           {1, 8, 9, 60, 8, 3, 2, 1, 1, 8},     {1, 8, 9, 30, 8, 7, 3, 3, 1, 8},
                           {1, 8, 13, 13, 8, 3, 1, 7, 7, 8}};
INSTANTIATE_TEST_SUITE_P(Shapes, BlockedDepthwise, testing::ValuesIn(kDepthwise));

TEST(BlockedConvolutionFinish, AppliesEveryActivationAfterTheResidual) {
  for (const ActivationSpec& activation :
       {ActivationSpec{Activation::kClip, 0, 0.5f},
        ActivationSpec{Activation::kLeakyRelu, -INFINITY, INFINITY, 0.1f},
        ActivationSpec{Activation::kSigmoid}, ActivationSpec{Activation::kSilu},
        ActivationSpec{Activation::kHardSwish}}) {
    SCOPED_TRACE(static_cast<int>(activation.kind));
    const BlockedRun run({1, 16, 7, 7, 24}, activation, true);
    const std::vector<float> expected = run.ByDefinition();
    ExpectClose(run.Through(BlockedConvolutionPlan(run.shape(), ChannelBlock()), ChannelBlock()), expected,
                1e-5f);
    ExpectClose(run.Through(WinogradPlan(run.shape(), 4), ChannelBlock()), expected, 2e-5f);
  }
}

TEST(WinogradSide, IsChosenForLargeLayersOnly) {
  EXPECT_EQ(WinogradSide(ShapeOf({1, 64, 56, 56, 64})), 4u);
  EXPECT_EQ(WinogradSide(ShapeOf({1, 1, 56, 56, 64})), 0u);
  EXPECT_EQ(WinogradSide(ShapeOf({1, 64, 56, 56, 64, 3, 2})), 0u);
  EXPECT_EQ(WinogradSide(ShapeOf({1, 64, 56, 56, 64, 1, 1, 0})), 0u);
}

TEST(WinogradSide, IsNoneIfTheUserSaysSo) {
  setenv("FOOTHOLD_WINOGRAD", "0", 1);
  EXPECT_EQ(WinogradSide(ShapeOf({1, 64, 56, 56, 64})), 0u);
  unsetenv("FOOTHOLD_WINOGRAD");
  EXPECT_EQ(WinogradSide(ShapeOf({1, 64, 56, 56, 64})), 4u);
}

TEST(ChannelBlocks, FillTheLastBlockWithZeros) {
  const BlockedImage image{1, 3, 2, 4};
  const std::vector<float> planes = {1, 2, 3, 4, 5, 6};
  std::vector<float> blocks(8, NAN), back(6);
  ToChannelBlocks(image, planes.data(), blocks.data());
  EXPECT_EQ(blocks, (std::vector<float>{1, 3, 5, 0, 2, 4, 6, 0}));
  FromChannelBlocks(image, blocks.data(), back.data());
  EXPECT_EQ(back, planes);
}

}  // namespace
}  // namespace foothold
