// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "base/error.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

// y[i] = function(x[i], v[channel of i]) with the channels on `axis`.
template <typename Function>
std::vector<double> PerChannel(const TensorValue& x, const std::vector<double>& v, std::size_t axis,
                               Function function) {
  std::vector<double> expected = Numbers(x);
  std::size_t inner = 1;
  for (std::size_t i = axis + 1; i < x.dims().size(); ++i)
    inner *= static_cast<std::size_t>(x.dims()[i]);
  for (std::size_t i = 0; i < expected.size(); ++i)
    expected[i] = function(expected[i], v[i / inner % v.size()]);
  return expected;
}

double Plus(double a, double b) {
  return a + b;
}
double PRelu(double a, double b) {
  return a > 0 ? a : a * b;
}

TEST(BiasAdd, FollowsTheFormatThenTheAttribute) {
  const struct {
    Dims dims;
    Format format;
    const char* data_format;
    std::size_t axis;
  } cases[] = {{{2, 3, 4, 5}, Format::kNchw, "NHWC", 1},   {{2, 4, 5, 3}, Format::kNhwc, "NCHW", 3},
               {{2, 3, 4, 5}, Format::kNd, "NCHW", 1},     {{2, 4, 5, 3}, Format::kNd, "NHWC", 3},
               {{7, 3}, Format::kNd, "NCHW", 1},           {{7, 3}, Format::kNchw, "NCHW", 1},
               {{2, 3, 2, 2, 2}, Format::kNd, "NCDHW", 1}, {{3}, Format::kNd, "NHWC", 0}};
  const std::vector<double> bias = {10, 20, 30};
  for (const auto& test : cases)
    for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kDouble}) {
      const TensorValue x = Random(type, test.dims, 3, test.format);
      OpRun run("BiasAdd");
      run.In("x", x)
          .In("bias", Tensor(type, {3}, bias))
          .Attr("data_format", std::string(test.data_format))
          .Out("y");
      const TensorValue y = run.Run();
      EXPECT_EQ(y.type(), x.type());
      ExpectNear(y, PerChannel(x, bias, test.axis, Plus), type == DataType::kFloat16 ? 2e-3 : 1e-6);
    }
}

TEST(BiasAdd, AddsIntegers) {
  OpRun run("BiasAdd");
  ExpectNear(run.In("x", Int32s({2, 2}, {1, 2, 3, 4})).In("bias", Int32s({2}, {10, 20})).Out("y").Run(),
             {11, 22, 13, 24});
}

TEST(BiasAdd, RefusesABiasOfAnotherLength) {
  OpRun run("BiasAdd");
  EXPECT_THROW(
      run.In("x", Random(DataType::kFloat, {2, 4}, 1)).In("bias", Floats({3}, {1, 2, 3})).Out("y").Run(),
      Error);
}

TEST(PRelu, TakesOneSlopePerChannel) {
  const std::vector<double> slopes = {0.5, 0.25, -1};
  const struct {
    Dims x, weight;
    Format format;
    std::size_t axis;
  } cases[] = {{{2, 3, 4, 5}, {3}, Format::kNchw, 1},       {{2, 3, 4, 5}, {3}, Format::kNd, 1},
               {{2, 4, 5, 3}, {3}, Format::kNhwc, 3},       {{2, 3}, {3}, Format::kNd, 1},
               {{2, 3, 4, 5}, {3, 1, 1}, Format::kNchw, 1}, {{2, 3, 4, 5}, {1, 3, 1, 1}, Format::kNd, 1}};
  for (const auto& test : cases)
    for (const DataType type : {DataType::kFloat, DataType::kDouble}) {
      const TensorValue x = Random(type, test.x, 5, test.format);
      const TensorValue y =
          OpRun("PRelu").In("x", x).In("weight", Tensor(type, test.weight, slopes)).Out("y").Run();
      ExpectNear(y, PerChannel(x, slopes, test.axis, PRelu));
    }
  ExpectNear(OpRun("PRelu").In("x", Floats({2}, {-4, 4})).In("weight", Floats({1}, {0.5})).Out("y").Run(),
             {-2, 4});
}

