// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/fold.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "base/half.h"

namespace foothold::collectives {
namespace {

template <typename T>
std::vector<T> FoldOf(Element element, Reduction reduction, const std::vector<std::vector<T>>& inputs) {
  std::vector<const void*> sources;
  for (const auto& input : inputs)
    sources.push_back(input.data());
  std::vector<T> result(inputs[0].size());
  void* target = result.data();
  Fold(element, reduction, sources, {&target, 1}, result.size() * sizeof(T));
  return result;
}

TEST(Fold, WrapsIntegers) {
  EXPECT_EQ(FoldOf<std::int8_t>(Element::kInt8, Reduction::kSum, {{127, -128}, {1, -1}}),
            (std::vector<std::int8_t>{-128, 127}));
  EXPECT_EQ(FoldOf<std::uint16_t>(Element::kUint16, Reduction::kProduct, {{65535}, {65535}}),
            (std::vector<std::uint16_t>{1}));
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(FoldOf<std::int64_t>(Element::kInt64, Reduction::kSum, {{kMost}, {1}}),
            (std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::min()}));
}

TEST(Fold, KeepsNans) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const Reduction reduction :
       {Reduction::kSum, Reduction::kProduct, Reduction::kMaximum, Reduction::kMinimum}) {
    const auto result = FoldOf<float>(Element::kFloat32, reduction, {{nan, 1, 1}, {1, nan, 1}, {1, 1, nan}});
    for (const float one : result)
      EXPECT_TRUE(std::isnan(one));
  }
}

// Rounded once: 2048 + 1 + 1 would stay 2048 if every step were rounded.
TEST(Fold, CombinesHalvesInFloat) {
  const auto bits = [](float value) { return Half(value).bits; };
  EXPECT_EQ(FoldOf<std::uint16_t>(Element::kFloat16, Reduction::kSum, {{bits(2048)}, {bits(1)}, {bits(1)}}),
            (std::vector<std::uint16_t>{bits(2050)}));
  const auto brain = [](float value) { return Bfloat16(value).bits; };
  EXPECT_EQ(
      FoldOf<std::uint16_t>(Element::kBfloat16, Reduction::kSum, {{brain(256)}, {brain(1)}, {brain(1)}}),
      (std::vector<std::uint16_t>{brain(258)}));
}

TEST(Fold, StoresTheSamePastTheCaches) {
  constexpr std::size_t kCount = 10'007;  // several blocks, and a rest
  std::vector<std::int32_t> first(kCount), second(kCount), expected(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    first[i] = static_cast<std::int32_t>(i);
    second[i] = static_cast<std::int32_t>(3 * i);
    expected[i] = static_cast<std::int32_t>(4 * i);
  }
  for (const std::size_t start : {0u, 1u, 5u}) {  // of a line or not
    std::vector<std::int32_t> one(kCount + start, -1), other(kCount, -1);
    const void* const sources[] = {first.data(), second.data()};
    void* const places[] = {one.data() + start, other.data()};
    Fold(Element::kInt32, Reduction::kSum, sources, places, kCount * sizeof(first[0]), true);
    EXPECT_EQ(std::vector(one.begin() + static_cast<std::ptrdiff_t>(start), one.end()), expected);
    EXPECT_EQ(other, expected);
  }
}

TEST(Fold, GoesInTheOrderOfTheSources) {
  // (1e8 + 1) - 1e8 is 0 in float, 1e8 - 1e8 + 1 is 1.
  EXPECT_EQ(FoldOf<float>(Element::kFloat32, Reduction::kSum, {{1e8f}, {1}, {-1e8f}}), std::vector<float>{0});
  EXPECT_EQ(FoldOf<float>(Element::kFloat32, Reduction::kSum, {{1e8f}, {-1e8f}, {1}}), std::vector<float>{1});
}

TEST(Fold, TakesUnalignedMemoryAndTargetsThatAreSources) {
  constexpr std::size_t kCount = 5000;
  std::vector<std::byte> room(3 * kCount * 4 + 16);
  std::byte* const first = room.data() + 1;
  std::byte* const second = first + kCount * 4 + 2;
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::int32_t a = static_cast<std::int32_t>(i), b = 3;
    std::memcpy(first + 4 * i, &a, 4);
    std::memcpy(second + 4 * i, &b, 4);
  }
  const void* sources[] = {first, second};
  void* targets[] = {second, first};
  Fold(Element::kInt32, Reduction::kSum, sources, targets, kCount * 4);
  for (std::size_t i = 0; i < kCount; ++i) {
    std::int32_t a = 0, b = 0;
    std::memcpy(&a, first + 4 * i, 4);
    std::memcpy(&b, second + 4 * i, 4);
    ASSERT_EQ(a, static_cast<std::int32_t>(i) + 3);
    ASSERT_EQ(b, a);
  }
}

}  // namespace
}  // namespace foothold::collectives
