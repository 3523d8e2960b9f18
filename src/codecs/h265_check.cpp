// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Sequence and picture parameter sets of H.265 (ITU-T H.265, 7.3.2.2 and 7.3.2.3) and the first fields of
// slices, as far as needed to know sizes and references, and to refuse what no decoder should be asked to do.
#include <algorithm>
#include <array>
#include <optional>

#include "base/error.h"
#include "codecs/bit_reader.h"
#include "codecs/unit_check.h"

namespace foothold {
namespace {

constexpr std::uint32_t kSequences = 16;
constexpr std::uint32_t kPictures = 64;

struct H265Sequence : Sequence {
  std::uint32_t columns = 0;  // of coding tree blocks
  std::uint32_t rows = 0;
  std::uint32_t depth = 0;  // of coding blocks in them
  bool operator==(const H265Sequence&) const = default;
};

void Require(bool holds, const char* what) {
  if (!holds) Fail(kInvalidParam, "the H.265 stream is damaged or not supported: {}", what);
}

void SkipProfile(BitReader& bits, std::uint32_t sub_layers) {
  bits.Skip(96);
  std::array<bool, 8> profile{}, level{};
  for (std::uint32_t i = 0; i < sub_layers; ++i) {
    profile[i] = bits.Flag();
    level[i] = bits.Flag();
  }
  if (sub_layers > 0) bits.Skip(2 * (8 - static_cast<int>(sub_layers)));
  for (std::uint32_t i = 0; i < sub_layers; ++i) {
    if (profile[i]) bits.Skip(88);
    if (level[i]) bits.Skip(8);
  }
}

void ReadWindow(BitReader& bits, std::uint64_t width, std::uint64_t height, H265Sequence& sequence) {
  std::uint64_t left = 0, right = 0, top = 0, bottom = 0;
  if (bits.Flag()) {
    left = bits.Unsigned(), right = bits.Unsigned(), top = bits.Unsigned(), bottom = bits.Unsigned();
  }
  Require((left + right) * 2 < width && (top + bottom) * 2 < height, "nothing of the picture is visible");
  sequence.width = static_cast<std::uint32_t>(width - (left + right) * 2);
  sequence.height = static_cast<std::uint32_t>(height - (top + bottom) * 2);
}

void ReadDepth(BitReader& bits, H265Sequence& sequence) {
  const std::uint32_t luma = bits.Unsigned(), chroma = bits.Unsigned();
  Require(luma == chroma && (luma == 0 || luma == 2), "samples that have neither 8 nor 10 bits");
  sequence.bits = 8 + static_cast<int>(luma);
}

// The largest number of pictures any layer shows later than decoded.
std::uint32_t ReadReorderDepth(BitReader& bits, std::uint32_t sub_layers) {
  std::uint32_t depth = 0;
  for (std::uint32_t i = bits.Flag() ? 0 : sub_layers; i <= sub_layers; ++i) {
    const std::uint32_t buffers = bits.Unsigned(), reorder = bits.Unsigned();
    Require(buffers <= 15 && reorder <= buffers, "more than 16 pictures to be kept");
    bits.Unsigned();
    depth = std::max(depth, reorder);
  }
  return depth;
}

void ReadBlocks(BitReader& bits, std::uint64_t width, std::uint64_t height, H265Sequence& sequence) {
  const std::uint32_t coding = bits.Unsigned(), more = bits.Unsigned();
  Require(coding <= 3 && more <= 3 && coding + 3 + more <= 6 && coding + 3 + more >= 4,
          "coding blocks of a size that does not exist");
  const std::uint32_t smallest = coding + 3, largest = smallest + more;
  const std::uint32_t transform = bits.Unsigned(), range = bits.Unsigned();
  Require(transform <= 3 && range <= 3 && transform + 2 < smallest &&
              transform + 2 + range <= std::min(largest, 5u),
          "transform blocks of a size that does not exist");
  Require(bits.Unsigned() <= largest - transform - 2 && bits.Unsigned() <= largest - transform - 2,
          "transform trees that are too deep");
  Require(width % (1u << smallest) == 0 && height % (1u << smallest) == 0,
          "a size that is no multiple of its smallest block");
  sequence.columns = static_cast<std::uint32_t>((width + (1u << largest) - 1) >> largest);
  sequence.rows = static_cast<std::uint32_t>((height + (1u << largest) - 1) >> largest);
  sequence.depth = more;
}

struct Numbered {
  std::uint32_t id;
  H265Sequence sequence;
};

Numbered ReadSequence(BitReader& bits) {
  Numbered read{};
  bits.Skip(4);
  const std::uint32_t sub_layers = bits.Bits(3);
  Require(sub_layers <= 6, "more than seven layers in time");
  bits.Flag();
  SkipProfile(bits, sub_layers);
  read.id = bits.Unsigned();
  Require(read.id < kSequences, "a sequence parameter set above 15");
  Require(bits.Unsigned() == 1, "pictures other than 4:2:0");
  const std::uint64_t width = bits.Unsigned(), height = bits.Unsigned();
  CheckPictureSize(width, height);
  ReadWindow(bits, width, height, read.sequence);
  ReadDepth(bits, read.sequence);
  Require(bits.Unsigned() <= 12, "log2_max_pic_order_cnt_lsb above 16");
  read.sequence.reorders = ReadReorderDepth(bits, sub_layers) != 0;
  ReadBlocks(bits, width, height, read.sequence);
  Require(!bits.over(), "a sequence parameter set that ends too early");
  return read;
}

bool IsSlice(std::uint32_t type) {
  return type <= 9 || (type >= 16 && type <= 21);
}

class H265Check final : public UnitCheck {
 public:
  Unit Look(StreamBytes unit) override {
    Require(unit.size() >= 2 && (unit[0] & 0x80) == 0, "a unit with its forbidden bit set");
    const std::uint32_t type = unit[0] >> 1 & 0x3F;
    const bool base_layer = (unit[0] & 1) == 0 && unit[1] >> 3 == 0;
    Require((unit[1] & 7) != 0, "a unit without a layer in time");
    if (!base_layer) return Unit::kOther;
    BitReader bits(unit.subspan(2));
    if (IsSlice(type)) {
      LookAtSlice(bits, type);
      return Unit::kSlice;
    }
    if (type == 33) KeepSequence(ReadSequence(bits));
    if (type == 34) KeepPicture(bits);
    if (type >= 32 && type <= 34) return Unit::kParameters;
    return type >= 35 && type <= 37 ? Unit::kBoundary : Unit::kOther;
  }

