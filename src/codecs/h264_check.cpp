// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Sequence and picture parameter sets of H.264 (ITU-T H.264, 7.3.2.1 and 7.3.2.2) and the first fields of
// slices, as far as needed to know sizes and references, and to refuse what no decoder should be asked to do.
#include <array>
#include <optional>

#include "base/error.h"
#include "codecs/bit_reader.h"
#include "codecs/unit_check.h"

namespace foothold {
namespace {

constexpr std::uint32_t kSequences = 32;
constexpr std::uint32_t kPictures = 256;
constexpr int kMacroblock = 16;

struct H264Sequence : Sequence {
  std::uint32_t macroblocks = 0;

  bool operator==(const H264Sequence&) const = default;
};

bool HasChromaFormat(std::uint32_t profile) {
  for (const std::uint32_t one : {100u, 110u, 122u, 244u, 44u, 83u, 86u, 118u, 128u}) {
    if (profile == one) return true;
  }
  return false;
}

void Require(bool holds, const char* what) {
  if (!holds) Fail(kInvalidParam, "the H.264 stream is damaged or not supported: {}", what);
}

void SkipScalingList(BitReader& bits, int size) {
  int last = 8, next = 8;
  for (int i = 0; i < size && !bits.over(); ++i) {
    if (next != 0) next = (last + bits.Signed() + 256) & 255;
    last = next == 0 ? last : next;
  }
}

void ReadChroma(BitReader& bits) {
  Require(bits.Unsigned() == 1, "pictures other than 4:2:0");
  Require(bits.Unsigned() == 0 && bits.Unsigned() == 0, "samples of more than 8 bits");
  Require(!bits.Flag(), "lossless transform bypass");
  if (!bits.Flag()) return;
  for (int list = 0; list < 8; ++list) {
    if (bits.Flag()) SkipScalingList(bits, list < 6 ? 16 : 64);
  }
}

// True if pictures come in the order they are shown in whatever follows.
bool ReadOrderCount(BitReader& bits) {
  const std::uint32_t type = bits.Unsigned();
  Require(type <= 2, "pic_order_cnt_type above 2");
  if (type == 0) Require(bits.Unsigned() <= 12, "log2_max_pic_order_cnt_lsb above 16");
  if (type != 1) return type == 2;
  bits.Flag();
  bits.Signed();
  bits.Signed();
  const std::uint32_t frames = bits.Unsigned();
  Require(frames <= 255, "more than 255 reference frames in a cycle");
  for (std::uint32_t i = 0; i < frames; ++i)
    bits.Signed();
  return false;
}

void SkipHrd(BitReader& bits) {
  const std::uint32_t count = bits.Unsigned();
  Require(count <= 31, "more than 32 buffers in the parameters of the hypothetical decoder");
  bits.Skip(8);
  for (std::uint32_t i = 0; i <= count && !bits.over(); ++i) {
    bits.Unsigned();
    bits.Unsigned();
    bits.Flag();
  }
  bits.Skip(20);
}

// The number of pictures shown later than decoded, if the stream says it.
std::optional<std::uint32_t> ReadReorderDepth(BitReader& bits) {
  if (bits.Flag() && bits.Bits(8) == 255) bits.Skip(32);  // shape of pixels
  if (bits.Flag()) bits.Flag();                           // overscan
  if (bits.Flag()) {                                      // colours
    bits.Skip(4);
    if (bits.Flag()) bits.Skip(24);
  }
  if (bits.Flag()) {  // places of chroma
    bits.Unsigned();
    bits.Unsigned();
  }
  if (bits.Flag()) bits.Skip(65);  // times
  const bool units = bits.Flag();
  if (units) SkipHrd(bits);
  const bool slices = bits.Flag();
  if (slices) SkipHrd(bits);
  if (units || slices) bits.Flag();
  bits.Flag();
  if (!bits.Flag()) return std::nullopt;
  bits.Flag();
  for (int i = 0; i < 4; ++i)
    bits.Unsigned();
  const std::uint32_t depth = bits.Unsigned();
  return bits.over() ? std::nullopt : std::optional(depth);
}

struct Numbered {
  std::uint32_t id;
  H264Sequence sequence;
};

void ReadSize(BitReader& bits, H264Sequence& sequence) {
  const std::uint64_t columns = std::uint64_t{bits.Unsigned()} + 1, rows = std::uint64_t{bits.Unsigned()} + 1;
  CheckPictureSize(columns * kMacroblock, rows * kMacroblock);
  Require(bits.Flag(), "interlaced pictures");
  bits.Flag();
  sequence.macroblocks = static_cast<std::uint32_t>(columns * rows);
  std::uint64_t left = 0, right = 0, top = 0, bottom = 0;
  if (bits.Flag()) {
    left = bits.Unsigned(), right = bits.Unsigned(), top = bits.Unsigned(), bottom = bits.Unsigned();
  }
  Require((left + right) * 2 < columns * kMacroblock && (top + bottom) * 2 < rows * kMacroblock,
          "nothing of the picture is visible");
  sequence.width = static_cast<std::uint32_t>(columns * kMacroblock - (left + right) * 2);
  sequence.height = static_cast<std::uint32_t>(rows * kMacroblock - (top + bottom) * 2);
}

Numbered ReadSequence(BitReader& bits) {
  Numbered read{};
  const std::uint32_t profile = bits.Bits(8);
  bits.Skip(16);
  read.id = bits.Unsigned();
  Require(read.id < kSequences, "a sequence parameter set above 31");
  if (HasChromaFormat(profile)) ReadChroma(bits);
  Require(bits.Unsigned() <= 12, "log2_max_frame_num above 16");
  const bool in_order = ReadOrderCount(bits);
  Require(bits.Unsigned() <= 16, "more than 16 reference frames");
  bits.Flag();
  ReadSize(bits, read.sequence);
  Require(!bits.over(), "a sequence parameter set that ends too early");
  const std::optional<std::uint32_t> depth = bits.Flag() ? ReadReorderDepth(bits) : std::nullopt;
  read.sequence.reorders = !in_order && profile != 66 && depth.value_or(1) != 0;
  return read;
}

class H264Check final : public UnitCheck {
 public:
  Unit Look(StreamBytes unit) override {
    Require((unit[0] & 0x80) == 0, "a unit with its forbidden bit set");
    BitReader bits(unit.subspan(1));
    switch (unit[0] & 0x1F) {
      case 1:
      case 5:
        LookAtSlice(bits);
        return Unit::kSlice;
      case 2:
      case 3:
      case 4:
        Require(false, "slices in partitions");
        return Unit::kOther;
      case 7:
        KeepSequence(ReadSequence(bits));
        return Unit::kParameters;
      case 8:
        KeepPicture(bits);
        return Unit::kParameters;
      case 9:
      case 10:
      case 11:
        return Unit::kBoundary;
      default:
        return Unit::kOther;
    }
  }

