// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/reduce.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "kernels/half_float.h"

namespace foothold {
namespace {

// Odd, so that whole vectors and left-over elements are both there; the second one is cut for several
// threads.
constexpr std::size_t kCounts[] = {1, 37, (1u << 18) + 19};
constexpr ReduceOperation kOperations[] = {ReduceOperation::kSum, ReduceOperation::kMax,
                                           ReduceOperation::kMin};

template <typename T>
T Plain(T a, T b, ReduceOperation operation) {
  if (operation == ReduceOperation::kMax) return std::max(a, b);
  if (operation == ReduceOperation::kMin) return std::min(a, b);
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(static_cast<U>(a) + static_cast<U>(b)));
  } else {
    return a + b;
  }
}

template <typename T>
void CheckIntegers(ReduceType type) {
  for (const auto operation : kOperations) {
    for (const std::size_t count : kCounts) {
      std::vector<T> a(count), b(count), expected(count);
      std::uint32_t state = 99;
      for (std::size_t i = 0; i < count; ++i) {
        a[i] = static_cast<T>(state = state * 1664525 + 1013904223);
        b[i] = static_cast<T>(state = state * 1664525 + 1013904223);
        expected[i] = Plain(a[i], b[i], operation);
      }
      EXPECT_FALSE(ReduceInto(a.data(), b.data(), count, operation, type, true));
      ASSERT_EQ(a, expected);
    }
  }
}

TEST(ReduceInto, CombinesIntegersAndWraps) {
  CheckIntegers<std::int8_t>(ReduceType::kInt8);
  CheckIntegers<std::int16_t>(ReduceType::kInt16);
  CheckIntegers<std::int32_t>(ReduceType::kInt32);
}

TEST(ReduceInto, CombinesFloats) {
  for (const auto operation : kOperations) {
    for (const std::size_t count : kCounts) {
      std::vector<float> a(count), b(count), expected(count);
      for (std::size_t i = 0; i < count; ++i) {
        a[i] = static_cast<float>(i % 1001) * 0.37f - 100.0f;
        b[i] = static_cast<float>(i % 777) * -0.91f + 300.0f;
        expected[i] = Plain(a[i], b[i], operation);
      }
      EXPECT_FALSE(ReduceInto(a.data(), b.data(), count, operation, ReduceType::kFloat32, true));
      ASSERT_EQ(a, expected);
    }
  }
}

template <typename From, typename To>
void CheckHalves(ReduceType type, From from, To to) {
  for (const auto operation : kOperations) {
    for (const std::size_t count : kCounts) {
      std::vector<std::uint16_t> a(count), b(count), expected(count);
      for (std::size_t i = 0; i < count; ++i) {
        a[i] = to(static_cast<float>(i % 1001) * 0.37f - 100.0f);
        b[i] = to(static_cast<float>(i % 777) * -0.0091f + 30.0f);
        expected[i] = to(Plain(from(a[i]), from(b[i]), operation));
      }
      EXPECT_FALSE(ReduceInto(a.data(), b.data(), count, operation, type, false));
      ASSERT_EQ(a, expected);
    }
  }
}

TEST(ReduceInto, CombinesHalfFloatsRoundingOnce) {
  CheckHalves(ReduceType::kFloat16, FloatFromFloat16, Float16FromFloat);
  CheckHalves(ReduceType::kBFloat16, FloatFromBFloat16, BFloat16FromFloat);
}

TEST(ReduceInto, ANaNOnEitherSideStays) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const auto operation : kOperations) {
    std::vector<float> a(19, nan), b(19, 1.0f);
    std::swap(a[3], b[3]);
    std::swap(a[18], b[18]);
    ReduceInto(a.data(), b.data(), a.size(), operation, ReduceType::kFloat32, true);
    for (const float value : a)
      ASSERT_TRUE(std::isnan(value));
  }
}

TEST(ReduceInto, SaturatesAndSaysSo) {
  const float largest = std::numeric_limits<float>::max();
  for (const std::size_t place : {0, 18}) {  // inside a vector and behind the last one
    std::vector<float> a(19, 1.0f), b(19, 1.0f);
    a[place] = b[place] = -largest;
    EXPECT_TRUE(ReduceInto(a.data(), b.data(), a.size(), ReduceOperation::kSum, ReduceType::kFloat32, true));
    EXPECT_EQ(a[place], -largest);
  }
  std::vector<std::uint16_t> half(9, 0x7BFF), other(9, 0x7BFF);
  EXPECT_TRUE(ReduceInto(half.data(), other.data(), 9, ReduceOperation::kSum, ReduceType::kFloat16, true));
  EXPECT_EQ(half, other);
  EXPECT_FALSE(ReduceInto(half.data(), other.data(), 9, ReduceOperation::kSum, ReduceType::kFloat16, false));
  EXPECT_EQ(half, std::vector<std::uint16_t>(9, 0x7C00));
}

TEST(ReduceInto, AnInfiniteInputIsNoOverflow) {
  const float infinity = std::numeric_limits<float>::infinity();
  float a = infinity;
  const float b = 1.0f;
  EXPECT_FALSE(ReduceInto(&a, &b, 1, ReduceOperation::kSum, ReduceType::kFloat32, true));
  EXPECT_EQ(a, infinity);
}

}  // namespace
}  // namespace foothold
