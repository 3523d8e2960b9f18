// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// ArgMax and its relatives, TopK.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>

#include "base/error.h"
#include "ops/data/reference.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

using Int = std::int64_t;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TensorValue Arg(const std::string& type, const TensorValue& x, Int axis) {
  OpRun run(type);
  run.Late("x", x);
  if (type.back() == 'D')
    run.Attr("dimension", axis);
  else
    run.In("dimension", List({axis}));
  return run.Out("y").Run();
}

TEST(ArgMax, FindsTheFirstLargest) {
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kInt32, DataType::kUint8}) {
    const TensorValue x = Tensor(type, {2, 3}, {1, 7, 7, 9, 2, 4});
    ExpectNear(Arg("ArgMaxV2", x, 1), {1, 0});
    ExpectNear(Arg("ArgMaxV2", x, 0), {1, 0, 0});
    ExpectNear(Arg("ArgMaxD", x, -1), {1, 0});
    ExpectNear(Arg("ArgMin", x, 1), {0, 1});
    ExpectNear(Arg("ArgMinD", x, 0), {0, 1, 1});
  }
  const TensorValue x = Counted({2, 3});
  EXPECT_EQ(Arg("ArgMaxV2", x, 1).type().type, DataType::kInt64);
  EXPECT_EQ(Arg("ArgMaxD", x, 1).type().type, DataType::kInt32);
  EXPECT_EQ(Arg("ArgMaxV2", x, 1).dims(), Dims{2});
  EXPECT_EQ(OpRun("ArgMaxV2")
                .In("x", x)
                .In("dimension", List({1}))
                .Attr("dtype", DataType::kInt32)
                .Out("y")
                .Run()
                .type()
                .type,
            DataType::kInt32);
}

TEST(ArgMax, TakesTheFirstNan) {
  const TensorValue x = Floats({4}, {1, kNan, 9, kNan});
  ExpectNear(Arg("ArgMaxV2", x, 0), {1});
  ExpectNear(Arg("ArgMin", x, 0), {1});
}

TEST(ArgMax, GivesTheValueToo) {
  const auto run = [](const char* type, bool keep) {
    return OpRun(type)
        .Late("x", Floats({2, 3}, {1, 7, 5, 9, 2, 4}))
        .Attr("dimension", Int{1})
        .Attr("keep_dims", keep)
        .Out("indice")
        .Out("values")
        .RunAll();
  };
  ExpectNear(run("ArgMaxWithValue", false)[0], {1, 0});
  ExpectNear(run("ArgMaxWithValue", false)[1], {7, 9});
  ExpectNear(run("ArgMinWithValue", true)[1], {1, 2});
  EXPECT_EQ(run("ArgMinWithValue", true)[0].dims(), (Dims{2, 1}));
}

TEST(ArgMax, RefusesWhatHasNoLargest) {
  EXPECT_THROW(Arg("ArgMaxV2", Counted({2, 0}), 1), Error);
  EXPECT_THROW(Arg("ArgMaxV2", Counted({2}), 1), Error);
  EXPECT_THROW(Arg("ArgMaxV2", Counted({}), 0), Error);
}

std::vector<TensorValue> TopK(const TensorValue& x, Int k, Int dim, bool largest) {
  return OpRun("TopKV2")
      .Late("x", x)
      .In("k", List({k}))
      .Attr("dim", dim)
      .Attr("largest", largest)
      .Out("values")
      .Out("indices")
      .RunAll();
}

