// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include "base/error.h"
#include "codecs/bit_reader.h"
#include "codecs/unit_check.h"
#include "unit/codecs/clip.h"

namespace foothold {
namespace {

using video_test::Packet;

// Writes headers bit by bit.
class BitWriter {
 public:
  BitWriter& Bits(std::uint64_t value, int count) {
    for (int i = count - 1; i >= 0; --i)
      bits_.push_back(value >> i & 1);
    return *this;
  }
  BitWriter& Unsigned(std::uint64_t value) {
    int length = 0;
    while ((value + 1) >> (length + 1) != 0)
      ++length;
    return Bits(0, length).Bits(value + 1, length + 1);
  }
  Packet Unit(std::initializer_list<std::uint8_t> head) {
    Packet unit(head);
    Bits(1, 1);
    while (bits_.size() % 8 != 0)
      bits_.push_back(false);
    for (std::size_t i = 0; i < bits_.size(); i += 8) {
      std::uint8_t byte = 0;
      for (int bit = 0; bit < 8; ++bit)
        byte = static_cast<std::uint8_t>(byte << 1 | bits_[i + bit]);
      unit.push_back(byte);
    }
    return unit;
  }

 private:
  std::vector<bool> bits_;
};

Packet H264Sequence(std::uint64_t columns, std::uint64_t rows) {
  return BitWriter()
      .Bits(66, 8)
      .Bits(0, 8)
      .Bits(40, 8)  // profile, constraints, level
      .Unsigned(0)
      .Unsigned(0)
      .Unsigned(2)
      .Unsigned(1)
      .Bits(0, 1)
      .Unsigned(columns - 1)
      .Unsigned(rows - 1)
      .Bits(1, 1)
      .Bits(0, 1)
      .Bits(0, 1)
      .Bits(0, 1)
      .Unit({0x67});
}

Packet H265Sequence(std::uint64_t width, std::uint64_t height) {
  return BitWriter()
      .Bits(0, 4)
      .Bits(0, 3)
      .Bits(1, 1)
      .Bits(0, 64)
      .Bits(0, 32)
      .Unsigned(0)
      .Unsigned(1)
      .Unsigned(width)
      .Unsigned(height)
      .Bits(0, 1)
      .Unsigned(0)
      .Unsigned(0)
      .Unsigned(4)
      .Bits(1, 1)
      .Unsigned(3)
      .Unsigned(0)
      .Unsigned(0)
      .Unsigned(0)
      .Unsigned(2)
      .Unsigned(0)
      .Unsigned(3)
      .Unsigned(0)
      .Unsigned(0)
      .Unit({0x42, 0x01});
}

std::string ProblemOf(UnitCheck& check, const Packet& unit) {
  try {
    check.Look(unit);
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kInvalidParam);
    return error.message();
  }
}

TEST(UnitCheck, AcceptsOrdinarySequences) {
  EXPECT_EQ(ProblemOf(*MakeH264Check(), H264Sequence(120, 68)), "");
  EXPECT_EQ(ProblemOf(*MakeH265Check(), H265Sequence(1920, 1088)), "");
}

TEST(UnitCheck, RefusesAbsurdSizesBeforeAnythingIsAllocated) {
  for (const auto& [columns, rows] : {std::pair(3750, 3750), {257, 10}, {10, 257}, {1 << 20, 1 << 20}}) {
    const std::string problem = ProblemOf(*MakeH264Check(), H264Sequence(columns, rows));
    EXPECT_NE(problem.find("the stream announces pictures of"), std::string::npos) << problem;
    EXPECT_NE(ProblemOf(*MakeH265Check(), H265Sequence(columns * 16, rows * 16)), "");
  }
  EXPECT_NE(ProblemOf(*MakeH265Check(), H265Sequence(0, 64)), "");
  EXPECT_NE(ProblemOf(*MakeH265Check(), H265Sequence(62, 64)), "") << "no multiple of the smallest block";
}

TEST(UnitCheck, RefusesHeadersThatEndTooEarly) {
  for (const Packet& whole : {H264Sequence(120, 68), H265Sequence(1920, 1088)}) {
    const bool h265 = whole[0] == 0x42;
    for (std::size_t length = 2; length + 1 < whole.size() - 1; ++length) {
      const Packet cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
      const auto check = h265 ? MakeH265Check() : MakeH264Check();
      EXPECT_NE(ProblemOf(*check, cut), "") << length;
    }
  }
}

TEST(UnitCheck, KnowsTheSizeOfTheClips) {
  for (const VideoCodec codec : {VideoCodec::kH264, VideoCodec::kH265}) {
    const auto check = codec == VideoCodec::kH264 ? MakeH264Check() : MakeH265Check();
    ForEachUnit(ClipPackets(codec)[0], [&](StreamBytes unit) { check->Look(unit); });
    EXPECT_EQ(check->sequence().width, static_cast<std::uint32_t>(kClipWidth));
    EXPECT_EQ(check->sequence().height, static_cast<std::uint32_t>(kClipHeight));
    EXPECT_TRUE(check->sequence().reorders);
  }
}

// A picture parameter set speaks of the sequence it came after.
TEST(UnitCheck, ForgetsPicturesOfASequenceThatChanged) {
  for (const VideoCodec codec : {VideoCodec::kH264, VideoCodec::kH265}) {
    const auto check = codec == VideoCodec::kH264 ? MakeH264Check() : MakeH265Check();
    std::vector<Packet> slices;
    ForEachUnit(ClipPackets(codec)[0], [&](StreamBytes unit) {
      if (check->Look(unit) == UnitCheck::Unit::kSlice) slices.emplace_back(unit.begin(), unit.end());
    });
    ASSERT_FALSE(slices.empty());
    EXPECT_EQ(ProblemOf(*check, slices[0]), "");
    check->Look(codec == VideoCodec::kH264 ? H264Sequence(4, 4) : H265Sequence(64, 64));
    EXPECT_NE(ProblemOf(*check, slices[0]), "");
  }
}

TEST(AnnexB, FindsUnitsBehindEitherStartCode) {
  std::vector<Packet> units;
  const Packet stream{0, 0, 0, 1, 9, 8, 0, 0, 1, 7, 0, 0, 0, 0, 1, 0, 0, 1, 6, 0};
  EXPECT_TRUE(ForEachUnit(stream, [&](StreamBytes unit) { units.emplace_back(unit.begin(), unit.end()); }));
  EXPECT_EQ(units, (std::vector<Packet>{{9, 8}, {7}, {6}}));
}

TEST(AnnexB, WantsAStartCodeFirst) {
  const auto nothing = [](StreamBytes) {};
  EXPECT_FALSE(ForEachUnit(Packet{}, nothing));
  EXPECT_FALSE(ForEachUnit(Packet{0, 0, 0, 0}, nothing));
  EXPECT_FALSE(ForEachUnit(Packet{5, 0, 0, 1, 2}, nothing));
}

TEST(BitReader, LeavesOutEmulationPrevention) {
  const Packet unit{0, 0, 3, 1, 0x80};
  BitReader bits(unit);
  EXPECT_EQ(bits.Bits(24), 1u);
  EXPECT_TRUE(bits.Flag());
  bits.Skip(7);
  EXPECT_FALSE(bits.over());
  bits.Flag();
  EXPECT_TRUE(bits.over());
}

TEST(BitReader, ReadsCodesOfBothSigns) {
  const Packet unit =
      BitWriter().Unsigned(0).Unsigned(5).Unsigned(3).Unsigned(4).Unsigned(4000000000u).Unit({});
  BitReader bits(unit);
  EXPECT_EQ(bits.Unsigned(), 0u);
  EXPECT_EQ(bits.Unsigned(), 5u);
  EXPECT_EQ(bits.Signed(), 2);
  EXPECT_EQ(bits.Signed(), -2);
  EXPECT_EQ(bits.Unsigned(), 4000000000u);
  EXPECT_FALSE(bits.over());
}

}  // namespace
}  // namespace foothold
