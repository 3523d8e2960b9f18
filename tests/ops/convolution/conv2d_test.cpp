// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include "base/error.h"
#include "kernels/channel_blocks.h"
#include "ops/convolution/convolution_reference.h"

namespace foothold {
namespace {

struct Case {
  ConvolutionCase sizes;
  Format format, filter_format;
  DataType type;
  bool constant, bias;
};

class Conv2DOp : public testing::TestWithParam<Case> {};

TEST_P(Conv2DOp, EqualsItsDefinition) {
  const auto& [c, format, filter_format, type, constant, with_bias] = GetParam();
  const auto x = Random(type, DimsIn(format, c.n, c.c, c.h, c.w), 1, format);
  const auto filter =
      Random(type, DimsIn(filter_format, c.out, c.c / c.groups, c.kh, c.kw), 2, filter_format);
  const auto bias = Random(type, {c.out}, 3);
  OpRun run("Conv2D");
  run.Late("x", x);
  constant ? run.In("filter", filter) : run.Late("filter", filter);
  if (with_bias) run.Late("bias", bias);
  SetWindow(run, c, format);
  const auto y = run.Out("y").Run();
  EXPECT_EQ(y.dims(), DimsIn(format, c.n, c.out, c.OutHeight(), c.OutWidth()));
  EXPECT_EQ(y.type().format, format);
  Array4 expected = Convolved(c, ByMeaning(x, format), ByMeaning(filter, filter_format));
  if (with_bias) AddChannelBias(expected, Numbers(bias));
  ExpectNear(y, InFormat(expected, format), ConvolutionTolerance(type));
}

std::vector<Case> Cases() {
  std::vector<Case> cases;
  int i = 0;
  for (const ConvolutionCase& sizes : ConvolutionCases())
    for (const Format format : {Format::kNchw, Format::kNhwc})
      for (const Format filter : {Format::kNchw, Format::kHwcn, Format::kNhwc}) {
        cases.push_back({sizes, format, filter, DataType::kFloat, i % 2 == 0, i % 3 != 0});
        ++i;
      }
  for (const DataType type : {DataType::kFloat16, DataType::kBfloat16, DataType::kDouble})
    for (const Format format : {Format::kNchw, Format::kNhwc})
      cases.push_back({ConvolutionCases()[5], format, Format::kHwcn, type, format == Format::kNchw, true});
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Sizes, Conv2DOp, testing::ValuesIn(Cases()));

TensorValue Small(const std::string& padding_attribute, const std::string& padding) {
  OpRun run("Conv2D");
  run.In("x", Floats({1, 1, 1, 4}, {1, 2, 3, 4}, Format::kNchw))
      .In("filter", Floats({1, 1, 1, 2}, {1, 10}, Format::kNchw))
      .Attr("strides", Ints{1, 1, 1, 1})
      .Attr("pads", Ints{0, 0, 0, 0})
      .Out("y");
  if (!padding_attribute.empty()) run.Attr(padding_attribute, padding);
  return run.Run();
}

TEST(Conv2D, IsACorrelationByHand) {
  ExpectNear(Small("", ""), {21, 32, 43});
}

TEST(Conv2D, TakesPaddingsOfOtherFrameworks) {
  ExpectNear(Small("padding", "SAME"), {21, 32, 43, 4});
  ExpectNear(Small("padding", "VALID"), {21, 32, 43});
  ExpectNear(Small("padding", "EXPLICIT"), {21, 32, 43});
  ExpectNear(Small("auto_pad", "SAME_UPPER"), {21, 32, 43, 4});
  ExpectNear(Small("auto_pad", "SAME_LOWER"), {10, 21, 32, 43});
  ExpectNear(Small("auto_pad", "NOTSET"), {21, 32, 43});
  EXPECT_THROW(Small("padding", "WIDE"), Error);
}

TEST(Conv2D, GoesByDataFormatWhenTheDescriptorDoesNotSay) {
  const auto run = [](const std::string& format) {
    OpRun conv("Conv2D");
    conv.In("x", Floats({1, 1, 2, 2}, {1, 2, 3, 4})).In("filter", Floats({1, 1, 2, 1}, {1, 10}));
    conv.Attr("strides", Ints{1, 1, 1, 1}).Attr("pads", Ints{0, 0, 0, 0}).Out("y");
    if (!format.empty()) conv.Attr("data_format", format);
    return conv.Run();
  };
  EXPECT_EQ(run("NCHW").dims(), (Dims{1, 1, 1, 2}));
  ExpectNear(run("NCHW"), {31, 42});
  EXPECT_EQ(run("NHWC").dims(), (Dims{1, 1, 2, 1}));
  ExpectNear(run("NHWC"), {21, 43});
  ExpectNear(run(""), {21, 43});
  EXPECT_THROW(run("CHWN"), Error);
}

TEST(Conv2D, FindsGroupsTheProgramDidNotSay) {
  const ConvolutionCase c{1, 4, 3, 3, 6, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0, 2};
  const auto x = Random(DataType::kFloat, {1, 4, 3, 3}, 1, Format::kNchw);
  const auto filter = Random(DataType::kFloat, {6, 2, 2, 2}, 2, Format::kNchw);
  OpRun run("Conv2D");
  run.In("x", x).In("filter", filter).Attr("strides", Ints{1, 1, 1, 1}).Attr("pads", Ints{0, 0, 0, 0});
  ExpectNear(run.Attr("group", std::int64_t{2}).Out("y").Run(),
             Convolved(c, ByMeaning(x, Format::kNchw), ByMeaning(filter, Format::kNchw)).values, 1e-5);
}

TEST(Conv2D, SumsInt8InInt32AndTakesTheOffsetFromIt) {
  OpRun run("Conv2D");
  run.In("x", Tensor(DataType::kInt8, {1, 2, 2, 1}, {127, -128, 3, 4}, Format::kNhwc));
  run.In("filter", Tensor(DataType::kInt8, {2, 2, 1, 1}, {127, -128, 1, 2}, Format::kHwcn));
  run.In("bias", Int32s({1}, {1000})).NoInput("offset_w");
  run.Attr("strides", Ints{1, 1, 1, 1}).Attr("pads", Ints{0, 1, 0, 0}).Attr("offset_x", std::int64_t{-1});
  const auto y = run.Out("y").Run();
  EXPECT_EQ(y.type().type, DataType::kInt32);
  EXPECT_EQ(y.dims(), (Dims{1, 2, 1, 1}));
  ExpectNear(y, {128.0 * 127 + 127.0 * 128 + 4 + 10 + 1000, 4.0 * 127 - 5 * 128 + 1000});
}

TEST(Conv2D, RefusesWhatDoesNotFit) {
  const auto run = [](const Dims& filter, const Ints& strides, const Ints& pads, std::int64_t groups,
                      const Dims& bias) {
    OpRun conv("Conv2D");
    conv.In("x", Random(DataType::kFloat, {1, 4, 5, 5}, 1, Format::kNchw));
    conv.In("filter", Random(DataType::kFloat, filter, 2, Format::kNchw));
    conv.In("bias", Random(DataType::kFloat, bias, 3));
    return conv.Attr("strides", strides).Attr("pads", pads).Attr("groups", groups).Out("y").Run();
  };
  const Ints ones{1, 1, 1, 1}, zeros{0, 0, 0, 0};
  EXPECT_NO_THROW(run({2, 4, 3, 3}, ones, zeros, 1, {2}));
  EXPECT_THROW(run({2, 3, 3, 3}, ones, zeros, 1, {2}), Error);
  EXPECT_THROW(run({3, 2, 3, 3}, ones, zeros, 2, {3}), Error);
  EXPECT_THROW(run({2, 4, 3, 3}, ones, zeros, 0, {2}), Error);
  EXPECT_THROW(run({2, 4, 6, 3}, ones, zeros, 1, {2}), Error);
  EXPECT_THROW(run({2, 4, 0, 3}, ones, zeros, 1, {2}), Error);
  EXPECT_THROW(run({2, 4, 3, 3}, {1, 1, 0, 1}, zeros, 1, {2}), Error);
  EXPECT_THROW(run({2, 4, 3, 3}, {1, 1, 1}, zeros, 1, {2}), Error);
  EXPECT_THROW(run({2, 4, 3, 3}, ones, {0, 0, -1, 0}, 1, {2}), Error);
  EXPECT_THROW(run({2, 4, 3, 3}, ones, {0, 0, std::int64_t{1} << 62, 0}, 1, {2}), Error);
  EXPECT_THROW(run({2, 4, 3, 3}, ones, {0, 0}, 1, {2}), Error);
  EXPECT_THROW(run({2, 4, 3, 3}, ones, zeros, 1, {3}), Error);
  EXPECT_THROW(run({2, 4, 3}, ones, zeros, 1, {2}), Error);
}

struct DepthwiseCase {
  Format format, filter_format;
  std::int64_t multiplier;
  DataType type;
};
class DepthwiseConv2DOp : public testing::TestWithParam<DepthwiseCase> {};

TEST_P(DepthwiseConv2DOp, PutsTheMultiplierInsideTheChannel) {
  const auto& [format, filter_format, multiplier, type] = GetParam();
  const ConvolutionCase c{2, 20, 7, 9, 20 * multiplier, 3, 2, 2, 1, 1, 2, 1, 0, 1, 1, 20};
  const auto x = Random(type, DimsIn(format, c.n, c.c, c.h, c.w), 1, format);
  // [C*K,1,kh,kw] or [kh,kw,C,K], which in memory is [kh,kw,1,C*K].
  const bool hwcn = filter_format == Format::kHwcn;
  const auto filter =
      Random(type, hwcn ? Dims{3, 2, 20, multiplier} : Dims{c.out, 1, 3, 2}, 2, filter_format);
  auto flat = filter;
  if (hwcn) flat.set_type({type, filter_format, {3, 2, 1, c.out}});
  OpRun run("DepthwiseConv2D");
  run.Late("x", x).In("filter", filter);
  SetWindow(run, c, format);
  run.node().attributes.erase("groups");
  const auto y = run.Out("y").Run();
  ExpectNear(y, InFormat(Convolved(c, ByMeaning(x, format), ByMeaning(flat, filter_format)), format),
             ConvolutionTolerance(type));
}

std::vector<DepthwiseCase> DepthwiseCases() {
  std::vector<DepthwiseCase> cases;
  for (const Format format : {Format::kNchw, Format::kNhwc})
    for (const Format filter : {Format::kNchw, Format::kHwcn})
      for (const std::int64_t multiplier : {1, 3})
        for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kDouble})
          cases.push_back({format, filter, multiplier, type});
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Ways, DepthwiseConv2DOp, testing::ValuesIn(DepthwiseCases()));

