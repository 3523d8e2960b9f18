// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "codecs/planes.h"

#include <cstring>

namespace foothold {
namespace {

// Simple loops of whole rows, which compilers turn into vector code.
void Interleave(const std::uint8_t* __restrict first, const std::uint8_t* __restrict second,
                std::size_t pairs, std::uint8_t* __restrict to) {
  for (std::size_t i = 0; i < pairs; ++i) {
    to[2 * i] = first[i];
    to[2 * i + 1] = second[i];
  }
}

void Separate(const std::uint8_t* __restrict from, std::size_t pairs, std::uint8_t* __restrict first,
              std::uint8_t* __restrict second) {
  for (std::size_t i = 0; i < pairs; ++i) {
    first[i] = from[2 * i];
    second[i] = from[2 * i + 1];
  }
}

void Narrow(const std::uint8_t* from, std::size_t count, int shift, std::size_t step, std::uint8_t* to) {
  for (std::size_t i = 0; i < count; ++i) {
    std::uint16_t sample;
    std::memcpy(&sample, from + 2 * i, sizeof sample);
    to[i * step] = static_cast<std::uint8_t>(sample >> shift);
  }
}

void CopyWide(const DecodedPicture& from, const PairedPicture& to, std::size_t rows, std::size_t pairs) {
  const int shift = from.bits - 8;
  for (std::size_t y = 0; y < from.height; ++y)
    Narrow(from.planes[0] + y * from.strides[0], from.width, shift, 1, to.luma + y * to.stride);
  for (std::size_t y = 0; y < rows; ++y) {
    std::uint8_t* row = to.chroma + y * to.stride;
    Narrow(from.planes[1] + y * from.strides[1], pairs, shift, 2, row + (to.v_first ? 1 : 0));
    Narrow(from.planes[2] + y * from.strides[2], pairs, shift, 2, row + (to.v_first ? 0 : 1));
  }
}

}  // namespace

void CopyToPairs(const DecodedPicture& from, const PairedPicture& to) {
  const std::size_t rows = (from.height + 1) / 2, pairs = (from.width + 1) / 2;
  if (from.bits > 8) return CopyWide(from, to, rows, pairs);
  const int first = to.v_first ? 2 : 1, second = 3 - first;
  for (std::size_t y = 0; y < from.height; ++y)
    std::memcpy(to.luma + y * to.stride, from.planes[0] + y * from.strides[0], from.width);
  for (std::size_t y = 0; y < rows; ++y)
    Interleave(from.planes[first] + y * from.strides[first], from.planes[second] + y * from.strides[second],
               pairs, to.chroma + y * to.stride);
}

PlanarPicture PlanesOf(const std::uint8_t* memory, std::uint32_t width, std::uint32_t height) {
  const std::size_t luma = std::size_t{width} * height, half = width / 2;
  return {{memory, memory + luma, memory + luma + half * (height / 2)}, {width, half, half}};
}

void SplitPairs(const PairedPicture& from, std::uint32_t width, std::uint32_t height, std::uint8_t* memory) {
  const std::size_t rows = height / 2, pairs = width / 2;
  std::uint8_t* const u = memory + std::size_t{width} * height;
  std::uint8_t* const v = u + rows * pairs;
  for (std::size_t y = 0; y < height; ++y)
    std::memcpy(memory + y * width, from.luma + y * from.stride, width);
  for (std::size_t y = 0; y < rows; ++y)
    Separate(from.chroma + y * from.stride, pairs, (from.v_first ? v : u) + y * pairs,
             (from.v_first ? u : v) + y * pairs);
}

}  // namespace foothold