 private:
  // Pictures that were made for another form of the sequence do not fit the new one.
  void KeepSequence(const Numbered& read) {
    std::optional<H264Sequence>& place = sequences_[read.id];
    if (place == read.sequence) return;
    place = read.sequence;
    for (std::optional<std::uint32_t>& picture : pictures_) {
      if (picture == read.id) picture.reset();
    }
  }

  void KeepPicture(BitReader& bits) {
    const std::uint32_t id = bits.Unsigned(), sequence = bits.Unsigned();
    Require(id < kPictures && sequence < kSequences, "a picture parameter set with a number out of range");
    Require(sequences_[sequence].has_value(), "a picture parameter set before its sequence parameter set");
    bits.Skip(2);
    Require(bits.Unsigned() == 0, "slice groups");
    Require(bits.Unsigned() <= 31 && bits.Unsigned() <= 31, "more than 32 references");
    bits.Flag();
    Require(bits.Bits(2) <= 2, "weighted_bipred_idc 3");
    CheckOffset(bits.Signed(), 26);
    CheckOffset(bits.Signed(), 26);
    CheckOffset(bits.Signed(), 12);
    bits.Skip(3);
    Require(!bits.over(), "a picture parameter set that ends too early");
    pictures_[id] = sequence;
  }

  static void CheckOffset(std::int32_t value, std::int32_t limit) {
    Require(value >= -limit && value <= limit, "a quantiser offset out of range");
  }

  void LookAtSlice(BitReader& bits) {
    const std::uint32_t first = bits.Unsigned(), type = bits.Unsigned(), picture = bits.Unsigned();
    Require(!bits.over(), "a slice that ends in its header");
    Require(picture < kPictures && pictures_[picture].has_value(),
            "a slice whose parameter sets have not come, or were refused");
    const H264Sequence& sequence = *sequences_[*pictures_[picture]];
    Require(first < sequence.macroblocks, "a slice outside of the picture");
    Require(type <= 9, "a slice of an unknown type");
    Require(type % 5 <= 2, "switching slices");
    sequence_ = sequence;
  }

  std::array<std::optional<H264Sequence>, kSequences> sequences_;
  std::array<std::optional<std::uint32_t>, kPictures> pictures_;
};

}  // namespace

std::unique_ptr<UnitCheck> MakeH264Check() {
  return std::make_unique<H264Check>();
}

}  // namespace foothold
