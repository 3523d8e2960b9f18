// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "dump/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace foothold {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

template <typename T>
DumpTensor Tensor(DataType type, const std::vector<T>& values) {
  return {{type, Format::kNd, {static_cast<std::int64_t>(values.size())}},
          values.size() * sizeof(T),
          reinterpret_cast<const std::byte*>(values.data())};
}

TEST(Statistics, LeaveOutWhatIsNotANumber) {
  const std::vector<float> values = {1, -3, std::nanf(""), 4};
  const TensorStatistics statistics = StatisticsOf(Tensor(DataType::kFloat, values));
  EXPECT_EQ(statistics.count, 4u);
  EXPECT_EQ(statistics.max, 4);
  EXPECT_EQ(statistics.min, -3);
  EXPECT_DOUBLE_EQ(statistics.average, 2.0 / 3);
  EXPECT_DOUBLE_EQ(statistics.l2_norm, std::sqrt(26.0));
  EXPECT_EQ(statistics.nan, 1u);
}

TEST(Statistics, CountInfinities) {
  const std::vector<float> values = {kInf, -kInf, -kInf, 0};
  const TensorStatistics statistics = StatisticsOf(Tensor(DataType::kFloat, values));
  EXPECT_EQ(statistics.positive_infinity, 1u);
  EXPECT_EQ(statistics.negative_infinity, 2u);
}

TEST(Statistics, KnowEveryPlainType) {
  const std::vector<std::uint16_t> half = {0x3c00, 0xc000};  // 1, -2
  EXPECT_EQ(StatisticsOf(Tensor(DataType::kFloat16, half)).min, -2);
  const std::vector<std::uint16_t> brain = {0x3f80, 0x4040};  // 1, 3
  EXPECT_EQ(StatisticsOf(Tensor(DataType::kBfloat16, brain)).max, 3);
  EXPECT_EQ(StatisticsOf(Tensor<std::int64_t>(DataType::kInt64, {-5, 7})).average, 1);
  EXPECT_EQ(StatisticsOf(Tensor<std::uint8_t>(DataType::kBool, {0, 1})).max, 1);
  EXPECT_EQ(StatisticsOf(Tensor<double>(DataType::kComplex64, {1})).count, 0u);
}

TEST(Statistics, OverflowOnlyWhereThereAreInfinities) {
  EXPECT_FALSE(HasOverflow(Tensor<float>(DataType::kFloat, {1, 3e38f})));
  EXPECT_TRUE(HasOverflow(Tensor<float>(DataType::kFloat, {1, kInf})));
  EXPECT_TRUE(HasOverflow(Tensor<float>(DataType::kFloat, {std::nanf("")})));
  EXPECT_FALSE(HasOverflow(Tensor<std::int32_t>(DataType::kInt32, {0x7f800000})));
}

}  // namespace
}  // namespace foothold
