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

std::uint32_t SumOfBytes(const void* bytes, std::size_t count, std::size_t every = 1, std::size_t phase = 0) {
  std::uint32_t sum = 0;
  SumBytes(bytes, count, std::max<std::size_t>(count, 1), every, phase, &sum);
  return sum;
}

TEST(ByteSum, ChangesWithEveryByteOfEverySize) {
  for (const std::size_t count : {1, 7, 8, 63, 64, 255, 256, 257, 1000, 4096}) {
    std::vector<std::uint8_t> bytes = Numbers(count);
    const std::uint32_t sum = SumOfBytes(bytes.data(), count);
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
  std::uint32_t sums[4];
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

TEST(ByteSum, SaysWhichPieceHasChanged) {
  constexpr std::size_t kPiece = 320, kPieces = 4;
  std::vector<std::uint8_t> bytes = Numbers(1111);
  std::uint32_t before[kPieces], after[kPieces];
  SumBytes(bytes.data(), bytes.size(), kPiece, 1, 0, before);
  for (const std::size_t changed : {0, 319, 320, 700, 1110}) {
    bytes[changed] ^= 128;
    SumBytes(bytes.data(), bytes.size(), kPiece, 1, 0, after);
    bytes[changed] ^= 128;
    for (std::size_t i = 0; i < kPieces; ++i)
      EXPECT_EQ(before[i] != after[i], i == changed / kPiece) << "byte " << changed << ", piece " << i;
  }
}

// What programs do to all they have: another fill, a sign, a step further, one more.
TEST(ByteSum, ChangesWhenAllBytesDoTheSame) {
  for (const std::size_t count : {64, 128, 256, 512, 1024, 2048, 4096, 8192, 65536, 1 << 20}) {
    const std::vector<std::uint8_t> bytes = Numbers(count);
    std::set<std::uint32_t> sums{SumOfBytes(bytes.data(), count)};
    const auto other = [&](auto&& change) {
      std::vector<std::uint8_t> changed = bytes;
      for (std::size_t i = 0; i < count; ++i)
        change(changed, i);
      sums.insert(SumOfBytes(changed.data(), count));
    };
    other([](auto& all, std::size_t i) { all[i] ^= 255; });
    other([](auto& all, std::size_t i) { all[i] ^= 1; });
    other([](auto& all, std::size_t i) { all[i] ^= i % 2 == 1 ? 128 : 0; });
    other([](auto& all, std::size_t i) { all[i] ^= i % 4 == 3 ? 128 : 0; });
    other([](auto& all, std::size_t i) { all[i] ^= i % 8 == 7 ? 128 : 0; });
    other([](auto& all, std::size_t i) { all[i] ^= i % 8 == 0 ? 1 : 0; });
    other([](auto& all, std::size_t i) { all[i] = static_cast<std::uint8_t>(all[i] + 1); });
    other([](auto& all, std::size_t i) { all[i] = all[(i + 1) % all.size()]; });
    EXPECT_EQ(sums.size(), 9u) << count;
  }
}

// As a field of many records: one bit of every first, second, fourth ... word.
TEST(ByteSum, ChangesWithABitOfManyWords) {
  for (const std::size_t count : {64, 128, 256, 512, 4096}) {
    const std::vector<std::uint8_t> bytes = Numbers(count);
    const std::uint32_t sum = SumOfBytes(bytes.data(), count);
    for (std::size_t step = 8; step < count; step *= 2) {
      for (std::size_t bit = 0; bit < 64; ++bit) {
        std::vector<std::uint8_t> changed = bytes;
        for (std::size_t i = bit / 8; i < count; i += step)
          changed[i] = static_cast<std::uint8_t>(changed[i] ^ 1 << bit % 8);
        EXPECT_NE(SumOfBytes(changed.data(), count), sum) << count << ": bit " << bit << " every " << step;
      }
    }
  }
}

TEST(ByteSum, ChangesWithABitOfTwoWords) {
  constexpr std::size_t kWords = 32;
  const std::vector<std::uint8_t> bytes = Numbers(kWords * 8);
  const std::uint32_t sum = SumOfBytes(bytes.data(), bytes.size());
  for (std::size_t one = 0; one < kWords; ++one) {
    for (std::size_t other = one + 1; other < kWords; ++other) {
      for (std::size_t bit = 0; bit < 64; ++bit) {
        std::vector<std::uint8_t> changed = bytes;
        for (const std::size_t word : {one, other})
          changed[word * 8 + bit / 8] = static_cast<std::uint8_t>(changed[word * 8 + bit / 8] ^ 1 << bit % 8);
        EXPECT_NE(SumOfBytes(changed.data(), changed.size()), sum) << one << ", " << other << ": bit " << bit;
      }
    }
  }
}

TEST(ByteSum, TellsFillsFromOneAnother) {
  for (const std::size_t count : {64, 512, 4096, 65536}) {
    std::set<std::uint32_t> sums;
    for (int fill = 0; fill < 256; ++fill) {
      const std::vector<std::uint8_t> bytes(count, static_cast<std::uint8_t>(fill));
      sums.insert(SumOfBytes(bytes.data(), count));
    }
    EXPECT_EQ(sums.size(), 256u) << count;
  }
}

TEST(ByteSum, KnowsHowManyZerosThereAre) {
  const std::vector<std::uint8_t> zeros(600);
  std::set<std::uint32_t> sums;
  for (std::size_t count = 0; count <= zeros.size(); ++count)
    sums.insert(SumOfBytes(zeros.data(), count));
  EXPECT_EQ(sums.size(), zeros.size() + 1);
}

TEST(ByteSum, ChangesWhenPiecesChangePlaces) {
  for (const std::size_t piece : {4, 8, 16, 32, 64, 256, 1024}) {
    std::vector<std::uint8_t> bytes = Numbers(4096);
    const std::uint32_t sum = SumOfBytes(bytes.data(), bytes.size());
    std::swap_ranges(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(piece),
                     bytes.begin() + 2048 + 17 * 4);
    EXPECT_NE(SumOfBytes(bytes.data(), bytes.size()), sum) << piece;
  }
}

}  // namespace
}  // namespace foothold
