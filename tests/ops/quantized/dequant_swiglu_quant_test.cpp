// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gmock/gmock.h>

#include <optional>

#include "ops/quantized/rounded.h"

namespace foothold {
namespace {

using List = std::vector<double>;
using testing::HasSubstr;

struct Case {
  TensorValue x;
  std::optional<TensorValue> weight_scale, activation_scale, quant_scale, group_index;
  bool left = false;
  std::string mode = "dynamic";
};

std::vector<TensorValue> RunOf(const Case& one, const Attributes& attributes = {}) {
  OpRun run("DequantSwigluQuant");
  const auto maybe = [&](const char* name, const std::optional<TensorValue>& value) {
    value ? run.Late(name, *value) : run.NoInput(name);
  };
  run.Late("x", one.x);
  maybe("weight_scale", one.weight_scale), maybe("activation_scale", one.activation_scale);
  run.NoInput("bias");
  maybe("quant_scale", one.quant_scale);
  run.NoInput("quant_offset");
  maybe("group_index", one.group_index);
  run.Attr("activate_left", one.left).Attr("quant_mode", one.mode);
  for (const auto& [name, value] : attributes)
    run.Attr(name, value);
  return run.Out("y").Out("scale").RunAll();
}

double At(const std::optional<TensorValue>& value, std::size_t i) {
  return value ? Numbers(*value)[i % Numbers(*value).size()] : 1;
}

// The row of x, of width 2 * half, that uses scales of `group`, before it is quantised.
List Gated(const Case& one, std::size_t row, std::size_t group, std::size_t half) {
  const List x = Numbers(one.x);
  List y(half);
  const auto real = [&](std::size_t i) {
    return x[2 * row * half + i] * At(one.weight_scale, 2 * group * half + i) * At(one.activation_scale, row);
  };
  for (std::size_t i = 0; i < half; ++i) {
    const double gate = real(one.left ? i : i + half), factor = real(one.left ? i + half : i);
    y[i] = gate / (1 + std::exp(-gate)) * factor * At(one.quant_scale, group * half + i);
  }
  return y;
}

void ExpectDynamic(const Case& one, const std::vector<std::size_t>& groups, std::size_t half) {
  const auto found = RunOf(one);
  List exact, scales;
  for (std::size_t row = 0; row < groups.size(); ++row) {
    const List y = Gated(one, row, groups[row], half);
    double most = 0;
    for (const double value : y)
      most = std::max(most, std::abs(value));
    scales.push_back(most / 127);
    for (const double value : y)
      exact.push_back(value * 127 / most);
  }
  exact.resize(Numbers(found[0]).size(), 0), scales.resize(Numbers(found[1]).size(), 0);
  ExpectRounded(found[0], exact);
  ExpectNear(found[1], scales, 1e-5);
}

TensorValue Sums(const Dims& dims) {
  List numbers = Numbers(Random(DataType::kFloat, dims, 7));
  for (double& number : numbers)
    number = std::round(number * 1000);
  return Int32s(dims, numbers);
}

TEST(DequantSwigluQuant, GivesEachRowItsScale) {
  for (const bool left : {false, true}) {
    ExpectDynamic({Sums({3, 16}), Random(DataType::kFloat, {16}, 1), Random(DataType::kFloat, {3, 1}, 2),
                   Random(DataType::kFloat16, {1, 8}, 3), std::nullopt, left},
                  {0, 0, 0}, 8);
    for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16})
      ExpectDynamic({Random(type, {2, 16}, 1), {}, {}, {}, {}, left}, {0, 0}, 8);
  }
}

TEST(DequantSwigluQuant, HasScalesForEachGroup) {
  ExpectDynamic({Sums({6, 8}), Random(DataType::kFloat, {3, 8}, 1), Random(DataType::kFloat, {6}, 2),
                 Random(DataType::kFloat, {3, 4}, 3), Tensor(DataType::kInt64, {3}, {2, 0, 3})},
                {0, 0, 2, 2, 2}, 4);
}

TEST(DequantSwigluQuant, UsesTheScaleGivenWhenStatic) {
  const Case one{Sums({2, 8}),
                 Random(DataType::kFloat, {8}, 1),
                 Random(DataType::kFloat, {2}, 2),
                 Floats({4}, {0.5, 4, 8, 1e-9}),
                 {},
                 true,
                 "static"};
  const auto found = RunOf(one);
  List exact = Gated(one, 0, 0, 4);
  const List second = Gated(one, 1, 0, 4);
  exact.insert(exact.end(), second.begin(), second.end());
  for (double& value : exact)
    value = std::clamp(value, -128.0, 127.0);
  ExpectRounded(found[0], exact, 2e-2);
}

TEST(DequantSwigluQuant, RefusesFormsThatAreNotPublished) {
  const Case one{Sums({2, 8}), Random(DataType::kFloat, {8}, 1), {}, {}, {}};
  EXPECT_THAT(MessageOf([&] { RunOf(one, {{"swiglu_mode", std::int64_t{1}}}); }), HasSubstr("swiglu_mode 1"));
  EXPECT_THAT(MessageOf([&] { RunOf(one, {{"quant_mode", std::string("odd")}}); }), HasSubstr("'odd'"));
  EXPECT_THAT(MessageOf([&] {
                RunOf(one, {{"quant_mode", std::string("static")}});
              }),
              HasSubstr("quant_scale"));
  Case bare = one;
  bare.weight_scale.reset();
  EXPECT_THAT(MessageOf([&] { RunOf(bare); }), HasSubstr("weight_scale"));
  OpRun biased("DequantSwigluQuant");
  biased.In("x", one.x).In("weight_scale", *one.weight_scale).In("bias", Floats({8}, List(8, 1)));
  biased.Attr("quant_mode", std::string("dynamic")).Out("y").Out("scale");
  EXPECT_THAT(MessageOf([&] { biased.RunAll(); }), HasSubstr("'bias'"));
}

}  // namespace
}  // namespace foothold