TEST(TopK, SortsEachLine) {
  const Dims dims = {3, 50, 4};
  for (const DataType type : {DataType::kFloat, DataType::kInt32, DataType::kFloat16}) {
    TensorValue x = Counted(dims, type);
    std::vector<double> numbers = Numbers(x);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = static_cast<double>(i * 7919 % 37);  // many equals
    x = Tensor(type, dims, numbers);
    for (const bool largest : {true, false}) {
      const auto all = TopK(x, 6, 1, largest);
      ASSERT_EQ(all[0].dims(), (Dims{3, 6, 4}));
      EXPECT_EQ(all[1].type().type, DataType::kInt32);
      ForIndices({3, 4}, [&](const Index& line) {
        std::vector<std::pair<double, Int>> sorted;
        for (Int i = 0; i < 50; ++i) {
          const double value = numbers[Offset(dims, {line[0], i, line[1]})];
          sorted.emplace_back(largest ? -value : value, i);
        }
        std::sort(sorted.begin(), sorted.end());
        for (Int rank = 0; rank < 6; ++rank) {
          const std::size_t at = Offset({3, 6, 4}, {line[0], rank, line[1]});
          EXPECT_EQ(Numbers(all[0])[at], std::abs(sorted[static_cast<std::size_t>(rank)].first));
          EXPECT_EQ(Numbers(all[1])[at], static_cast<double>(sorted[static_cast<std::size_t>(rank)].second));
        }
      });
    }
  }
}

TEST(TopK, TakesNanForTheLargest) {
  const auto all = TopK(Floats({4}, {1, kNan, 9, 3}), 4, -1, true);
  ExpectNear(all[0], {kNan, 9, 3, 1});
  ExpectNear(all[1], {1, 2, 3, 0});
}

template <typename T>
void ExpectOrder(DataType type, const std::vector<T>& values, const std::vector<double>& places) {
  const auto x = TensorValue::Of<T>(type, {static_cast<Int>(values.size())}, std::span<const T>(values));
  ExpectNear(TopK(x, static_cast<Int>(values.size()), 0, false)[1], places);
}

TEST(TopK, OrdersTheEndsOfEveryType) {
  constexpr auto kLow = std::numeric_limits<Int>::min(), kHigh = std::numeric_limits<Int>::max();
  ExpectOrder<Int>(DataType::kInt64, {kHigh, 0, kLow, -1, 1}, {2, 3, 1, 4, 0});
  ExpectOrder<std::uint64_t>(DataType::kUint64, {~std::uint64_t{0}, 0, std::uint64_t{1} << 63}, {1, 2, 0});
  ExpectOrder<std::int32_t>(DataType::kInt32, {INT32_MAX, -1, INT32_MIN, 0}, {2, 1, 3, 0});
  ExpectOrder<std::uint32_t>(DataType::kUint32, {UINT32_MAX, 0, 1u << 31}, {1, 2, 0});
  ExpectOrder<std::int8_t>(DataType::kInt8, {127, -1, -128, 0}, {2, 1, 3, 0});
  ExpectOrder<std::uint8_t>(DataType::kUint8, {255, 0, 128}, {1, 2, 0});
  const double infinity = std::numeric_limits<double>::infinity();
  ExpectOrder<double>(DataType::kDouble, {kNan, infinity, -infinity, 5e-324, -5e-324, 0.0, -0.0},
                      {2, 4, 5, 6, 3, 1, 0});
  const auto tiny = std::numeric_limits<float>::denorm_min();
  ExpectOrder<float>(DataType::kFloat, {-NAN, HUGE_VALF, -HUGE_VALF, tiny, -tiny, -0.0f, 0.0f},
                     {2, 4, 5, 6, 3, 1, 0});
}

TEST(TopK, HasManyForms) {
  const TensorValue x = Floats({3}, {1, 3, 2});
  ExpectNear(OpRun("TopK").Late("x", x).In("k", Int32s({}, {2})).Out("values").Out("indices").Run(), {3, 2});
  ExpectNear(
      OpRun("TopKD").Late("x", x).Late("assist_seq", x).Attr("k", Int{1}).Out("values").Out("indices").Run(),
      {3});
  EXPECT_EQ(TopK(x, 0, -1, true)[0].dims(), Dims{0});
  EXPECT_THROW(TopK(x, 4, -1, true), Error);
  EXPECT_THROW(TopK(x, -1, -1, true), Error);
  EXPECT_THROW(TopK(x, 1, 1, true), Error);
}

}  // namespace
}  // namespace foothold