TEST(DepthwiseConv2D, RefusesAFilterForOtherChannels) {
  OpRun run("DepthwiseConv2D");
  run.In("x", Random(DataType::kFloat, {1, 4, 4, 3}, 1, Format::kNhwc));
  run.In("filter", Random(DataType::kFloat, {2, 2, 4, 1}, 2, Format::kHwcn));
  run.Attr("strides", Ints{1, 1, 1, 1}).Attr("pads", Ints{0, 0, 0, 0}).Out("y");
  EXPECT_THROW(run.Run(), Error);
}

// What a pass makes, as a file may hold it: with numbers that do not fit each other.
TensorValue ConvolveBlocks(std::int64_t channels, std::int64_t biases, std::int64_t residual_blocks) {
  const auto lanes = static_cast<std::int64_t>(ChannelBlock());
  return OpRun("BlockedConv2D")
      .Late("x", Random(DataType::kFloat, {1, 1, 4, 4, lanes}, 1, Format::kNc1hwc0))
      .In("filter", Random(DataType::kFloat, {lanes, channels, 1, 1}, 2))
      .In("bias", Random(DataType::kFloat, {biases}, 3))
      .Late("residual", Random(DataType::kFloat, {1, residual_blocks, 4, 4, lanes}, 4, Format::kNc1hwc0))
      .Attr("strides", Ints{1, 1, 1, 1})
      .Attr("pads", Ints{0, 0, 0, 0})
      .Attr("channels", channels)
      .Out("y")
      .Run();
}

