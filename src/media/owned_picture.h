// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A picture with memory of its own, for steps between input and output. Its samples are not set.
#pragma once

#include <memory>

#include "media/picture.h"

namespace foothold::media {

class OwnedPicture {
 public:
  OwnedPicture(PixelFormat format, std::uint32_t width, std::uint32_t height)
      : memory_(std::make_unique_for_overwrite<std::uint8_t[]>(TightBytes(format, width, height))),
        picture_(TightPicture(format, width, height, memory_.get())) {}

  const Picture& picture() const { return picture_; }

 private:
  std::unique_ptr<std::uint8_t[]> memory_;
  Picture picture_;
};

}  // namespace foothold::media
