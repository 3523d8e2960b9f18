// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/byte_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace foothold {
namespace {

std::vector<std::uint8_t> Numbers(std::size_t count) {
  std::vector<std::uint8_t> bytes(count);
  for (std::size_t i = 0; i < count; ++i)
    bytes[i] = static_cast<std::uint8_t>(i * 37 + i / 256);
  return bytes;
}

TEST(ByteSum, ChangesWithEveryByteOfEverySize) {
  for (const std::size_t count : {1, 7, 8, 63, 64, 255, 256, 257, 1000, 4096}) {
    std::vector<std::uint8_t> bytes = Numbers(count);
    const std::uint64_t sum = SumOfBytes(bytes.data(), count);
    EXPECT_EQ(SumOfBytes(Numbers(count).data(), count), sum) << "wherever they are";
    for (std::size_t i = 0; i < count; ++i) {
      bytes[i] ^= 1;
      ASSERT_NE(SumOfBytes(bytes.data(), count), sum) << "byte " << i << " of " << count;
      bytes[i] ^= 1;
    }
  }
}

TEST(ByteSum, OfAQuarterSeesEachByteInOneOfFourPhases) {
  std::vector<std::uint8_t> bytes = Numbers(8192);
  std::uint64_t sums[4];
  for (std::size_t phase = 0; phase < 4; ++phase)
    sums[phase] = SumOfBytes(bytes.data(), bytes.size(), 4, phase);
  for (std::size_t i = 0; i < bytes.size(); i += 61) {
    bytes[i] ^= 1;
    int changed = 0;
    for (std::size_t phase = 0; phase < 4; ++phase)
      changed += SumOfBytes(bytes.data(), bytes.size(), 4, phase) != sums[phase];
    bytes[i] ^= 1;
    ASSERT_EQ(changed, 1) << "byte " << i;
  }
}

TEST(ByteSum, KnowsHowManyZerosThereAre) {
  const std::vector<std::uint8_t> zeros(600);
  std::set<std::uint64_t> sums;
  for (std::size_t count = 0; count <= zeros.size(); ++count)
    sums.insert(SumOfBytes(zeros.data(), count));
  EXPECT_EQ(sums.size(), zeros.size() + 1);
}

TEST(ByteSum, ChangesWhenPiecesChangePlaces) {
  for (const std::size_t piece : {4, 8, 16, 32, 64, 256, 1024}) {
    std::vector<std::uint8_t> bytes = Numbers(4096);
    const std::uint64_t sum = SumOfBytes(bytes.data(), bytes.size());
    std::swap_ranges(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(piece),
                     bytes.begin() + 2048 + 17 * 4);
    EXPECT_NE(SumOfBytes(bytes.data(), bytes.size()), sum) << piece;
  }
}

}  // namespace
}  // namespace foothold
