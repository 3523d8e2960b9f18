// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "ops/convolution/convolution_reference.h"

namespace foothold {
namespace {

// n c h w are the image's; `out` and groups are not used.
struct Reference {
  ConvolutionCase c;
  bool ceil = false, exclusive = true;

  std::int64_t Out(std::int64_t extent, std::int64_t pads, std::int64_t k, std::int64_t stride) const {
    const double steps = static_cast<double>(extent + pads - k) / static_cast<double>(stride);
    return static_cast<std::int64_t>(ceil ? std::ceil(steps) : std::floor(steps)) + 1;
  }
  std::int64_t OutHeight() const { return Out(c.h, c.top + c.bottom, c.kh, c.stride_h); }
  std::int64_t OutWidth() const { return Out(c.w, c.left + c.right, c.kw, c.stride_w); }
};

Array4 Pooled(const Reference& r, const Array4& x, bool max) {
  const ConvolutionCase& c = r.c;
  Array4 y = Zeros(c.n, c.c, r.OutHeight(), r.OutWidth());
  for (std::int64_t n = 0; n < c.n; ++n)
    for (std::int64_t ch = 0; ch < c.c; ++ch)
      for (std::int64_t oh = 0; oh < y.dims[2]; ++oh)
        for (std::int64_t ow = 0; ow < y.dims[3]; ++ow) {
          double best = -std::numeric_limits<double>::infinity(), sum = 0, inside = 0, counted = 0;
          for (std::int64_t kh = 0; kh < c.kh; ++kh)
            for (std::int64_t kw = 0; kw < c.kw; ++kw) {
              const std::int64_t ih = oh * c.stride_h - c.top + kh, iw = ow * c.stride_w - c.left + kw;
              if (ih < c.h + c.bottom && iw < c.w + c.right) ++counted;
              if (ih < 0 || ih >= c.h || iw < 0 || iw >= c.w) continue;
              best = std::max(best, x.At(n, ch, ih, iw));
              sum += x.At(n, ch, ih, iw);
              ++inside;
            }
          y.At(n, ch, oh, ow) = max ? best : sum / std::max(1.0, r.exclusive ? inside : counted);
        }
  return y;
}

struct Case {
  Reference reference;
  Format format;
  DataType type;
};

class PoolingOp : public testing::TestWithParam<Case> {};

TensorValue PoolOf(const std::string& type, const TensorValue& x, const Case& test) {
  const ConvolutionCase& c = test.reference.c;
  OpRun run(type);
  run.Late("x", x);
  SetWindow(run, c, test.format);
  const bool last = test.format == Format::kNhwc;
  run.Attr("ksize", last ? Ints{1, c.kh, c.kw, 1} : Ints{1, 1, c.kh, c.kw});
  run.Attr("ceil_mode", test.reference.ceil).Attr("exclusive", test.reference.exclusive);
  return run.Out("y").Run();
}

TEST_P(PoolingOp, EqualsItsDefinition) {
  const Case& test = GetParam();
  const ConvolutionCase& c = test.reference.c;
  const auto x = Random(test.type, DimsIn(test.format, c.n, c.c, c.h, c.w), 1, test.format);
  const Array4 image = ByMeaning(x, test.format);
  for (const bool max : {true, false}) {
    const auto y = PoolOf(max ? "MaxPoolV3" : "AvgPoolV2", x, test);
    const Array4 expected = Pooled(test.reference, image, max);
    EXPECT_EQ(y.dims(), DimsIn(test.format, c.n, c.c, expected.dims[2], expected.dims[3]));
    ExpectNear(y, InFormat(expected, test.format), ConvolutionTolerance(test.type));
  }
}

std::vector<Case> Cases() {
  const ConvolutionCase shapes[] = {
      {1, 1, 1, 1, 0, 1, 1},
      {2, 3, 7, 9, 0, 2, 2, 2, 2},
      {1, 20, 8, 11, 0, 3, 3, 2, 2, 1, 1, 1, 1, 1, 1},
      {1, 5, 6, 7, 0, 3, 2, 1, 3, 1, 1, 2, 0, 1, 0},
      {1, 2, 4, 700, 0, 2, 5, 1, 1, 1, 1, 0, 0, 2, 2},
      {1, 2, 3, 700, 0, 2, 600, 1, 7, 1, 1, 0, 0, 2, 2},
      {1, 3, 6, 5, 0, 6, 5},
      {2, 2, 6, 6, 0, 2, 2, 3, 4, 1, 1, 1, 1, 1, 1},
      {0, 2, 6, 6, 0, 2, 2},
  };
  std::vector<Case> cases;
  for (const ConvolutionCase& shape : shapes)
    for (int bits = 0; bits < 8; ++bits)
      cases.push_back({{shape, (bits & 1) != 0, (bits & 2) != 0},
                       (bits & 4) != 0 ? Format::kNchw : Format::kNhwc,
                       DataType::kFloat});
  for (const DataType type : {DataType::kFloat16, DataType::kBfloat16, DataType::kDouble})
    for (const Format format : {Format::kNchw, Format::kNhwc})
      cases.push_back({{shapes[2], true, true}, format, type});
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Sizes, PoolingOp, testing::ValuesIn(Cases()));

const Format kFormats[] = {Format::kNchw, Format::kNhwc};

TEST(Pooling, PadsAsTensorFlowDoes) {
  for (const Format format : kFormats) {
    const auto x = Floats(DimsIn(format, 1, 1, 1, 5), {1, 2, 3, 4, 5}, format);
    const auto run = [&](const std::string& type, const std::string& attribute, const std::string& padding) {
      const bool last = format == Format::kNhwc;
      return OpRun(type)
          .In("x", x)
          .Attr("ksize", last ? Ints{1, 1, 2, 1} : Ints{1, 1, 1, 2})
          .Attr("strides", last ? Ints{1, 1, 2, 1} : Ints{1, 1, 1, 2})
          .Attr(attribute, padding)
          .Out("y")
          .Run();
    };
    ExpectNear(run("MaxPool", "padding", "SAME"), {2, 4, 5});
    ExpectNear(run("MaxPool", "padding", "VALID"), {2, 4});
    ExpectNear(run("AvgPool", "padding", "SAME"), {1.5, 3.5, 5});
    ExpectNear(run("AvgPool", "padding", "VALID"), {1.5, 3.5});
    ExpectNear(run("MaxPoolV3", "padding_mode", "SAME"), {2, 4, 5});
    ExpectNear(run("AvgPoolV2", "padding_mode", "SAME"), {1.5, 3.5, 5});
    EXPECT_THROW(run("MaxPool", "padding", "FULL"), Error);
  }
}

TEST(Pooling, GoesOverTheWholePlane) {
  const auto x = Floats({1, 2, 2, 2}, {1, 2, 3, 4, -5, -6, -7, -8}, Format::kNchw);
  const auto global = [&](const std::string& type) {
    return OpRun(type).In("x", x).Attr("global_pooling", true).Out("y").Run();
  };
  EXPECT_EQ(global("MaxPoolV3").dims(), (Dims{1, 2, 1, 1}));
  ExpectNear(global("MaxPoolV3"), {4, -5});
  ExpectNear(global("AvgPoolV2"), {2.5, -6.5});
  const auto whole = [&](const std::string& type) {
    OpRun run(type);
    run.In("x", x).Attr("ksize", Ints{1, 1, -1, -1}).Attr("strides", Ints{1, 1, 1, 1});
    return run.Attr("padding", std::string("VALID")).Attr("data_format", std::string("NCHW")).Out("y").Run();
  };
  ExpectNear(whole("MaxPool"), {4, -5});
  ExpectNear(whole("AvgPool"), {2.5, -6.5});
  ExpectNear(OpRun("GlobalAveragePool").In("x", x).Out("y").Run(), {2.5, -6.5});
  const auto deep = OpRun("GlobalAveragePool").In("x", Floats({1, 1, 1, 2, 2}, {1, 2, 3, 4})).Out("y").Run();
  EXPECT_EQ(deep.dims(), (Dims{1, 1, 1, 1, 1}));
  ExpectNear(deep, {2.5});
}

TEST(Pooling, TakesItsDivisorFromTheProgram) {
  OpRun run("AvgPoolV2");
  run.In("x", Floats({1, 1, 2, 2}, {1, 2, 3, 4}, Format::kNchw)).Attr("ksize", Ints{1, 1, 2, 2});
  run.Attr("strides", Ints{1, 1, 1, 1}).Attr("divisor_override", std::int64_t{2}).Out("y");
  ExpectNear(run.Run(), {5});
}

TEST(Pooling, KeepsNaNAndKnowsIntegers) {
  const auto run = [](const TensorValue& x) {
    return OpRun("MaxPoolV3")
        .In("x", x)
        .Attr("ksize", Ints{1, 1, 1, 2})
        .Attr("strides", Ints{1, 1, 1, 1})
        .Out("y")
        .Run();
  };
  ExpectNear(run(Floats({1, 1, 1, 4}, {1, NAN, -3, -4}, Format::kNchw)), {NAN, NAN, -3});
  ExpectNear(run(Tensor(DataType::kInt8, {1, 1, 1, 3}, {-128, -127, 5}, Format::kNchw)), {-127, 5});
  ExpectNear(run(Tensor(DataType::kInt64, {1, 1, 1, 3}, {-1, -2, -3}, Format::kNchw)), {-1, -2});
}

TEST(Pooling, HasTheWindowsOfCaffe) {
  const auto run = [](std::int64_t mode, std::int64_t ceil, const Ints& pad) {
    OpRun pooling("Pooling");
    pooling.In("x", Floats({1, 1, 1, 5}, {1, 2, 3, 4, 5}, Format::kNchw)).Attr("mode", mode);
    pooling.Attr("window", Ints{1, 2}).Attr("stride", Ints{1, 2}).Attr("pad", pad).Attr("ceil_mode", ceil);
    return pooling.Out("y").Run();
  };
  ExpectNear(run(0, 0, {0, 0, 0, 0}), {2, 4, 5});
  ExpectNear(run(0, 1, {0, 0, 0, 0}), {2, 4});
  ExpectNear(run(1, 0, {0, 0, 1, 1}), {0.5, 2.5, 4.5});
  ExpectNear(run(0, 0, {0, 0, 0, 2}), {2, 4, 5});
  EXPECT_THROW(run(2, 0, {0, 0, 0, 0}), Error);
}

TEST(Pooling, RefusesWhatDoesNotFit) {
  const auto run = [](const Dims& dims, const Ints& ksize, const Ints& strides, const Ints& pads) {
    OpRun pooling("MaxPoolV3");
    pooling.In("x", Random(DataType::kFloat, dims, 1)).Attr("ksize", ksize).Attr("strides", strides);
    return pooling.Attr("pads", pads).Out("y").Run();
  };
  const Ints ones{1, 1, 1, 1}, zeros{0, 0, 0, 0};
  EXPECT_NO_THROW(run({1, 1, 3, 3}, {1, 1, 3, 3}, ones, zeros));
  EXPECT_THROW(run({1, 1, 3, 3}, {1, 1, 4, 3}, ones, zeros), Error);
  EXPECT_THROW(run({1, 1, 3, 3}, {1, 1, 0, 3}, ones, zeros), Error);
  EXPECT_THROW(run({1, 1, 3, 3}, {1, 1, 3, 3}, {1, 1, 0, 1}, zeros), Error);
  EXPECT_THROW(run({1, 1, 3, 3}, {1, 1, 3, 3}, ones, {0, 0, -1, 0}), Error);
  EXPECT_THROW(run({1, 3, 3}, {1, 1, 3, 3}, ones, zeros), Error);
  EXPECT_THROW(run({1, 1, 3, 3}, {3, 3, 3}, ones, zeros), Error);
}

TEST(PoolingGradient, GoesToTheFirstMaximum) {
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kDouble}) {
    const auto x = Tensor(type, {1, 1, 5, 1}, {1, 3, 3, 2, 0}, Format::kNhwc);
    OpRun run("MaxPoolGrad");
    run.In("x1", x).In("x2", Tensor(type, {1, 1, 3, 1}, {3, 3, 0}, Format::kNhwc));
    run.In("grad", Tensor(type, {1, 1, 3, 1}, {10, 20, 30}, Format::kNhwc));
    run.Attr("ksize", Ints{1, 1, 2, 1})
        .Attr("strides", Ints{1, 1, 2, 1})
        .Attr("padding", std::string("SAME"));
    ExpectNear(run.Out("y").Run(), {0, 10, 20, 0, 30});
  }
}

