// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/aipp_picture.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "kernels/half_convert.h"

namespace foothold {
namespace {

constexpr std::size_t kBehind = 64;  // room behind a piece, for whole vectors

struct Piece {
  alignas(64) std::uint8_t bytes[4][kAippPiece + kBehind];
  AippChannels channels{bytes[0], bytes[1], bytes[2], bytes[3]};
};

bool SharesColours(AippFormat format) {
  return format == AippFormat::kYuv420sp || format == AippFormat::kYuv422sp || format == AippFormat::kYuyv;
}

// U and V of a row stand behind all of Y.
const std::uint8_t* PairsOf(const AippPicture& p, const std::uint8_t* source, std::size_t x, std::size_t y) {
  const std::size_t row = p.format == AippFormat::kYuv420sp ? y / 2 : y;
  return source + p.width * p.height + row * p.width + x / 2 * 2;
}

void SplitPixel(const AippPicture& p, const std::uint8_t* source, std::size_t x, std::size_t y,
                const AippChannels& to) {
  const std::size_t pixel = y * p.width + x;
  switch (p.format) {
    case AippFormat::kYuv420sp:
    case AippFormat::kYuv422sp:
      return SplitLumaAndPairs(source + pixel, PairsOf(p, source, x, y), 1, to);
    case AippFormat::kYuyv:
      SplitYuyv(source + (y * p.width + x / 2 * 2) * 2, 1, to);
      to[0][0] = source[2 * pixel];
      return;
    case AippFormat::kYuv400:
      to[0][0] = source[pixel];
      return;
    case AippFormat::kRgb888:
      return SplitThree(source + 3 * pixel, 1, to);
    default:
      return SplitFour(source + 4 * pixel, 1, to);
  }
}

AippChannels From(const AippChannels& channels, std::size_t pixel) {
  return {channels[0] + pixel, channels[1] + pixel, channels[2] + pixel, channels[3] + pixel};
}

// The pixels from column x of row y of the source on.
void Split(const AippPicture& p, const std::uint8_t* source, std::size_t x, std::size_t y, std::size_t pixels,
           const AippChannels& to) {
  const std::size_t first = y * p.width + x;
  if (SharesColours(p.format) && x % 2 != 0) {
    SplitPixel(p, source, x, y, to);
    if (pixels > 1) Split(p, source, x + 1, y, pixels - 1, From(to, 1));
    return;
  }
  switch (p.format) {
    case AippFormat::kYuv420sp:
    case AippFormat::kYuv422sp:
      return SplitLumaAndPairs(source + first, PairsOf(p, source, x, y), pixels, to);
    case AippFormat::kYuyv:
      return SplitYuyv(source + 2 * first, pixels, to);
    case AippFormat::kYuv400:
      std::memcpy(to[0], source + first, pixels);
      return;
    case AippFormat::kRgb888:
      return SplitThree(source + 3 * first, pixels, to);
    default:
      return SplitFour(source + 4 * first, pixels, to);
  }
}

// Two pixels of the source and the share of the second: centres of pixels stay where they are.
struct Tap {
  std::size_t low, high;
  float share;
};
Tap TapAt(std::size_t to, std::size_t scaled, std::size_t there) {
  const double at =
      (static_cast<double>(to) + 0.5) * static_cast<double>(there) / static_cast<double>(scaled);
  const double place = std::clamp(at - 0.5, 0.0, static_cast<double>(there - 1));
  const auto low = static_cast<std::size_t>(place);
  return {low, std::min(low + 1, there - 1), static_cast<float>(place - static_cast<double>(low))};
}

void ResizePixel(const AippPicture& p, const std::uint8_t* source, const Tap& column, const Tap& row,
                 const AippChannels& to) {
  std::uint8_t corner[4][4];  // by place, then channel
  const auto split = [&](std::size_t place, std::size_t x, std::size_t y) {
    std::uint8_t* c = corner[place];
    SplitPixel(p, source, p.left + x, p.top + y, {c, c + 1, c + 2, c + 3});
  };
  split(0, column.low, row.low);
  split(1, column.high, row.low);
  split(2, column.low, row.high);
  split(3, column.high, row.high);
  for (std::size_t k = 0; k < ChannelsOf(p.format); ++k) {
    const auto mix = [&](int a, int b, float share) {
      return static_cast<float>(corner[a][k]) * (1 - share) + static_cast<float>(corner[b][k]) * share;
    };
    const float value = mix(0, 1, column.share) * (1 - row.share) + mix(2, 3, column.share) * row.share;
    to[k][0] = static_cast<std::uint8_t>(value + 0.5f);
  }
}

// The pixels from column x of row y of the resized crop on.
void Take(const AippPicture& p, const std::uint8_t* source, std::size_t x, std::size_t y, std::size_t pixels,
          const AippChannels& to) {
  if (!p.Resizes()) return Split(p, source, p.left + x, p.top + y, pixels, to);
  const Tap row = TapAt(y, p.scaled_height, p.crop_height);
  for (std::size_t i = 0; i < pixels; ++i)
    ResizePixel(p, source, TapAt(x + i, p.scaled_width, p.crop_width), row, From(to, i));
}

void Recolour(const AippPicture& p, std::size_t pixels, AippChannels& channels) {
  if (p.first_is_last && ChannelsOf(p.format) == 4)
    std::rotate(channels.begin(), channels.begin() + 1, channels.end());
  if (p.swaps_colours && ChannelsOf(p.format) >= 3)
    std::swap(IsYuv(p.format) ? channels[1] : channels[0], channels[2]);
  if (p.converts) ConvertColours(p.colours, pixels, channels);
}

template <typename T>
T ElementOf(float value) {
  if constexpr (std::is_same_v<T, float>) {
    return value;
  } else if constexpr (std::is_same_v<T, std::uint16_t>) {
    std::uint16_t half = 0;
    HalvesFromFloats(HalfKind::kFloat16, &value, &half, 1);
    return half;
  } else {
    return static_cast<T>(std::clamp(std::nearbyint(value), 0.0f, 255.0f));
  }
}

template <typename T>
class RowMaker {
 public:
  RowMaker(const AippPicture& picture, const AippTarget& target, const std::uint8_t* source, T* to)
      : p_(picture),
        t_(target),
        source_(source),
        to_(to),
        columns_(target.Columns(picture)),
        plane_(target.Rows(picture) * columns_),
        padding_(ElementOf<T>(picture.padding)) {}