TEST(Scale, MultipliesAndAddsOverSomeAxes) {
  const TensorValue x = Random(DataType::kFloat, {2, 3, 4}, 9);
  const std::vector<double> scale = {1, 2, 3};
  OpRun plain("Scale");
  plain.In("x", x).In("scale", Floats({3}, scale)).NoInput("bias").Out("y");
  ExpectNear(plain.Run(), PerChannel(x, scale, 1, [](double a, double b) { return a * b; }));
  OpRun biased("Scale");
  biased.In("x", x).In("scale", Floats({3}, scale)).In("bias", Floats({3}, scale)).Out("y");
  ExpectNear(biased.Run(), PerChannel(x, scale, 1, [](double a, double b) { return a * b + b; }));
  OpRun last("Bias");
  last.In("x", x).In("bias", Floats({4}, {1, 2, 3, 4})).Attr("axis", std::int64_t{-1}).Out("y");
  ExpectNear(last.Run(), PerChannel(x, {1, 2, 3, 4}, 2, Plus));
}

TEST(Scale, RefusesAxesThatAreNotThere) {
  for (const std::int64_t axis : {4, -4}) {
    OpRun run("Bias");
    run.In("x", Random(DataType::kFloat, {2, 3, 4}, 9))
        .In("bias", Floats({3}, {1, 2, 3}))
        .Attr("axis", axis)
        .Out("y");
    EXPECT_THROW(run.Run(), Error);
  }
  OpRun many("Bias");
  many.In("x", Random(DataType::kFloat, {2, 3}, 9)).In("bias", Floats({3}, {1, 2, 3}));
  EXPECT_THROW(many.Attr("num_axes", std::int64_t{5}).Out("y").Run(), Error);
}

TEST(AscendQuant, RoundsTiesToEvenAndSaturates) {
  const TensorValue x = Floats({7}, {0.25, 0.75, 1.25, -0.25, 100, -100, NAN});
  const auto quant = [&](const char* mode) {
    return OpRun("AscendQuant")
        .In("x", x)
        .Attr("scale", 2.0f)
        .Attr("offset", 0.0f)
        .Attr("round_mode", std::string(mode))
        .Out("y")
        .Run();
  };
  EXPECT_EQ(quant("Round").type().type, DataType::kInt8);
  ExpectNear(quant("Round"), {0, 2, 2, 0, 127, -128, 0});
  ExpectNear(quant("Floor"), {0, 1, 2, -1, 127, -128, 0});
  ExpectNear(quant("Ceil"), {1, 2, 3, 0, 127, -128, 0});
  ExpectNear(quant("Trunc"), {0, 1, 2, 0, 127, -128, 0});
  EXPECT_THROW(quant("Stochastic"), Error);
}

TEST(AscendQuant, SquaresTheScaleInSqrtMode) {
  OpRun run("AscendQuant");
  run.In("x", Tensor(DataType::kFloat16, {2}, {1, -2})).Attr("scale", 3.0f).Attr("offset", 1.0f);
  ExpectNear(run.Attr("sqrt_mode", true).Out("y").Run(), {10, -17});
  OpRun without("AscendQuant");
  EXPECT_THROW(without.In("x", Floats({1}, {1})).Attr("offset", 1.0f).Out("y").Run(), Error);
}

TensorValue PackedScales(const std::vector<float>& scales) {
  TensorValue made(TensorType{DataType::kUint64, Format::kNd, {static_cast<std::int64_t>(scales.size())}});
  for (std::size_t i = 0; i < scales.size(); ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &scales[i], 4);
    made.MutableAs<std::uint64_t>()[i] = bits | std::uint64_t{0xABCD} << 32;
  }
  return made;
}

TEST(AscendDequant, ReadsFloatsInTheLowHalfOfItsScales) {
  const std::vector<double> numbers = {1, 2, 3, 4, 5, 6, -7, 8, -9, 10, 11, 12};
  const TensorValue x = [&] {
    TensorValue made = Int32s({1, 3, 2, 2}, numbers);
    made.set_type({DataType::kInt32, Format::kNchw, {1, 3, 2, 2}});
    return made;
  }();
  OpRun run("AscendDequant");
  run.In("x", x).In("deq_scale", PackedScales({0.5f, 2, 4})).Out("y");
  ExpectNear(run.Run(), {0.5, 1, 1.5, 2, 10, 12, -14, 16, -36, 40, 44, 48});
  OpRun all("AscendDequant");
  all.In("x", x).In("deq_scale", PackedScales({2})).Attr("relu_flag", true).Attr("sqrt_mode", true);
  const TensorValue y = all.Attr("dtype", std::int64_t{1}).Out("y").Run();
  EXPECT_EQ(y.type().type, DataType::kFloat16);
  ExpectNear(y, {4, 8, 12, 16, 20, 24, 0, 32, 0, 40, 44, 48});
  OpRun floats("AscendDequant");
  ExpectNear(floats.In("x", Int32s({1, 2}, {3, 4})).In("deq_scale", Floats({2}, {0.5, 0.25})).Out("y").Run(),
             {1.5, 1});
}

}  // namespace
}  // namespace foothold