TEST(PoolingGradient, IsSharedByTheWindow) {
  const auto run = [](bool tensor, const Dims& gradient) {
    OpRun average(tensor ? "AvgPoolGrad" : "AvgPoolGradD");
    if (tensor) average.In("orig_input_shape", Int32s({4}, {1, 1, 1, 5}));
    average.In("input_grad", Floats(gradient, {2, 4, 6}, Format::kNchw));
    if (!tensor) average.Attr("orig_input_shape", Ints{1, 1, 1, 5});
    average.Attr("ksize", Ints{1, 1, 1, 2}).Attr("strides", Ints{1, 1, 1, 2});
    return average.Attr("padding", std::string("SAME")).Out("out_grad").Run();
  };
  ExpectNear(run(true, {1, 1, 1, 3}), {1, 1, 2, 2, 6});
  ExpectNear(run(false, {1, 1, 1, 3}), {1, 1, 2, 2, 6});
  EXPECT_THROW(run(true, {1, 1, 3, 1}), Error);
}

TEST(PoolingGradient, AddsUpWhereWindowsOverlap) {
  const auto x = Floats({1, 1, 3, 3}, {1, 2, 3, 4, 9, 5, 6, 7, 8}, Format::kNchw);
  OpRun run("MaxPoolV3Grad");
  run.In("orig_input", x).In("orig_output", Floats({1, 1, 2, 2}, {9, 9, 9, 9}, Format::kNchw));
  run.In("grad", Floats({1, 1, 2, 2}, {1, 2, 3, 4}, Format::kNchw));
  run.Attr("ksize", Ints{1, 1, 2, 2}).Attr("strides", Ints{1, 1, 1, 1}).Out("out_grad");
  ExpectNear(run.Run(), {0, 0, 0, 0, 10, 0, 0, 0, 0});
}

TEST(PoolingGradient, DividesAsTheAverageDid) {
  const auto run = [](bool exclusive, std::int64_t divisor) {
    OpRun average("AvgPoolV2Grad");
    average.In("orig_input_shape", Int32s({4}, {1, 1, 1, 3}));
    average.Late("input_grad", Floats({1, 1, 1, 2}, {6, 12}, Format::kNchw));
    average.Attr("ksize", Ints{1, 1, 1, 2}).Attr("strides", Ints{1, 1, 1, 2}).Attr("pads", Ints{0, 0, 1, 0});
    average.Attr("exclusive", exclusive).Attr("divisor_override", divisor);
    return average.Out("out_grad").Run();
  };
  ExpectNear(run(true, 0), {6, 6, 6});
  ExpectNear(run(false, 0), {3, 6, 6});
  ExpectNear(run(true, 3), {2, 4, 4});
}

}  // namespace
}  // namespace foothold
