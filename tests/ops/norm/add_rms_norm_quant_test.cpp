// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gmock/gmock.h>

#include "ops/quantized/rounded.h"

namespace foothold {
namespace {

using List = std::vector<double>;
using testing::HasSubstr;

constexpr DataType kTypes[] = {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16};

struct Data {
  TensorValue x1, x2, gamma, beta;
};

Data DataOf(DataType type, const Dims& dims, std::int64_t width) {
  return {Random(type, dims, 1), Random(type, dims, 2), Random(type, {width}, 3), Random(type, {width}, 4)};
}

List Sum(const Data& data) {
  List sum = Numbers(data.x1);
  for (std::size_t i = 0; i < sum.size(); ++i)
    sum[i] += Numbers(data.x2)[i];
  return sum;
}

List Normalized(const Data& data, bool with_beta) {
  List y = Sum(data);
  const List gamma = Numbers(data.gamma), beta = Numbers(data.beta);
  const std::size_t width = gamma.size();
  for (std::size_t row = 0; row < y.size(); row += width) {
    double squares = 0;
    for (std::size_t i = 0; i < width; ++i)
      squares += y[row + i] * y[row + i];
    const double scale = 1 / std::sqrt(squares / static_cast<double>(width) + 1e-6);
    for (std::size_t i = 0; i < width; ++i)
      y[row + i] = y[row + i] * scale * gamma[i] + (with_beta ? beta[i] : 0);
  }
  return y;
}

TEST(AddRmsNormQuant, QuantisesWithTheScalesGiven) {
  for (const DataType type : kTypes)
    for (const bool divides : {true, false}) {
      const Data data = DataOf(type, {2, 3, 8}, 8);
      List scales(8), zeros(8);
      for (std::size_t i = 0; i < 8; ++i)
        scales[i] = divides ? 0.03125 * static_cast<double>(1 + i) : 8 * static_cast<double>(1 + i),
        zeros[i] = static_cast<double>(i) - 4;
      const auto found = OpRun("AddRmsNormQuantV2")
                             .Late("x1", data.x1)
                             .Late("x2", data.x2)
                             .In("gamma", data.gamma)
                             .In("scales1", Floats({8}, scales))
                             .In("scales2", Tensor(DataType::kBfloat16, {1}, {0.5}))
                             .In("zero_points1", Int32s({8}, zeros))
                             .NoInput("zero_points2")
                             .In("beta", data.beta)
                             .Attr("div_mode", divides)
                             .Out("y1")
                             .Out("y2")
                             .Out("x")
                             .Out("rms_norm_out")
                             .RunAll();
      const List normalized = Normalized(data, true);
      List first(48), second(48);
      for (std::size_t i = 0; i < 48; ++i) {
        first[i] = (divides ? normalized[i] / scales[i % 8] : normalized[i] * scales[i % 8]) + zeros[i % 8];
        second[i] = divides ? normalized[i] / 0.5 : normalized[i] * 0.5;
      }
      ExpectRounded(found[0], first);
      ExpectRounded(found[1], second);
      ExpectNear(found[2], Sum(data), type == DataType::kFloat ? 1e-6 : 8e-3);
      ExpectNear(found[3], normalized, type == DataType::kFloat ? 1e-5 : 8e-3);
      EXPECT_EQ(found[3].type().type, type);
    }
}

std::vector<TensorValue> Plain(const Data& data, const TensorValue& scales,
                               const Attributes& attributes = {}) {
  OpRun run("AddRmsNormQuant");
  run.node().attributes = attributes;
  run.In("x1", data.x1).In("x2", data.x2).In("gamma", data.gamma).In("scales1", scales);
  return run.Out("y1").Out("y2").Out("x").RunAll();
}

TEST(AddRmsNormQuant, RoundsTiesToEvenAndSaturates) {
  // A row of equal magnitudes is normalised to -1 and 1.
  const Data data{
      Floats({1, 4}, {1, -1, 1, -1}), Floats({1, 4}, {0, 0, 0, 0}), Floats({4}, {0.5, 1.5, 500, 2.5}), {}};
  const auto found = Plain(data, Floats({1}, {1}), {{"epsilon", 0.0f}});
  EXPECT_EQ(Numbers(found[0]), (List{0, -2, 127, -2}));
  EXPECT_EQ(Numbers(found[1]), (List{0, 0, 0, 0}));  // no scales, so nobody asks for it
}

TEST(AddRmsNormQuant, TakesNoRows) {
  const Data data{Floats({0, 4}, {}), Floats({0, 4}, {}), Floats({4}, {1, 1, 1, 1}), {}};
  EXPECT_EQ(Plain(data, Floats({4}, {1, 1, 1, 1}))[0].dims(), (Dims{0, 4}));
}

TEST(AddRmsNormQuant, RefusesWhatDoesNotFit) {
  const Data data = DataOf(DataType::kFloat, {2, 4}, 4);
  EXPECT_THAT(MessageOf([&] { Plain(data, Floats({3}, {1, 1, 1})); }), HasSubstr("scales1"));
  EXPECT_THAT(MessageOf([&] {
                Plain(data, Floats({1}, {1}), {{"axis", std::int64_t{0}}});
              }),
              HasSubstr("axis 0"));
  Data other = data;
  other.x2 = Floats({4}, {1, 2, 3, 4});
  EXPECT_THAT(MessageOf([&] { Plain(other, Floats({1}, {1})); }), HasSubstr("x2"));
}

List Times(List y, const TensorValue& factors) {
  const List factor = Numbers(factors);
  for (std::size_t i = 0; i < y.size(); ++i)
    y[i] *= factor[i % factor.size()];
  return y;
}

// Of rows as long as `width`: the scale of each, and the rows divided by them.
struct Quantised {
  List scales, exact;
};
Quantised QuantisedRows(const List& y, std::size_t width) {
  Quantised made{{}, y};
  for (std::size_t row = 0; row < y.size(); row += width) {
    double most = 0;
    for (std::size_t i = 0; i < width; ++i)
      most = std::max(most, std::abs(y[row + i]));
    made.scales.push_back(most / 127);
    for (std::size_t i = 0; i < width; ++i)
      made.exact[row + i] /= made.scales.back();
  }
  return made;
}

std::vector<TensorValue> Dynamic(const Data& data, const TensorValue* smooth1, const TensorValue* smooth2,
                                 const std::vector<bool>& mask) {
  OpRun run("AddRmsNormDynamicQuant");
  run.Late("x1", data.x1).Late("x2", data.x2).In("gamma", data.gamma);
  smooth1 == nullptr ? run.NoInput("smooth_scale1") : run.In("smooth_scale1", *smooth1);
  smooth2 == nullptr ? run.NoInput("smooth_scale2") : run.In("smooth_scale2", *smooth2);
  run.In("beta", data.beta).Attr("output_mask", mask);
  return run.Out("y1").Out("y2").Out("x_out").Out("scale1").Out("scale2").RunAll();
}

TEST(AddRmsNormDynamicQuant, GivesEachRowItsScale) {
  for (const DataType type : kTypes) {
    const Data data = DataOf(type, {3, 2, 16}, 16);
    const TensorValue smooth1 = Random(type, {16}, 5), smooth2 = Random(type, {16}, 6);
    const auto found = Dynamic(data, &smooth1, &smooth2, {});
    const List normalized = Normalized(data, true);
    const Quantised first = QuantisedRows(Times(normalized, smooth1), 16);
    const Quantised second = QuantisedRows(Times(normalized, smooth2), 16);
    ExpectRounded(found[0], first.exact);
    ExpectRounded(found[1], second.exact);
    ExpectNear(found[2], Sum(data), type == DataType::kFloat ? 1e-6 : 8e-3);
    ExpectNear(found[3], first.scales, 1e-6);
    ExpectNear(found[4], second.scales, 1e-6);
    EXPECT_EQ(found[3].dims(), (Dims{3, 2}));
  }
}

TEST(AddRmsNormDynamicQuant, LeavesOutWhatNobodyWants) {
  const Data data = DataOf(DataType::kFloat, {2, 8}, 8);
  const TensorValue smooth = Random(DataType::kFloat, {8}, 5);
  const auto unmasked = Dynamic(data, nullptr, nullptr, {});
  ExpectRounded(unmasked[0], QuantisedRows(Normalized(data, true), 8).exact);
  EXPECT_EQ(unmasked[1].dims(), (Dims{1}));
  const auto masked = Dynamic(data, nullptr, &smooth, {false, true});
  EXPECT_EQ(masked[0].dims(), (Dims{1}));
  EXPECT_EQ(Numbers(masked[3]), (List{0}));
  ExpectRounded(masked[1], QuantisedRows(Times(Normalized(data, true), smooth), 8).exact);
  EXPECT_THAT(MessageOf([&] { Dynamic(data, nullptr, nullptr, {true}); }), HasSubstr("output_mask"));
}

}  // namespace
}  // namespace foothold
