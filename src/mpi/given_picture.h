// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A picture as a program describes it to the hi_mpi family, with the address it gave. Checked when it is
// given, and again when it is used. Any thread.
#pragma once

#include <cstdint>

#include "device/memory_map.h"
#include "media/picture.h"

namespace foothold::mpi {

struct GivenPicture {
  media::Picture shape;  // data is where the bytes were when it was given
  const void* address = nullptr;
  std::uint64_t serial = 0;
  Use use = Use::kRead;

  // Where the bytes are now. Throws if the memory is gone.
  media::Picture Now() const {
    media::Picture picture = shape;
    picture.data = static_cast<std::uint8_t*>(RecheckRange(address, shape.bytes, use, serial, "picture"));
    return picture;
  }
};

// Throws 100000 for memory that is not there or too small. Without `complete`, sizes may be open.
inline GivenPicture Give(media::Picture shape, const void* address, Use use, const char* what,
                         bool complete = true) {
  const MemoryUse memory = CheckRange(address, shape.bytes, use, what, kInvalidParam);
  shape.data = static_cast<std::uint8_t*>(memory.kernel);
  if (complete) media::Check(shape, what);
  return {shape, address, memory.serial, use};
}

}  // namespace foothold::mpi
