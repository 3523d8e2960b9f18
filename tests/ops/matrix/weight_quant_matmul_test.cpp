// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "base/error.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

using List = std::vector<double>;

// All that decides a product; scales are [groups, columns] unless they are turned.
struct Case {
  std::int64_t rows = 1, depth = 32, columns = 8, group = 0;
  DataType weight = DataType::kInt8;
  DataType type = DataType::kFloat16;
  bool by_column = true, turned_scale = false, offset = false, bias = false, one_scale = false;
  bool transpose_x = false;

  std::int64_t Groups() const { return group <= 0 || group >= depth ? 1 : (depth + group - 1) / group; }
  std::int64_t GroupOf(std::int64_t k) const { return Groups() == 1 ? 0 : k / group; }
};

Dims Turned(bool turn, std::int64_t a, std::int64_t b) {
  return turn ? Dims{b, a} : Dims{a, b};
}

// Element (row, column) of a matrix of `rows` x `columns` that may lie turned.
std::size_t At(bool turned, std::int64_t rows, std::int64_t columns, std::int64_t row, std::int64_t column) {
  return static_cast<std::size_t>(turned ? column * rows + row : row * columns + column);
}

TensorValue Weights(DataType type, const Dims& dims, const List& values) {
  if (type != DataType::kInt4) return Tensor(type, dims, values);
  TensorValue made(TensorType{type, Format::kNd, dims});
  std::fill_n(made.mutable_data(), made.size(), std::byte{0});
  for (std::size_t i = 0; i < values.size(); ++i) {
    const int nibble = static_cast<int>(values[i]) & 15;
    made.mutable_data()[i / 2] |= static_cast<std::byte>(i % 2 == 0 ? nibble : nibble << 4);
  }
  return made;
}

List WholeNumbers(std::int64_t count, int least, int most, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_int_distribution<int> distribution(least, most);
  List values(static_cast<std::size_t>(count));
  for (double& value : values)
    value = distribution(engine);
  return values;
}

struct Inputs {
  TensorValue x, scale, offset, bias;
  List weights;
};

Inputs InputsOf(const Case& c) {
  const bool four = c.weight == DataType::kInt4;
  const Dims scales = c.one_scale ? Dims{1} : Turned(c.turned_scale, c.Groups(), c.columns);
  return {Random(c.type, Turned(c.transpose_x, c.rows, c.depth), 1), Random(c.type, scales, 2),
          Random(c.type, scales, 3), Random(c.type, {c.columns}, 4),
          WholeNumbers(c.depth * c.columns, four ? -8 : -128, four ? 7 : 127, 5)};
}

TensorValue Product(const Case& c, const Inputs& inputs) {
  OpRun run("WeightQuantBatchMatmulV2");
  run.Late("x", inputs.x);
  run.Late("weight", Weights(c.weight, Turned(c.by_column, c.depth, c.columns), inputs.weights));
  run.Late("antiquant_scale", inputs.scale);
  c.offset ? run.Late("antiquant_offset", inputs.offset) : run.NoInput("antiquant_offset");
  run.NoInput("quant_scale").NoInput("quant_offset");
  if (c.bias) run.Late("bias", inputs.bias);
  run.Attr("transpose_x", c.transpose_x).Attr("transpose_weight", c.by_column);
  run.Attr("antiquant_group_size", c.group).Attr("_transpose_scale", c.turned_scale);
  return run.Out("y").Run();
}

// In double; `sizes` are sums of the absolute values of the products, which rounding is measured against.
void Reference(const Case& c, const Inputs& inputs, List& expected, List& sizes) {
  const List x = Numbers(inputs.x), scale = Numbers(inputs.scale), offset = Numbers(inputs.offset);
  const List bias = Numbers(inputs.bias);
  for (std::int64_t m = 0; m < c.rows; ++m)
    for (std::int64_t n = 0; n < c.columns; ++n) {
      double sum = c.bias ? bias[static_cast<std::size_t>(n)] : 0, size = std::abs(sum);
      for (std::int64_t k = 0; k < c.depth; ++k) {
        const std::size_t s = c.one_scale ? 0 : At(c.turned_scale, c.Groups(), c.columns, c.GroupOf(k), n);
        const double weight = inputs.weights[At(c.by_column, c.depth, c.columns, k, n)];
        const double one =
            x[At(c.transpose_x, c.rows, c.depth, m, k)] * (weight + (c.offset ? offset[s] : 0)) * scale[s];
        sum += one;
        size += std::abs(one);
      }
      expected.push_back(sum);
      sizes.push_back(size);
    }
}

