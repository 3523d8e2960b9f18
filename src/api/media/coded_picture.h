// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the entry points of JPEG and PNG share.
#pragma once

#include <cstring>
#include <functional>

#include "api/media/described.h"

namespace foothold::media {

// A file in memory that is read in the call.
inline const std::uint8_t* FileBytes(const void* data, std::uint32_t size) {
  CheckNotNull(data, "data", kInvalidParam);
  if (size == 0) Fail(kInvalidParam, "the size of the picture's file must not be 0");
  return static_cast<const std::uint8_t*>(data);
}

// An answer in 32 bits.
std::uint32_t InWords(std::uint64_t bytes);

// Decodes `data` as a task: `decode` answers the picture as it was written, which the description then has.
using Decode = std::function<Picture(const std::uint8_t* data, std::size_t size, const Picture& out)>;
void PushDecode(PictureChannel& channel, const void* data, std::uint32_t size, const acldvppPicDesc* output,
                aclrtStream stream, const char* api, Decode decode);

}  // namespace foothold::media
