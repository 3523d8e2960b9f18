// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What is known of a stream from its own headers, before a library sees any of it. One stream, one thread at
// a time.
#pragma once

#include <cstdint>
#include <memory>

#include "codecs/annex_b.h"

namespace foothold {

// The largest picture a channel takes, and the longest packet.
constexpr std::uint32_t kMostPixelsPerSide = 4096;
constexpr std::size_t kMostPacketBytes = std::size_t{64} << 20;

// What a sequence parameter set says.
struct Sequence {
  std::uint32_t width = 0;  // of the visible part
  std::uint32_t height = 0;
  int bits = 8;
  bool reorders = true;  // pictures may be shown in another order than they come

  bool operator==(const Sequence&) const = default;
};

class UnitCheck {
 public:
  enum class Unit {
    kParameters,  // accepted, to be kept by the library
    kSlice,       // a part of a picture, with parameter sets that were accepted
    kBoundary,    // delimiters and ends
    kOther,       // not needed to decode: the library does not see it
  };

  virtual ~UnitCheck() = default;
  // Throws, with what is wrong, for a unit no library may see.
  virtual Unit Look(StreamBytes unit) = 0;
  // Of the last slice.
  const Sequence& sequence() const { return sequence_; }

 protected:
  Sequence sequence_;
};

std::unique_ptr<UnitCheck> MakeH264Check();
std::unique_ptr<UnitCheck> MakeH265Check();

// Throws if the size is absurd or more than the library is asked to decode.
void CheckPictureSize(std::uint64_t width, std::uint64_t height);

}  // namespace foothold
