// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gmock/gmock.h>

#include <bit>
#include <numeric>
#include <optional>

#include "ops/quantized/rounded.h"

namespace foothold {
namespace {

using List = std::vector<double>;
using Tensors = std::vector<TensorValue>;
using testing::HasSubstr;

constexpr DataType kTypes[] = {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16};

double ToleranceOf(DataType type) {
  return type == DataType::kFloat ? 1e-5 : 1.6e-2;
}

struct Case {
  Tensors x, weight, bias, scale, antiquant_scale, antiquant_offset;
  std::optional<TensorValue> group_list, per_token_scale;
  Attributes attributes;
  int outputs = 1;
};

std::vector<TensorValue> RunOf(const Case& one) {
  OpRun run("GroupedMatmul");
  run.node().attributes = one.attributes;
  const auto list = [&](const std::string& name, const Tensors& values) {
    for (std::size_t i = 0; i < values.size(); ++i)
      run.Late(name + std::to_string(i), values[i]);
  };
  list("x", one.x), list("weight", one.weight), list("bias", one.bias), list("scale", one.scale);
  list("antiquant_scale", one.antiquant_scale), list("antiquant_offset", one.antiquant_offset);
  one.group_list ? run.Late("group_list", *one.group_list) : run.NoInput("group_list");
  one.per_token_scale ? run.Late("per_token_scale", *one.per_token_scale) : run.NoInput("per_token_scale");
  for (int i = 0; i < one.outputs; ++i)
    run.Out("y" + std::to_string(i));
  return run.RunAll();
}

Attributes Grouped(std::int64_t kind, bool transposed) {
  return {{"split_item", std::int64_t{3}},
          {"group_type", std::int64_t{0}},
          {"group_list_type", kind},
          {"transpose_weight", transposed}};
}

TensorValue Whole(const Dims& dims, unsigned seed) {
  List numbers = Numbers(Random(DataType::kFloat, dims, seed));
  for (double& number : numbers)
    number = std::round(number * 100);
  return Tensor(DataType::kInt8, dims, numbers);
}

// Row `row` of x times column `column` of matrix `matrix`.
double Dot(const List& x, const List& weight, std::size_t row, std::size_t matrix, std::size_t column,
           std::size_t depth, std::size_t columns, bool transposed) {
  double sum = 0;
  const std::size_t first = matrix * depth * columns;
  for (std::size_t k = 0; k < depth; ++k)
    sum += x[row * depth + k] * weight[first + (transposed ? column * depth + k : k * columns + column)];
  return sum;
}

// Three groups of 2, 0 and 4 rows; the seventh row is in none.
constexpr std::size_t kRows = 7, kDepth = 9, kColumns = 6;
std::size_t GroupOf(std::size_t row) {
  return row < 2 ? 0 : row < 6 ? 2 : 3;
}

TensorValue GroupListOf(std::int64_t kind) {
  if (kind == 2) return Tensor(DataType::kInt64, {2, 2}, {0, 2, 2, 4});
  return Tensor(DataType::kInt64, {3}, kind == 0 ? List{2, 2, 6} : List{2, 0, 4});
}

// exact(row, group, column, dot product) for rows in a group, zeros for the others.
template <typename Exact>
List Expected(const List& x, const List& weight, bool transposed, Exact&& exact) {
  List y(kRows * kColumns);
  for (std::size_t i = 0; i < y.size(); ++i) {
    const std::size_t row = i / kColumns, column = i % kColumns, group = GroupOf(row);
    if (group < 3)
      y[i] = exact(row, group, column, Dot(x, weight, row, group, column, kDepth, kColumns, transposed));
  }
  return y;
}

TEST(GroupedMatmul, MultipliesRowsWithTheMatrixOfTheirGroup) {
  for (const DataType type : kTypes)
    for (const bool transposed : {false, true})
      for (const std::int64_t kind : {0, 1, 2}) {
        Case one;
        one.attributes = Grouped(kind, transposed);
        one.x = {Random(type, {7, 9}, 1)};
        one.weight = {Random(type, transposed ? Dims{3, 6, 9} : Dims{3, 9, 6}, 2)};
        one.bias = {Random(DataType::kFloat, {3, 6}, 3)};
        one.group_list = GroupListOf(kind);
        const List bias = Numbers(one.bias[0]);
        const auto y = RunOf(one)[0];
        EXPECT_EQ(y.type().type, type);
        ExpectNear(y,
                   Expected(Numbers(one.x[0]), Numbers(one.weight[0]), transposed,
                            [&](std::size_t, std::size_t group, std::size_t column, double dot) {
                              return dot + bias[group * kColumns + column];
                            }),
                   ToleranceOf(type));
      }
}

TEST(GroupedMatmul, TakesAListOfMatricesForTheGroups) {
  Case one;
  one.attributes = Grouped(1, false);
  one.x = {Random(DataType::kFloat, {7, 9}, 1)};
  List all;
  for (unsigned i = 0; i < 3; ++i) {
    one.weight.push_back(Random(DataType::kFloat, {9, 6}, i + 2));
    one.bias.push_back(Random(DataType::kFloat, {6}, i + 7));
    const List numbers = Numbers(one.weight.back());
    all.insert(all.end(), numbers.begin(), numbers.end());
  }
  one.group_list = GroupListOf(1);
  ExpectNear(RunOf(one)[0],
             Expected(Numbers(one.x[0]), all, false,
                      [&](std::size_t, std::size_t group, std::size_t column, double dot) {
                        return dot + Numbers(one.bias[group])[column];
                      }),
             1e-5);
}

List Product(const TensorValue& x, const TensorValue& weight) {
  const auto depth = static_cast<std::size_t>(x.dims().back()),
             columns = static_cast<std::size_t>(weight.dims()[1]);
  List y(Numbers(x).size() / depth * columns);
  for (std::size_t i = 0; i < y.size(); ++i)
    y[i] = Dot(Numbers(x), Numbers(weight), i / columns, 0, i % columns, depth, columns, false);
  return y;
}

TEST(GroupedMatmul, MultipliesPairsOfMatrices) {
  for (const DataType type : kTypes) {
    Case one;
    one.x = {Random(type, {2, 3, 4}, 1), Random(type, {1, 5, 8}, 2)};
    one.weight = {Random(type, {4, 6}, 3), Random(type, {8, 2}, 4)};
    one.outputs = 2;
    const auto found = RunOf(one);
    EXPECT_EQ(found[0].dims(), (Dims{2, 3, 6}));
    for (std::size_t i = 0; i < 2; ++i)
      ExpectNear(found[i], Product(one.x[i], one.weight[i]), ToleranceOf(type));
  }
}

TEST(GroupedMatmul, PutsProductsBelowEachOther) {
  Case one;
  one.attributes = {{"split_item", std::int64_t{2}}, {"group_type", std::int64_t{0}}};
  one.x = {Random(DataType::kFloat, {3, 4}, 1), Random(DataType::kFloat, {2, 5}, 2)};
  one.weight = {Random(DataType::kFloat, {4, 6}, 3), Random(DataType::kFloat, {5, 6}, 4)};
  List expected = Product(one.x[0], one.weight[0]);
  const List second = Product(one.x[1], one.weight[1]);
  expected.insert(expected.end(), second.begin(), second.end());
  const auto y = RunOf(one)[0];
  EXPECT_EQ(y.dims(), (Dims{5, 6}));
  ExpectNear(y, expected, 1e-5);
}

TEST(GroupedMatmul, HandlesGroupsOfManyRows) {
  for (const DataType type : {DataType::kFloat, DataType::kInt8}) {
    Case one;
    one.attributes = Grouped(0, false);
    const bool bytes = type == DataType::kInt8;
    one.x = {bytes ? Whole({500, 16}, 1) : Random(type, {500, 16}, 1)};
    one.weight = {bytes ? Whole({2, 16, 70}, 2) : Random(type, {2, 16, 70}, 2)};
    one.group_list = Tensor(DataType::kInt64, {2}, {193, 500});
    const List x = Numbers(one.x[0]), weight = Numbers(one.weight[0]);
    List expected(500 * 70);
    for (std::size_t i = 0; i < expected.size(); ++i)
      expected[i] = Dot(x, weight, i / 70, i / 70 < 193 ? 0 : 1, i % 70, 16, 70, false);
    ExpectNear(RunOf(one)[0], expected, 1e-5);
  }
}

TEST(GroupedMatmul, ScalesSumsOfBytes) {
  for (const bool transposed : {false, true})
    for (const DataType scale : {DataType::kFloat, DataType::kBfloat16})
      for (const bool tokens : {false, true})
        for (const bool whole : {false, true}) {
          Case one;
          one.attributes = Grouped(1, transposed);
          one.x = {Whole({7, 9}, 1)};
          one.weight = {Whole(transposed ? Dims{3, 6, 9} : Dims{3, 9, 6}, 2)};
          one.scale = {Random(scale, {3, 6}, 3)};
          List biases(18);
          std::iota(biases.begin(), biases.end(), -9);
          one.bias = {Tensor(whole ? DataType::kInt32 : DataType::kFloat, {3, 6}, biases)};
          one.group_list = GroupListOf(1);
          if (tokens) one.per_token_scale = Random(DataType::kFloat, {7}, 4);
          const List scales = Numbers(one.scale[0]);
          const auto y = RunOf(one)[0];
          EXPECT_EQ(y.type().type, scale == DataType::kFloat ? DataType::kFloat16 : DataType::kBfloat16);
          ExpectNear(y,
                     Expected(Numbers(one.x[0]), Numbers(one.weight[0]), transposed,
                              [&](std::size_t row, std::size_t group, std::size_t column, double dot) {
                                const std::size_t at = group * kColumns + column;
                                const double factor =
                                    scales[at] * (tokens ? Numbers(*one.per_token_scale)[row] : 1);
                                return whole ? (dot + biases[at]) * factor : dot * factor + biases[at];
                              }),
                     8e-3);
        }
}

TEST(GroupedMatmul, ReadsTheFloatInAScaleOf64Bits) {
  Case one;
  one.attributes = Grouped(1, false);
  one.x = {Whole({7, 9}, 1)}, one.weight = {Whole({3, 9, 6}, 2)};
  List bits(18, static_cast<double>(std::bit_cast<std::uint32_t>(0.0078125f)));
  one.scale = {Tensor(DataType::kUint64, {3, 6}, bits)};
  one.group_list = GroupListOf(1);
  const auto exact =
      Expected(Numbers(one.x[0]), Numbers(one.weight[0]), false,
               [](std::size_t, std::size_t, std::size_t, double dot) { return dot * 0.0078125; });
  ExpectRounded(RunOf(one)[0], exact);
  one.attributes.emplace("output_type", DataType::kFloat);
  ExpectNear(RunOf(one)[0], exact);
}

TEST(GroupedMatmul, ActivatesScaledSums) {
  const auto run = [](std::int64_t type) {
    Case one;
    one.attributes = Grouped(1, false);
    one.attributes.emplace("act_type", type), one.attributes.emplace("output_type", DataType::kFloat);
    one.x = {Tensor(DataType::kInt8, {2, 1}, {1, -1})},
    one.weight = {Tensor(DataType::kInt8, {1, 1, 1}, {1})};
    one.scale = {Floats({1, 1}, {0.5})}, one.per_token_scale = Floats({2}, {2, 2});
    one.group_list = Tensor(DataType::kInt64, {1}, {2});
    return RunOf(one)[0];
  };
  const auto tanh_gelu = [](double x) {
    return x / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
  };
  ExpectNear(run(1), {1, 0});
  ExpectNear(run(2), {tanh_gelu(1), tanh_gelu(-1)}, 1e-5);
  ExpectNear(run(5), {1 / (1 + std::exp(-1.0)), -1 / (1 + std::exp(1.0))}, 1e-5);
  EXPECT_THAT(MessageOf([&] { run(4); }), HasSubstr("act_type 4"));
}

TEST(GroupedMatmul, ScalesWeightsOfBytesForRowsOfFloats) {
  for (const DataType type : kTypes)
    for (const bool transposed : {false, true}) {
      Case one;
      one.attributes = Grouped(1, transposed);
      one.x = {Random(type, {7, 9}, 1)};
      one.weight = {Whole(transposed ? Dims{3, 6, 9} : Dims{3, 9, 6}, 2)};
      one.antiquant_scale = {Random(type, {3, 6}, 3)}, one.antiquant_offset = {Random(type, {3, 6}, 4)};
      one.group_list = GroupListOf(1);
      const List scales = Numbers(one.antiquant_scale[0]), offsets = Numbers(one.antiquant_offset[0]);
      const List x = Numbers(one.x[0]);
      const List expected = Expected(x, Numbers(one.weight[0]), transposed,
                                     [&](std::size_t row, std::size_t group, std::size_t column, double dot) {
                                       double sum = 0;
                                       for (std::size_t k = 0; k < kDepth; ++k)
                                         sum += x[row * kDepth + k];
                                       return (dot + sum * offsets[group * kColumns + column]) *
                                              scales[group * kColumns + column];
                                     });
      ExpectNear(RunOf(one)[0], expected, ToleranceOf(type));
    }
}

TEST(GroupedMatmul, RefusesFormsThatAreNotThere) {
  Case one;
  one.attributes = Grouped(0, false);
  one.x = {Random(DataType::kFloat, {7, 9}, 1)}, one.weight = {Random(DataType::kFloat, {3, 9, 6}, 2)};
  one.group_list = GroupListOf(0);
  const auto with = [&](const char* name, Attribute value) {
    Case other = one;
    other.attributes[name] = std::move(value);
    return MessageOf([&] { RunOf(other); });
  };
  EXPECT_THAT(with("group_type", std::int64_t{2}), HasSubstr("group_type 2"));
  EXPECT_THAT(with("transpose_x", true), HasSubstr("transpose_x"));
  EXPECT_THAT(with("split_item", std::int64_t{1}), HasSubstr("split_item 1"));
  EXPECT_THAT(with("group_list_type", std::int64_t{3}), HasSubstr("group_list_type"));
  EXPECT_THAT(with("transpose_weight", true), HasSubstr("x is"));
  EXPECT_THAT(with("act_type", std::int64_t{1}), HasSubstr("per_token_scale"));
  one.group_list = Tensor(DataType::kInt64, {3}, {2, 1, 6});
  EXPECT_THAT(MessageOf([&] { RunOf(one); }), HasSubstr("group 1 has -1 rows"));
  one.group_list = Tensor(DataType::kInt64, {3}, {2, 5, 8});
  EXPECT_THAT(MessageOf([&] { RunOf(one); }), HasSubstr("there are 7"));
  one.group_list = GroupListOf(0), one.bias = {Random(DataType::kFloat, {5}, 1)};
  EXPECT_THAT(MessageOf([&] { RunOf(one); }), HasSubstr("'bias'"));
}

TEST(GroupedMatmul, KeepsSumsOfBytesWithoutAScale) {
  Case one;
  one.x = {Whole({3, 4}, 1)}, one.weight = {Whole({4, 6}, 2)}, one.bias = {Int32s({6}, {1, 2, 3, 4, 5, 6})};
  List expected = Product(one.x[0], one.weight[0]);
  for (std::size_t i = 0; i < expected.size(); ++i)
    expected[i] += static_cast<double>(i % 6 + 1);
  const TensorValue y = RunOf(one)[0];
  EXPECT_EQ(y.type().type, DataType::kInt32);
  EXPECT_EQ(Numbers(y), expected);
  one.bias = {Random(DataType::kFloat, {6}, 1)};
  EXPECT_THAT(MessageOf([&] { RunOf(one); }), HasSubstr("bias of float"));
  one.bias.clear(), one.attributes = {{"output_type", DataType::kFloat}};
  EXPECT_THAT(MessageOf([&] { RunOf(one); }), HasSubstr("without a scale to float"));
}

TEST(GroupedMatmulSwigluQuantV2, GatesAndQuantisesAgain) {
  for (const std::int64_t kind : {0, 1})
    for (const bool transposed : {false, true}) {
      const TensorValue x = Whole({7, 9}, 1), weight = Whole(transposed ? Dims{3, 6, 9} : Dims{3, 9, 6}, 2);
      const TensorValue scale = Random(DataType::kFloat, {3, 6}, 3),
                        tokens = Random(DataType::kFloat, {7}, 4);
      const auto found = OpRun("GroupedMatmulSwigluQuantV2")
                             .Late("x", x)
                             .Late("x_scale", tokens)
                             .Late("group_list", GroupListOf(kind))
                             .Late("weight0", weight)
                             .Late("weight_scale0", scale)
                             .Attr("group_list_type", kind)
                             .Attr("transpose_weight", transposed)
                             .Out("y")
                             .Out("y_scale")
                             .RunAll();
      const List real =
          Expected(Numbers(x), Numbers(weight), transposed,
                   [&](std::size_t row, std::size_t group, std::size_t column, double dot) {
                     return dot * Numbers(scale)[group * kColumns + column] * Numbers(tokens)[row] / 100;
                   });
      List exact(kRows * 3), scales(kRows);
      for (std::size_t row = 0; row < 6; ++row) {
        for (std::size_t i = 0; i < 3; ++i) {
          const double gate = real[row * 6 + i] * 100, factor = real[row * 6 + i + 3] * 100;
          exact[row * 3 + i] = gate / (1 + std::exp(-gate)) * factor;
          scales[row] = std::max(scales[row], std::abs(exact[row * 3 + i]) / 127);
        }
        for (std::size_t i = 0; i < 3; ++i)
          exact[row * 3 + i] /= scales[row];
      }
      ExpectRounded(found[0], exact);
      ExpectNear(found[1], scales, 1e-4);
    }
}

TEST(GroupedMatmulSwigluQuantV2, RefusesOtherModes) {
  const auto run = [](const char* name) {
    OpRun run("GroupedMatmulSwigluQuantV2");
    run.In("x", Whole({1, 2}, 1))
        .In("x_scale", Floats({1}, {1}))
        .In("group_list", Tensor(DataType::kInt64, {1}, {1}));
    run.In("weight0", Whole({1, 2, 2}, 1))
        .In("weight_scale0", Floats({1, 2}, {1, 1}))
        .Attr(name, std::int64_t{1});
    return MessageOf([&] { run.Out("y").Out("y_scale").RunAll(); });
  };
  for (const char* name : {"dequant_mode", "quant_mode", "quant_dtype"})
    EXPECT_THAT(run(name), HasSubstr(std::string(name) + " 1"));
}

struct Dequant {
  TensorValue x;
  std::optional<TensorValue> scale, smooth;
  std::string mode = "pertoken";
  bool transposed = true;
};

TensorValue RunOf(const Dequant& one, const TensorValue& weight, const TensorValue& scales) {
  OpRun run("QuantGroupedMatmulDequant");
  run.Late("x", one.x).Late("quantized_weight", weight).Late("weight_scale", scales);
  run.Late("group_list", GroupListOf(0));
  one.scale ? run.Late("x_scale", *one.scale) : run.NoInput("x_scale");
  one.smooth ? run.Late("smooth_scale", *one.smooth) : run.NoInput("smooth_scale");
  return run.Attr("x_quant_mode", one.mode).Attr("transpose_weight", one.transposed).Out("y").Run();
}

void ExpectDequantised(const Dequant& one) {
  const TensorValue weight = Whole(one.transposed ? Dims{3, 6, 9} : Dims{3, 9, 6}, 2);
  const TensorValue scales = Random(DataType::kFloat, {3, 6}, 3);
  List x = Numbers(one.x), tokens(kRows);
  for (std::size_t i = 0; one.smooth && i < x.size(); ++i)
    x[i] *= Numbers(*one.smooth)[i % kDepth];
  for (std::size_t i = 0; i < x.size(); ++i)
    tokens[i / kDepth] = std::max(tokens[i / kDepth], std::abs(x[i]) / 127);
  for (std::size_t row = 0; one.scale && row < kRows; ++row)
    tokens[row] = Numbers(*one.scale)[one.mode == "pertensor" ? 0 : row];
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = std::clamp(std::nearbyint(x[i] / tokens[i / kDepth]), -128.0, 127.0);
  ExpectNear(RunOf(one, weight, scales),
             Expected(x, Numbers(weight), one.transposed,
                      [&](std::size_t row, std::size_t group, std::size_t column, double dot) {
                        return dot * Numbers(scales)[group * kColumns + column] * tokens[row];
                      }),
             2e-2);
}

TEST(QuantGroupedMatmulDequant, QuantisesMultipliesAndScales) {
  for (const DataType type : kTypes)
    for (const bool transposed : {true, false}) {
      const TensorValue x = Random(type, {7, 9}, 1);
      ExpectDequantised({x, {}, {}, "pertoken", transposed});
      ExpectDequantised({x, {}, Random(type, {9}, 4), "pertoken", transposed});
      ExpectDequantised({x, Floats({7}, {.01, .02, .03, .004, .05, .06, .07}), {}, "pertoken", transposed});
      ExpectDequantised({x, Floats({1}, {0.0125}), Random(type, {9}, 4), "pertensor", transposed});
    }
}

TEST(QuantGroupedMatmulDequant, RefusesAModeWithoutItsScale) {
  const Dequant one{Random(DataType::kFloat, {7, 9}, 1), {}, {}, "pertensor"};
  EXPECT_THAT(MessageOf([&] {
                RunOf(one, Whole({3, 6, 9}, 1), Random(DataType::kFloat, {3, 6}, 1));
              }),
              HasSubstr("'x_scale'"));
  const Dequant odd{Random(DataType::kFloat, {7, 9}, 1), {}, {}, "perhaps"};
  EXPECT_THAT(MessageOf([&] {
                RunOf(odd, Whole({3, 6, 9}, 1), Random(DataType::kFloat, {3, 6}, 1));
              }),
              HasSubstr("'perhaps'"));
}

}  // namespace
}  // namespace foothold