void Check(const Case& c) {
  SCOPED_TRACE(testing::Message() << c.rows << " x " << c.depth << " x " << c.columns << ", group " << c.group
                                  << ", " << DataTypeName(c.weight) << ", " << DataTypeName(c.type)
                                  << (c.by_column ? ", by column" : ", by row"));
  const Inputs inputs = InputsOf(c);
  List expected, sizes;
  Reference(c, inputs, expected, sizes);
  const TensorValue y = Product(c, inputs);
  EXPECT_EQ(y.type().type, c.type);
  EXPECT_EQ(y.dims(), (Dims{c.rows, c.columns}));
  const List found = Numbers(y);
  ASSERT_EQ(found.size(), expected.size());
  // The result is rounded to its type, and rows to 14 bits or more on their way.
  const double result = c.type == DataType::kFloat ? 1e-6 : c.type == DataType::kFloat16 ? 1e-3 : 8e-3;
  const double way = c.type == DataType::kFloat ? 1e-6 : 1e-4;
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_NEAR(found[i], expected[i], result * std::abs(expected[i]) + way * sizes[i] + 1e-6) << i;
}

TEST(WeightQuantBatchMatmulV2, MultipliesWithGroupsOfThirtyTwoAsLanguageModelsHaveThem) {
  for (const DataType weight : {DataType::kInt4, DataType::kInt8})
    for (const std::int64_t rows : {1, 2, 3, 4, 5, 6, 7, 32, 100})
      Check({.rows = rows, .depth = 160, .columns = 70, .group = 32, .weight = weight, .turned_scale = true});
}

TEST(WeightQuantBatchMatmulV2, TakesAllTypesOfActivations) {
  for (const DataType type : {DataType::kFloat16, DataType::kBfloat16, DataType::kFloat})
    for (const DataType weight : {DataType::kInt4, DataType::kInt8})
      for (const std::int64_t rows : {1, 9})
        Check({.rows = rows,
               .depth = 64,
               .columns = 33,
               .group = 32,
               .weight = weight,
               .type = type,
               .bias = true});
}

TEST(WeightQuantBatchMatmulV2, TakesScalesOfTensorsColumnsAndGroups) {
  for (const bool by_column : {true, false})
    for (const std::int64_t rows : {1, 8})
      for (const DataType weight : {DataType::kInt4, DataType::kInt8}) {
        Case c{.rows = rows, .depth = 128, .columns = 18, .weight = weight, .by_column = by_column};
        Check(c);
        c.group = 64;
        Check(c);
        c.group = 128;
        Check(c);
        c.group = 500;
        Check(c);
        c.one_scale = true;
        Check(c);
      }
}

TEST(WeightQuantBatchMatmulV2, AddsOffsetsToWeights) {
  for (const bool by_column : {true, false})
    for (const std::int64_t rows : {1, 8, 13})
      for (const std::int64_t group : {0, 32})
        for (const DataType weight : {DataType::kInt4, DataType::kInt8})
          Check({.rows = rows,
                 .depth = 96,
                 .columns = 40,
                 .group = group,
                 .weight = weight,
                 .by_column = by_column,
                 .offset = true,
                 .bias = true});
}

TEST(WeightQuantBatchMatmulV2, TakesSizesThatFillNoBlock) {
  for (const bool by_column : {true, false})
    for (const DataType weight : {DataType::kInt4, DataType::kInt8}) {
      Check({.rows = 3, .depth = 50, .columns = 6, .group = 7, .weight = weight, .by_column = by_column});
      Check({.rows = 3, .depth = 64, .columns = 71, .weight = weight, .by_column = by_column});
      Check({.rows = 2, .depth = 1, .columns = 2, .weight = weight, .by_column = by_column});
      Check({.rows = 7, .depth = 600, .columns = 1, .group = 100, .weight = weight, .by_column = by_column});
    }
}

TEST(WeightQuantBatchMatmulV2, TakesDeepProductsInParts) {
  for (const DataType weight : {DataType::kInt4, DataType::kInt8})
    for (const std::int64_t rows : {1, 4})
      Check({.rows = rows, .depth = 8480, .columns = 5, .group = 32, .weight = weight, .turned_scale = true});
}

TEST(WeightQuantBatchMatmulV2, TransposesActivations) {
  Check({.rows = 5, .depth = 64, .columns = 9, .group = 32, .transpose_x = true});
  Check({.rows = 5, .depth = 64, .columns = 9, .type = DataType::kFloat, .transpose_x = true});
}

