// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// The markers of a JPEG file up to its samples: sizes, samplings, orientation.
#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "media/jpeg.h"

namespace foothold::media {
namespace {

[[noreturn]] void FailJpeg(const char* problem) {
  Fail(kUnsupportedJpeg, "the bytes are no JPEG picture that can be decoded: {}", problem);
}

// Bytes that may end anywhere.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  std::size_t size() const { return size_; }
  std::optional<std::uint32_t> Byte(std::size_t at) const {
    return at < size_ ? std::optional<std::uint32_t>(data_[at]) : std::nullopt;
  }
  std::optional<std::uint32_t> Number(std::size_t at, std::size_t bytes, bool little = false) const {
    if (bytes > size_ || at > size_ - bytes) return std::nullopt;
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i)
      value = value << 8 | data_[at + (little ? bytes - 1 - i : i)];
    return value;
  }
  Bytes Part(std::size_t at, std::size_t bytes) const {
    return at > size_ ? Bytes(data_, 0) : Bytes(data_ + at, std::min(bytes, size_ - at));
  }
  bool StartsWith(std::string_view text) const {
    return text.size() <= size_ && std::memcmp(data_, text.data(), text.size()) == 0;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
};

// The number of a TIFF directory's tag 0x112; 1 where it is missing or makes no sense.
int ReadOrientation(const Bytes& tiff) {
  const bool little = tiff.StartsWith("II");
  const auto number = [&](std::size_t at, std::size_t bytes) { return tiff.Number(at, bytes, little); };
  if ((!little && !tiff.StartsWith("MM")) || number(2, 2) != 42u) return 1;
  const std::size_t directory = number(4, 4).value_or(0);
  const std::size_t entries = number(directory, 2).value_or(0);
  for (std::size_t i = 0; i < entries; ++i) {
    const std::size_t entry = directory + 2 + 12 * i;
    if (number(entry, 2) != 0x112u) continue;
    const std::uint32_t value = number(entry + 8, 2).value_or(1);
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

// What the markers say, as far as it matters.
struct Markers {
  Bytes frame{nullptr, 0};  // behind the length of its marker
  int frame_kind = -1;
  int orientation = 1;
  bool is_jfif = false;
  int adobe = -1;  // how it says colours were turned
};

void ReadMarker(std::uint32_t marker, const Bytes& body, Markers* out) {
  const bool is_frame =
      marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
  if (is_frame && out->frame_kind < 0) {
    out->frame = body;
    out->frame_kind = static_cast<int>(marker - 0xC0);
  }
  if (marker == 0xE0 && body.StartsWith("JFIF")) out->is_jfif = true;
  if (marker == 0xE1 && body.StartsWith({"Exif\0\0", 6}) && out->orientation == 1)
    out->orientation = ReadOrientation(body.Part(6, body.size()));
  if (marker == 0xEE && body.StartsWith("Adobe")) out->adobe = static_cast<int>(body.Byte(11).value_or(0));
}

// To the first samples, or to the end of what is there.
Markers ReadMarkers(const Bytes& file) {
  if (file.Number(0, 2) != 0xFFD8u) FailJpeg("they do not begin with FF D8");
  constexpr std::uint32_t kSamples = 0xDA, kEnd = 0xD9;
  Markers out;
  for (std::size_t at = 2;;) {
    while (at < file.size() && file.Byte(at) != 0xFFu)
      ++at;  // what decoders skip
    while (file.Byte(at) == 0xFFu)
      ++at;
    const auto marker = file.Byte(at++);
    if (!marker || *marker == kSamples || *marker == kEnd) return out;
    if (*marker == 0 || *marker == 1 || (*marker >= 0xD0 && *marker <= 0xD7)) continue;
    const auto length = file.Number(at, 2);
    if (!length || *length < 2) return out;
    ReadMarker(*marker, file.Part(at + 2, *length - 2), &out);
    at += *length;
  }
}

struct Factors {
  std::uint32_t h, v;
};

JpegSampling SamplingOf(const Factors* factors, std::int32_t components) {
  using enum JpegSampling;
  if (components == 1) return kGray;
  if (components != 3 || factors[1].h != factors[2].h || factors[1].v != factors[2].v) return kOther;
  const Factors luma = factors[0], chroma = factors[1];
  const auto is = [&](std::uint32_t x, std::uint32_t y) {
    return luma.h == x * chroma.h && luma.v == y * chroma.v;
  };
  return is(1, 1) ? k444 : is(2, 1) ? k422 : is(2, 2) ? k420 : is(1, 2) ? k440 : is(4, 1) ? k411 : kOther;
}

bool IsRgbCoded(const Markers& markers, const std::uint32_t* ids) {
  if (markers.is_jfif) return false;
  if (markers.adobe >= 0) return markers.adobe == 0;
  return ids[0] == 'R' && ids[1] == 'G' && ids[2] == 'B';
}

void ReadComponents(const Markers& markers, JpegInfo* info) {
  Factors factors[4] = {};
  std::uint32_t ids[4] = {};
  for (std::int32_t c = 0; c < info->components; ++c) {
    const std::size_t at = 6 + 3 * static_cast<std::size_t>(c);
    const auto id = markers.frame.Byte(at), both = markers.frame.Byte(at + 1);
    if (!id || !both) FailJpeg("the frame's header is cut short");
    ids[c] = *id;
    factors[c] = {*both >> 4, *both & 15};
    if (factors[c].h < 1 || factors[c].h > 4 || factors[c].v < 1 || factors[c].v > 4)
      FailJpeg("a sampling factor is not from 1 to 4");
  }
  info->sampling = SamplingOf(factors, info->components);
  const bool rgb = info->components == 3 && IsRgbCoded(markers, ids);
  info->needs_conversion = rgb || info->components == 4 || info->sampling == JpegSampling::kOther;
}

}  // namespace

JpegInfo ReadJpegInfo(const std::uint8_t* data, std::size_t size) {
  const Markers markers = ReadMarkers(Bytes(data, size));
  if (markers.frame_kind < 0) FailJpeg("no frame's header is found");
  const auto precision = markers.frame.Byte(0), height = markers.frame.Number(1, 2),
             width = markers.frame.Number(3, 2), components = markers.frame.Byte(5);
  if (!precision || !height || !width || !components) FailJpeg("the frame's header is cut short");
  const bool known = markers.frame_kind <= 2 || markers.frame_kind == 9 || markers.frame_kind == 10;
  if (!known)
    Fail(kUnsupportedJpeg, "JPEG pictures of kind SOF{} (lossless or hierarchical) are not supported",
         markers.frame_kind);
  if (*precision != 8)
    Fail(kUnsupportedJpeg, "JPEG pictures with {} bits a sample are not supported; 8 are", *precision);
  if (*width == 0 || *height == 0) FailJpeg("a side of it has no pixels");
  if (*components != 1 && *components != 3 && *components != 4)
    Fail(kUnsupportedJpeg, "a JPEG picture with {} components is not supported; 1, 3 and 4 are", *components);
  JpegInfo info;
  info.width = *width;
  info.height = *height;
  info.components = static_cast<std::int32_t>(*components);
  info.orientation = markers.orientation;
  ReadComponents(markers, &info);
  if (info.turned()) std::swap(info.width, info.height);
  return info;
}

}  // namespace foothold::media