  void Make(std::size_t row) {
    const std::size_t y = row - t_.top;  // before the first wraps around
    if (y >= p_.OutHeight()) return Fill(row, 0, columns_, T{});
    Fill(row, 0, t_.left, T{});
    Fill(row, t_.left + p_.OutWidth(), t_.right, T{});
    const std::size_t inner = y - p_.pad_top;
    if (inner >= p_.scaled_height) return Fill(row, t_.left, p_.OutWidth(), padding_);
    const std::size_t begin = t_.left + p_.pad_left;
    Fill(row, t_.left, p_.pad_left, padding_);
    Fill(row, begin + p_.scaled_width, p_.pad_right, padding_);
    for (std::size_t x = 0; x < p_.scaled_width; x += kAippPiece)
      MakePiece(row, begin + x, x, inner, std::min(kAippPiece, p_.scaled_width - x));
  }

 private:
  T* At(std::size_t row, std::size_t column, std::size_t channel) const {
    const std::size_t pixel = row * columns_ + column;
    return to_ + (t_.interleaved ? pixel * t_.channels + channel : channel * plane_ + pixel);
  }

  void Fill(std::size_t row, std::size_t column, std::size_t pixels, T value) const {
    if (t_.interleaved) {
      std::fill_n(At(row, column, 0), pixels * t_.channels, value);
      return;
    }
    for (std::size_t k = 0; k < t_.channels; ++k)
      std::fill_n(At(row, column, k), pixels, value);
  }

