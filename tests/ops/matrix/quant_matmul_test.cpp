// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <random>

#include "base/error.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

using List = std::vector<double>;

TensorValue Bytes(const Dims& dims, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_int_distribution<int> distribution(-128, 127);
  List values(static_cast<std::size_t>(ElementCount(dims)));
  for (double& value : values)
    value = distribution(engine);
  return Tensor(DataType::kInt8, dims, values);
}

struct Case {
  std::int64_t rows = 3, depth = 20, columns = 5;
  bool turn_left = false, turn_right = false, constant = false;
  DataType out = DataType::kFloat16;
  std::optional<TensorValue> scale = {}, offset = {}, bias = {}, row_scale = {};
};

struct Operands {
  TensorValue left, right;
};
Operands OperandsOf(const Case& c) {
  return {Bytes(c.turn_left ? Dims{c.depth, c.rows} : Dims{c.rows, c.depth}, 1),
          Bytes(c.turn_right ? Dims{c.columns, c.depth} : Dims{c.depth, c.columns}, 2)};
}

TensorValue Product(const Case& c) {
  const auto [left, right] = OperandsOf(c);
  OpRun run("QuantBatchMatmulV3");
  run.Late("x1", left);
  c.constant ? run.In("x2", right) : run.Late("x2", right);
  const auto optional = [&](const char* name, const std::optional<TensorValue>& value) {
    value ? run.Late(name, *value) : run.NoInput(name);
  };
  optional("scale", c.scale);
  optional("offset", c.offset);
  optional("bias", c.bias);
  optional("pertoken_scale", c.row_scale);
  run.Attr("dtype", static_cast<std::int64_t>(c.out));
  run.Attr("transpose_x1", c.turn_left).Attr("transpose_x2", c.turn_right);
  return run.Out("y").Run();
}

double One(const std::optional<TensorValue>& values, std::int64_t index, double otherwise) {
  if (!values) return otherwise;
  const List numbers = Numbers(*values);
  return numbers.size() == 1 ? numbers[0] : numbers[static_cast<std::size_t>(index)];
}

List Reference(const Case& c) {
  const auto [left, right] = OperandsOf(c);
  const List a = Numbers(left), b = Numbers(right);
  const bool integer = c.bias && c.bias->type().type == DataType::kInt32;
  List out;
  for (std::int64_t m = 0; m < c.rows; ++m)
    for (std::int64_t n = 0; n < c.columns; ++n) {
      double sum = integer ? One(c.bias, n, 0) : 0;
      for (std::int64_t k = 0; k < c.depth; ++k)
        sum += a[static_cast<std::size_t>(c.turn_left ? k * c.rows + m : m * c.depth + k)] *
               b[static_cast<std::size_t>(c.turn_right ? n * c.depth + k : k * c.columns + n)];
      const double scaled = sum * One(c.scale, n, 1) * One(c.row_scale, m, 1);
      const double all = scaled + (integer ? 0 : One(c.bias, n, 0)) + One(c.offset, n, 0);
      out.push_back(c.out == DataType::kInt8 ? std::clamp(std::nearbyint(all), -128.0, 127.0) : all);
    }
  return out;
}

void Check(const Case& c) {
  const TensorValue y = Product(c);
  EXPECT_EQ(y.type().type, c.out);
  EXPECT_EQ(y.dims(), (Dims{c.rows, c.columns}));
  const double tolerance = c.out == DataType::kFloat      ? 1e-6
                           : c.out == DataType::kFloat16  ? 1e-3
                           : c.out == DataType::kBfloat16 ? 8e-3
                                                          : 0;
  ExpectNear(y, Reference(c), tolerance);
}

TensorValue Scales(std::int64_t columns, unsigned seed = 3) {
  return Random(DataType::kFloat, {columns}, seed);
}

TEST(QuantBatchMatmulV3, ScalesExactSumsOfBytes) {
  for (const bool turn_left : {false, true})
    for (const bool turn_right : {false, true})
      for (const bool constant : {false, true})
        for (const DataType out : {DataType::kFloat16, DataType::kBfloat16, DataType::kFloat}) {
          Case c{.turn_left = turn_left, .turn_right = turn_right, .constant = constant, .out = out};
          c.scale = Tensor(DataType::kFloat, {1}, {0.015625});
          Check(c);
          c.columns = 70;
          c.rows = 9;
          c.scale = Scales(c.columns);
          c.scale->MutableAs<float>()[0] = 0.001f;
          Check(c);
        }
}