TEST(BlockedConv2DOp, RefusesNumbersThatDoNotFitItsBlocks) {
  const auto lanes = static_cast<std::int64_t>(ChannelBlock());
  EXPECT_NO_THROW(ConvolveBlocks(lanes, lanes, 1));
  EXPECT_THROW(ConvolveBlocks(lanes + 1, lanes, 1), Error);
  EXPECT_THROW(ConvolveBlocks(100 * lanes, lanes, 1), Error);
  EXPECT_THROW(ConvolveBlocks(lanes, 1, 1), Error);
  EXPECT_THROW(ConvolveBlocks(lanes, lanes, 2), Error);
}

TensorValue ExpandBlocks(std::int64_t channels, std::int64_t expanded, std::int64_t groups,
                         std::int64_t window) {
  const auto lanes = static_cast<std::int64_t>(ChannelBlock());
  return OpRun("BlockedExpandedDepthwise")
      .Late("x", Random(DataType::kFloat, {1, 1, 4, 4, lanes}, 1, Format::kNc1hwc0))
      .In("filter", Random(DataType::kFloat, {groups, 1, 3, 3}, 2))
      .In("bias", Random(DataType::kFloat, {groups}, 3))
      .In("expansion_filter", Random(DataType::kFloat, {expanded, channels, window, window}, 4))
      .In("expansion_bias", Random(DataType::kFloat, {expanded}, 5))
      .Attr("strides", Ints{1, 1, 1, 1})
      .Attr("pads", Ints{1, 1, 1, 1})
      .Attr("groups", groups)
      .Attr("expansion_channels", channels)
      .Out("y")
      .Run();
}

TEST(ExpandedDepthwiseOp, RefusesNumbersThatDoNotFitEachOther) {
  const auto lanes = static_cast<std::int64_t>(ChannelBlock());
  EXPECT_NO_THROW(ExpandBlocks(lanes, 2 * lanes, 2 * lanes, 1));
  EXPECT_THROW(ExpandBlocks(lanes + 1, 2 * lanes, 2 * lanes, 1), Error);
  EXPECT_THROW(ExpandBlocks(lanes, lanes, 2 * lanes, 1), Error);
  EXPECT_THROW(ExpandBlocks(lanes, 2 * lanes, 1, 1), Error);
  EXPECT_THROW(ExpandBlocks(lanes, 2 * lanes, 2 * lanes, 3), Error);
}

}  // namespace
}  // namespace foothold