  void MakePiece(std::size_t row, std::size_t column, std::size_t x, std::size_t y, std::size_t pixels) {
    AippChannels channels = piece_.channels;
    Take(p_, source_, x, y, pixels, channels);
    Recolour(p_, pixels, channels);
    if (t_.interleaved) return StorePixels(channels, pixels, At(row, column, 0));
    for (std::size_t k = 0; k < t_.channels; ++k)
      StoreChannel(channels, k, pixels, At(row, column, k));
  }

  void StorePixels(const AippChannels& channels, std::size_t pixels, T* to) {
    if constexpr (std::is_same_v<T, float>) {
      FloatsOfPixels(p_.scale, t_.channels, channels, pixels, to);
    } else if constexpr (std::is_same_v<T, std::uint16_t>) {
      FloatsOfPixels(p_.scale, t_.channels, channels, pixels, floats_);
      HalvesFromFloats(HalfKind::kFloat16, floats_, to, pixels * t_.channels);
    } else {
      for (std::size_t i = 0; i < pixels; ++i)
        for (std::size_t k = 0; k < t_.channels; ++k)
          to[i * t_.channels + k] = channels[k][i];
    }
  }

  void StoreChannel(const AippChannels& channels, std::size_t k, std::size_t pixels, T* to) {
    if constexpr (std::is_same_v<T, float>) {
      FloatsOfChannel(p_.scale, k, channels[k], pixels, to);
    } else if constexpr (std::is_same_v<T, std::uint16_t>) {
      FloatsOfChannel(p_.scale, k, channels[k], pixels, floats_);
      HalvesFromFloats(HalfKind::kFloat16, floats_, to, pixels);
    } else {
      std::memcpy(to, channels[k], pixels);
    }
  }

  const AippPicture& p_;
  const AippTarget& t_;
  const std::uint8_t* source_;
  T* to_;
  const std::size_t columns_, plane_;
  const T padding_;
  Piece piece_{};
  float floats_[std::is_same_v<T, std::uint16_t> ? 4 * kAippPiece : 1];
};

template <typename T>
void MakeRows(const AippPicture& picture, const AippTarget& target, const std::uint8_t* source,
              std::size_t begin, std::size_t end, std::byte* to) {
  RowMaker<T> maker(picture, target, source, reinterpret_cast<T*>(to));
  for (std::size_t row = begin; row < end; ++row)
    maker.Make(row);
}

}  // namespace

bool IsAippFormat(std::int64_t number) {
  return (number >= 1 && number <= 4) || (number >= 7 && number <= 10);
}

bool IsYuv(AippFormat format) {
  return SharesColours(format) || format == AippFormat::kYuv400 || format == AippFormat::kAyuv444;
}

std::size_t ChannelsOf(AippFormat format) {
  switch (format) {
    case AippFormat::kYuv400:
      return 1;
    case AippFormat::kXrgb8888:
    case AippFormat::kArgb8888:
    case AippFormat::kAyuv444:
      return 4;
    default:
      return 3;
  }
}

std::size_t PictureBytes(AippFormat format, std::size_t width, std::size_t height) {
  const std::size_t pixels = width * height;
  switch (format) {
    case AippFormat::kYuv420sp:
      return pixels / 2 * 3;
    case AippFormat::kYuyv:
    case AippFormat::kYuv422sp:
      return pixels * 2;
    default:
      return pixels * ChannelsOf(format);
  }
}

void MakeAippRows(const AippPicture& picture, const AippTarget& target, const std::uint8_t* source,
                  std::size_t begin, std::size_t end, std::byte* to) {
  switch (target.element) {
    case AippElement::kFloat:
      return MakeRows<float>(picture, target, source, begin, end, to);
    case AippElement::kFloat16:
      return MakeRows<std::uint16_t>(picture, target, source, begin, end, to);
    case AippElement::kUint8:
      return MakeRows<std::uint8_t>(picture, target, source, begin, end, to);
  }
}

}  // namespace foothold