 private:
  // Pictures that were made for another form of the sequence do not fit the new one.
  void KeepSequence(const Numbered& read) {
    std::optional<H265Sequence>& place = sequences_[read.id];
    if (place == read.sequence) return;
    place = read.sequence;
    for (std::optional<std::uint32_t>& picture : pictures_) {
      if (picture == read.id) picture.reset();
    }
  }

  void KeepPicture(BitReader& bits) {
    const std::uint32_t id = bits.Unsigned(), number = bits.Unsigned();
    Require(id < kPictures && number < kSequences, "a picture parameter set with a number out of range");
    Require(sequences_[number].has_value(), "a picture parameter set before its sequence parameter set");
    const H265Sequence& sequence = *sequences_[number];
    bits.Skip(7);
    Require(bits.Unsigned() <= 14 && bits.Unsigned() <= 14, "more than 15 references");
    CheckOffset(bits.Signed(), 26 + 6 * (sequence.bits - 8));
    bits.Skip(2);
    if (bits.Flag()) Require(bits.Unsigned() <= sequence.depth, "quantisers below the smallest block");
    CheckOffset(bits.Signed(), 12);
    CheckOffset(bits.Signed(), 12);
    bits.Skip(4);
    const bool tiles = bits.Flag();
    bits.Flag();
    if (tiles) CheckTiles(bits, sequence);
    Require(!bits.over(), "a picture parameter set that ends too early");
    pictures_[id] = number;
  }

  static void CheckOffset(std::int32_t value, std::int32_t limit) {
    Require(value >= -limit && value <= limit, "a quantiser offset out of range");
  }

  static void CheckTiles(BitReader& bits, const H265Sequence& sequence) {
    const std::uint64_t columns = std::uint64_t{bits.Unsigned()} + 1,
                        rows = std::uint64_t{bits.Unsigned()} + 1;
    Require(columns <= sequence.columns && rows <= sequence.rows, "more tiles than blocks");
    if (bits.Flag()) return;
    std::uint64_t width = 0, height = 0;
    for (std::uint64_t i = 1; i < columns; ++i)
      width += std::uint64_t{bits.Unsigned()} + 1;
    for (std::uint64_t i = 1; i < rows; ++i)
      height += std::uint64_t{bits.Unsigned()} + 1;
    Require(width < sequence.columns && height < sequence.rows, "tiles larger than the picture");
  }

  void LookAtSlice(BitReader& bits, std::uint32_t type) {
    bits.Flag();
    if (type >= 16) bits.Flag();
    const std::uint32_t picture = bits.Unsigned();
    Require(!bits.over(), "a slice that ends in its header");
    Require(picture < kPictures && pictures_[picture].has_value(),
            "a slice whose parameter sets have not come, or were refused");
    sequence_ = *sequences_[*pictures_[picture]];
  }

  std::array<std::optional<H265Sequence>, kSequences> sequences_;
  std::array<std::optional<std::uint32_t>, kPictures> pictures_;
};

}  // namespace

std::unique_ptr<UnitCheck> MakeH265Check() {
  return std::make_unique<H265Check>();
}

}  // namespace foothold