TEST(WeightQuantBatchMatmulV2, KeepsInfinitiesAndNaN) {
  for (const std::int64_t rows : {1, 8}) {
    const Case c{.rows = rows, .depth = 64, .columns = 4, .group = 32};
    Inputs inputs = InputsOf(c);
    List x = Numbers(inputs.x);
    x[3] = std::numeric_limits<double>::infinity();
    inputs.x = Tensor(DataType::kFloat16, {rows, 64}, x);
    EXPECT_FALSE(std::isfinite(Numbers(Product(c, inputs))[0]));
    x[3] = std::nan("");
    inputs.x = Tensor(DataType::kFloat16, {rows, 64}, x);
    EXPECT_TRUE(std::isnan(Numbers(Product(c, inputs))[0]));
  }
}

TEST(WeightQuantBatchMatmulV2, OverflowsToInfinityAsFloat16Does) {
  Case c{.rows = 1, .depth = 32, .columns = 1};
  Inputs inputs = InputsOf(c);
  inputs.x = Tensor(DataType::kFloat16, {1, 32}, List(32, 1000));
  inputs.scale = Tensor(DataType::kFloat16, {1, 1}, {1});
  inputs.weights = List(32, 127);
  EXPECT_EQ(Numbers(Product(c, inputs)), (List{std::numeric_limits<double>::infinity()}));
}

TEST(WeightQuantBatchMatmulV2, TakesBatchesOfRowsAndNoRows) {
  const TensorValue y = OpRun("WeightQuantBatchMatmulV2")
                            .Late("x", Tensor(DataType::kFloat16, {2, 1, 2}, {1, 2, 3, 4}))
                            .Late("weight", Tensor(DataType::kInt8, {2, 1}, {10, 1}))
                            .Late("antiquant_scale", Tensor(DataType::kFloat16, {1}, {0.5}))
                            .Out("y")
                            .Run();
  EXPECT_EQ(y.dims(), (Dims{2, 1, 1}));
  ExpectNear(y, {6, 17}, 1e-3);
  for (const std::int64_t depth : {0, 32}) {
    const Case none{.rows = depth == 0 ? 2 : 0, .depth = depth, .columns = 3};
    EXPECT_EQ(Numbers(Product(none, InputsOf(none))), List(static_cast<std::size_t>(none.rows * 3), 0.0));
  }
}

template <typename Change>
std::string WhyRefused(const Case& c, Change change) {
  Inputs inputs = InputsOf(c);
  change(inputs);
  try {
    Product(c, inputs);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(WeightQuantBatchMatmulV2, SaysWhatIsWrong) {
  using testing::HasSubstr;
  const Case c{.rows = 2, .depth = 64, .columns = 4, .group = 32, .offset = true, .bias = true};
  const auto half = [](const Dims& dims) { return Random(DataType::kFloat16, dims, 1); };
  EXPECT_THAT(WhyRefused(c, [&](Inputs& in) { in.scale = half({4, 2}); }), HasSubstr("antiquant_offset"));
  EXPECT_THAT(WhyRefused(c,
                         [&](Inputs& in) {
                           in.scale = in.offset = half({4, 2});
                         }),
              HasSubstr("'antiquant_scale' is float16[4,2]"));
  EXPECT_THAT(WhyRefused(c, [&](Inputs& in) { in.bias = half({5}); }), HasSubstr("one for each column"));
  EXPECT_THAT(WhyRefused(c, [&](Inputs& in) { in.bias = Int32s({4}, {1, 2, 3, 4}); }), HasSubstr("'bias'"));
  EXPECT_THAT(WhyRefused(c, [&](Inputs& in) { in.x = half({2, 63}); }), HasSubstr("'weight' is"));
  EXPECT_THAT(WhyRefused(c, [&](Inputs& in) { in.x = half({64}); }), HasSubstr("'x' is"));
  EXPECT_THAT(WhyRefused({.weight = DataType::kInt32}, [](Inputs&) {}), HasSubstr("int8 or int4"));
  EXPECT_THAT(WhyRefused({.group = -1}, [](Inputs&) {}), HasSubstr("antiquant_group_size"));
}

TEST(WeightQuantBatchMatmulV2, QuantisesNoResults) {
  OpRun run("WeightQuantBatchMatmulV2");
  run.Late("x", Random(DataType::kFloat16, {1, 32}, 1)).Late("weight", Random(DataType::kInt8, {32, 2}, 1));
  run.Late("antiquant_scale", Random(DataType::kFloat16, {2}, 1)).NoInput("antiquant_offset");
  run.Late("quant_scale", Floats({1}, {1})).Out("y");
  EXPECT_THROW(run.Run(), Error);
}

}  // namespace
}  // namespace foothold
