// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include "base/error.h"
#include "ops/convolution/convolution_reference.h"

namespace foothold {
namespace {

struct Case {
  ConvolutionCase sizes;
  Format format, filter_format;
  DataType type;
  bool variant;
};

std::vector<Case> Cases() {
  std::vector<Case> cases;
  int i = 0;
  for (const ConvolutionCase& sizes : ConvolutionCases())
    for (const Format format : {Format::kNchw, Format::kNhwc})
      for (const Format filter : {Format::kNchw, Format::kHwcn, Format::kNhwc})
        cases.push_back({sizes, format, filter, DataType::kFloat, i++ % 2 == 0});
  for (const DataType type : {DataType::kFloat16, DataType::kBfloat16, DataType::kDouble})
    cases.push_back({ConvolutionCases()[5], Format::kNchw, Format::kHwcn, type, type != DataType::kDouble});
  return cases;
}

class ConvolutionGradient : public testing::TestWithParam<Case> {};

TEST_P(ConvolutionGradient, ForTheInputEqualsItsDefinition) {
  const auto& [c, format, filter_format, type, constant] = GetParam();
  const auto dy = Random(type, DimsIn(format, c.n, c.out, c.OutHeight(), c.OutWidth()), 1, format);
  const auto filter =
      Random(type, DimsIn(filter_format, c.out, c.c / c.groups, c.kh, c.kw), 2, filter_format);
  const Dims size = DimsIn(format, c.n, c.c, c.h, c.w);
  OpRun run(constant ? "Conv2DBackpropInputD" : "Conv2DBackpropInput");
  if (constant)
    run.In("filter", filter).Attr("input_size", size);
  else
    run.In("input_size", Int32s({4}, std::vector<double>(size.begin(), size.end()))).Late("filter", filter);
  run.Late("out_backprop", dy).Out("y");
  SetWindow(run, c, format);
  const auto dx = run.Run();
  EXPECT_EQ(dx.dims(), size);
  const Array4 expected = InputGradient(c, ByMeaning(dy, format), ByMeaning(filter, filter_format));
  ExpectNear(dx, InFormat(expected, format), 4 * ConvolutionTolerance(type));
}

TEST_P(ConvolutionGradient, ForTheFilterEqualsItsDefinition) {
  const auto& [c, format, filter_format, type, attribute] = GetParam();
  const auto x = Random(type, DimsIn(format, c.n, c.c, c.h, c.w), 1, format);
  const auto dy = Random(type, DimsIn(format, c.n, c.out, c.OutHeight(), c.OutWidth()), 2, format);
  const Dims size = DimsIn(filter_format, c.out, c.c / c.groups, c.kh, c.kw);
  OpRun run(attribute ? "Conv2DBackpropFilterD" : "Conv2DBackpropFilter");
  run.Late("x", x);
  if (attribute)
    run.Attr("filter_size", size);
  else
    run.In("filter_size", Int32s({4}, std::vector<double>(size.begin(), size.end())));
  run.Late("out_backprop", dy).Out("y");
  run.node().outputs()[0].desc.format = filter_format;
  SetWindow(run, c, format);
  const auto dw = run.Run();
  EXPECT_EQ(dw.dims(), size);
  const Array4 expected = FilterGradient(c, ByMeaning(x, format), ByMeaning(dy, format));
  ExpectNear(dw, InFormat(expected, filter_format), 10 * ConvolutionTolerance(type));
}

INSTANTIATE_TEST_SUITE_P(Sizes, ConvolutionGradient, testing::ValuesIn(Cases()));

TEST(Conv2DTranspose, SpreadsByHand) {
  OpRun run("Conv2DTransposeD");
  run.In("x", Floats({1, 1, 1, 2}, {1, 2}, Format::kNchw));
  run.In("filter", Floats({1, 1, 1, 3}, {1, 10, 100}, Format::kNchw)).In("bias", Floats({1}, {0.5}));
  run.Attr("input_size", Ints{0, 0, 0, 0}).Attr("pads", Ints{0, 0, 0, 0}).Attr("strides", Ints{1, 1, 1, 2});
  const auto y = run.Out("y").Run();
  EXPECT_EQ(y.dims(), (Dims{1, 1, 1, 5}));
  ExpectNear(y, {1.5, 10.5, 102.5, 20.5, 200.5});
}

TEST(Conv2DTranspose, DerivesTheSizeOrTakesIt) {
  const auto run = [](const Ints& size, const Ints& extra) {
    OpRun transpose("Conv2DTranspose");
    transpose.In("input_size", Int32s({static_cast<std::int64_t>(size.size())},
                                      std::vector<double>(size.begin(), size.end())));
    transpose.In("x", Random(DataType::kFloat, {2, 6, 4, 5}, 1, Format::kNchw));
    transpose.In("filter", Random(DataType::kFloat, {6, 2, 3, 3}, 2, Format::kNchw));
    transpose.Attr("pads", Ints{1, 1, 0, 1})
        .Attr("strides", Ints{1, 1, 2, 3})
        .Attr("groups", std::int64_t{2});
    return transpose.Attr("output_padding", extra).Out("y").Run();
  };
  const Ints none{0, 0, 0, 0};
  EXPECT_EQ(run(none, none).dims(), (Dims{2, 4, 7, 14}));
  EXPECT_EQ(run(none, {0, 0, 1, 2}).dims(), (Dims{2, 4, 8, 16}));
  EXPECT_EQ(run({2, 4, 8, 15}, none).dims(), (Dims{2, 4, 8, 15}));
  EXPECT_EQ(Numbers(run({2, 4, 8, 16}, none)), Numbers(run(none, {0, 0, 1, 2})));
  EXPECT_THROW(run({2, 4, 9, 15}, none), Error);
  EXPECT_THROW(run({2, 3, 8, 15}, none), Error);
  EXPECT_THROW(run({2, 4, -8, 15}, none), Error);
}

TEST(Conv2DBackpropFilter, RefusesAGradientOfAnotherSize) {
  OpRun run("Conv2DBackpropFilterD");
  run.In("x", Random(DataType::kFloat, {1, 2, 4, 4}, 1, Format::kNchw));
  run.In("out_backprop", Random(DataType::kFloat, {1, 3, 3, 4}, 1, Format::kNchw));
  run.Attr("filter_size", Ints{3, 2, 2, 2}).Attr("strides", Ints{1, 1, 1, 1}).Attr("pads", Ints{0, 0, 0, 0});
  EXPECT_THROW(run.Out("y").Run(), Error);
}

}  // namespace
}  // namespace foothold