TEST(QuantBatchMatmulV3, TakesScalesOfRows) {
  Case c{.out = DataType::kBfloat16, .scale = Scales(5), .row_scale = Scales(3, 4)};
  Check(c);
  c.bias = Tensor(DataType::kBfloat16, {5}, {1000, -2000, 3, 4, 5});
  Check(c);
  c.bias = Int32s({5}, {1000, -2000, 3, 4, 5});
  Check(c);
}

TEST(QuantBatchMatmulV3, RoundsAndSaturatesToInt8) {
  Case c{.out = DataType::kInt8, .scale = Tensor(DataType::kFloat, {1}, {0.0078125})};
  Check(c);
  c.offset = Tensor(DataType::kFloat, {1}, {17});
  Check(c);
  c.offset = Tensor(DataType::kFloat, {5}, {1, -2, 3, 100, -100});
  c.bias = Int32s({5}, {100000, -100000, 3, 4, 5});
  Check(c);
}

TEST(QuantBatchMatmulV3, ReadsTheFloatInScalesOf64Bits) {
  Case c{.out = DataType::kFloat, .scale = Tensor(DataType::kFloat, {1}, {0.5})};
  const List expected = Reference(c);
  const double bits = std::bit_cast<std::uint32_t>(0.5f);
  for (const DataType type : {DataType::kUint64, DataType::kInt64}) {
    c.scale = Tensor(type, {1}, {bits});
    ExpectNear(Product(c), expected, 1e-6);
  }
}

TEST(QuantBatchMatmulV3, MultipliesBatches) {
  const TensorValue y = OpRun("QuantBatchMatmulV3")
                            .Late("x1", Tensor(DataType::kInt8, {2, 1, 2}, {1, 2, 3, 4}))
                            .Late("x2", Tensor(DataType::kInt8, {2, 2}, {10, 20, 1, 2}))
                            .Late("scale", Floats({2}, {0.5, 1}))
                            .NoInput("offset")
                            .NoInput("bias")
                            .Late("pertoken_scale", Floats({2}, {1, 2}))
                            .Attr("dtype", static_cast<std::int64_t>(DataType::kFloat))
                            .Out("y")
                            .Run();
  EXPECT_EQ(y.dims(), (Dims{2, 1, 2}));
  ExpectNear(y, {6, 24, 34, 136});
}

TEST(QuantBatchMatmulV3, TakesEmptyOperands) {
  for (const auto& [rows, depth, columns] : {std::array<std::int64_t, 3>{0, 4, 3}, {2, 0, 3}, {2, 4, 0}}) {
    Case c{.rows = rows, .depth = depth, .columns = columns};
    c.scale = Tensor(DataType::kFloat, {1}, {1});
    Check(c);
  }
}

std::string WhyRefused(const Case& c) {
  try {
    Product(c);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(QuantBatchMatmulV3, SaysWhatIsWrong) {
  using testing::HasSubstr;
  EXPECT_THAT(WhyRefused({}), HasSubstr("'scale' is not connected"));
  EXPECT_THAT(WhyRefused({.scale = Scales(4)}), HasSubstr("'scale' is float[4], expected one number or 5"));
  EXPECT_THAT(WhyRefused({.scale = Int32s({1}, {1})}), HasSubstr("'scale' is int32[1]"));
  EXPECT_THAT(WhyRefused({.scale = Scales(5), .row_scale = Scales(2)}), HasSubstr("'pertoken_scale'"));
  EXPECT_THAT(WhyRefused({.scale = Scales(5), .offset = Scales(5)}), HasSubstr("expected int8"));
  EXPECT_THAT(WhyRefused({.scale = Scales(5), .bias = Int32s({4}, {1, 2, 3, 4})}), HasSubstr("'bias'"));
  EXPECT_THAT(WhyRefused({.out = DataType::kInt32, .scale = Scales(5)}), HasSubstr("int32"));
}

TEST(QuantBatchMatmulV4, HasTheFormOfV3UnderOtherNames) {
  const auto run = [](std::int64_t group) {
    return OpRun("QuantBatchMatmulV4")
        .Late("x1", Tensor(DataType::kInt8, {2, 2}, {1, 2, 3, 4}))
        .Late("x2", Tensor(DataType::kInt8, {2, 1}, {10, 1}))
        .Late("bias", Floats({1}, {100}))
        .Late("x1_scale", Floats({2}, {1, 2}))
        .Late("x2_scale", Floats({1}, {0.5}))
        .Attr("dtype", static_cast<std::int64_t>(DataType::kFloat))
        .Attr("group_size", group)
        .Out("y")
        .Run();
  };
  ExpectNear(run(0), {106, 134});
  EXPECT_THROW(run(32), Error);
}

}  // namespace
}  // namespace foothold
