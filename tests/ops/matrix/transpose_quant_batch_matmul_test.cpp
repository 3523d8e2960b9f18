// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gmock/gmock.h>

#include <random>

#include "base/float8.h"
#include "ops/quantized/rounded.h"

namespace foothold {
namespace {

using List = std::vector<double>;
using testing::HasSubstr;

TEST(Float8, HasTheValuesOfItsDefinition) {
  for (int bits = 0; bits < 256; ++bits) {
    const double sign = bits < 128 ? 1 : -1;
    const int exponent = bits >> 3 & 15, mantissa = bits & 7;
    const bool nan = exponent == 15 && mantissa == 7;
    const double exact =
        sign * std::ldexp(exponent == 0 ? mantissa : 8 + mantissa, std::max(exponent, 1) - 10);
    ExpectNear(Floats({1}, {FloatFromE4m3fn(static_cast<std::uint8_t>(bits))}), {nan ? NAN : exact}, 0);
    const int wide = bits >> 2 & 31, narrow = bits & 3;
    const double large = narrow == 0 ? sign * HUGE_VAL : NAN;
    const double other = sign * std::ldexp(wide == 0 ? narrow : 4 + narrow, std::max(wide, 1) - 17);
    ExpectNear(Floats({1}, {FloatFromE5m2(static_cast<std::uint8_t>(bits))}), {wide == 31 ? large : other},
               0);
    const double power = bits == 255 ? NAN : std::ldexp(1.0, bits - 127);
    ExpectNear(Floats({1}, {FloatFromE8m0(static_cast<std::uint8_t>(bits))}), {power}, 0);
  }
}

// Bytes between two bounds; NaN and infinity are above them.
TensorValue Bytes(DataType type, const Dims& dims, unsigned seed, int low, int high) {
  TensorValue made(TensorType{type, Format::kNd, dims});
  std::mt19937 engine(seed);
  for (std::size_t i = 0; i < made.size(); ++i)
    made.MutableAs<std::uint8_t>()[i] =
        static_cast<std::uint8_t>(low + static_cast<int>(engine() % static_cast<unsigned>(high - low)));
  return made;
}

double At(const TensorValue& value, std::size_t i) {
  const std::uint8_t bits = value.As<std::uint8_t>()[i];
  if (value.type().type == DataType::kFloat8E8m0) return FloatFromE8m0(bits);
  return value.type().type == DataType::kFloat8E5m2 ? FloatFromE5m2(bits) : FloatFromE4m3fn(bits);
}

constexpr std::size_t kRows = 3, kBatches = 2, kDepth = 100, kColumns = 5, kPairs = 2;

struct Case {
  TensorValue x1 = Bytes(DataType::kFloat8E4m3fn, {3, 2, 100}, 1, 0, 64);
  TensorValue x2 = Bytes(DataType::kFloat8E4m3fn, {2, 100, 5}, 2, 0, 64);
  TensorValue scale1 = Bytes(DataType::kFloat8E8m0, {3, 2, 2, 2}, 3, 125, 130);
  TensorValue scale2 = Bytes(DataType::kFloat8E8m0, {2, 2, 5, 2}, 4, 125, 130);
};

TensorValue RunOf(const Case& one, const Attributes& attributes) {
  OpRun run("TransposeQuantBatchMatMul");
  run.node().attributes = attributes;
  run.Late("x1", one.x1)
      .Late("x2", one.x2)
      .NoInput("bias")
      .Late("x1_scale", one.scale1)
      .Late("x2_scale", one.scale2);
  return run.Out("y").Run();
}

List Expected(const Case& one) {
  List y;
  for (std::size_t i = 0; i < kRows * kBatches * kColumns; ++i) {
    const std::size_t column = i % kColumns, batch = i / kColumns % kBatches, row = i / kColumns / kBatches;
    double sum = 0;
    for (std::size_t k = 0; k < kDepth; ++k) {
      const std::size_t line = row * kBatches + batch, group = k / 32;
      sum += At(one.x1, line * kDepth + k) * At(one.scale1, line * 2 * kPairs + group) *
             At(one.x2, (batch * kDepth + k) * kColumns + column) *
             At(one.scale2, ((batch * kPairs + group / 2) * kColumns + column) * 2 + group % 2);
    }
    y.push_back(sum);
  }
  return y;
}

TEST(TransposeQuantBatchMatMul, ScalesEvery32ElementsOfTheDepth) {
  for (const DataType type : {DataType::kFloat8E4m3fn, DataType::kFloat8E5m2}) {
    Case one;
    one.x2 = Bytes(type, {2, 100, 5}, 2, 0, 64);
    const TensorValue exact = RunOf(one, {{"dtype", DataType::kFloat}});
    EXPECT_EQ(exact.dims(), (Dims{3, 2, 5}));
    ExpectNear(exact, Expected(one), 1e-5);
    const TensorValue rounded = RunOf(one, {{"dtype", std::int64_t{27}}, {"group_size", std::int64_t{32}}});
    EXPECT_EQ(rounded.type().type, DataType::kBfloat16);
    ExpectNear(rounded, Expected(one), 8e-3);
  }
}

TEST(TransposeQuantBatchMatMul, RefusesOtherForms) {
  const auto message = [](const Case& one, const Attributes& attributes) {
    return MessageOf([&] { RunOf(one, attributes); });
  };
  Case one;
  EXPECT_THAT(message(one, {{"perm_x1", std::vector<std::int64_t>{0, 1, 2}}}), HasSubstr("perm_x1"));
  EXPECT_THAT(message(one, {{"group_size", std::int64_t{16}}}), HasSubstr("group_size 16"));
  EXPECT_THAT(message(one, {{"batch_split_factor", std::int64_t{2}}}), HasSubstr("batch_split_factor 2"));
  one.scale1 = Floats({3}, {1, 1, 1});
  EXPECT_THAT(message(one, {}), HasSubstr("'x1_scale'"));
  one = Case{};
  one.scale2 = Bytes(DataType::kFloat8E8m0, {2, 1, 5, 2}, 4, 125, 130);
  EXPECT_THAT(message(one, {}), HasSubstr("'x2_scale'"));
  one = Case{};
  one.x1 = Tensor(DataType::kInt8, {3, 2, 100}, List(600));
  EXPECT_THAT(message(one, {}), HasSubstr("int8"));
}

}  // namespace
}  // namespace foothold
