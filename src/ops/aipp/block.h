// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The parameters of dynamic AIPP as they stand in the input ascend_dynamic_aipp_data: a head, then one part
// for each picture of the batch. Programs fill it with the calls aclmdlSetAIPP*, and may write it themselves:
// nothing in it is trusted. Values; any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/aipp_picture.h"

namespace foothold {

struct AippHead {
  std::uint8_t format = 0;
  std::int8_t csc = 0, rbuv = 0, ax = 0, batch = 0;
  std::uint8_t unused0[3] = {};
  std::int32_t source_width = 0, source_height = 0;
  std::int16_t matrix[9] = {};
  std::int16_t unused1[3] = {};
  std::uint8_t output_bias[3] = {}, input_bias[3] = {};
  std::uint8_t unused2[2] = {};
  std::uint8_t reserved[16] = {};
};
static_assert(sizeof(AippHead) == 64);

struct AippPart {
  std::int8_t crop = 0, scale = 0, padding = 0, rotation = 0;
  std::uint8_t unused[4] = {};
  std::int32_t crop_left = 0, crop_top = 0, crop_width = 0, crop_height = 0;
  std::int32_t scale_in_width = 0, scale_in_height = 0, scale_out_width = 0, scale_out_height = 0;
  std::int32_t pad_top = 0, pad_bottom = 0, pad_left = 0, pad_right = 0;
  std::int16_t mean[4] = {};
  std::uint16_t min[4] = {};                                   // float16
  std::uint16_t factor[4] = {0x3C00, 0x3C00, 0x3C00, 0x3C00};  // float16: 1
  std::uint8_t reserved[16] = {};
};
static_assert(sizeof(AippPart) == 96);

std::size_t AippBlockBytes(std::size_t batch);

// One part for each picture.
struct AippBlock {
  AippHead head;
  std::vector<AippPart> parts;

  std::size_t bytes() const { return AippBlockBytes(parts.size()); }
  void Write(std::byte* to) const;
};

// The head alone. Throws kGeAippBatchEmpty if nobody has filled it, kInvalidParam for a format or size that
// is none.
AippHead ReadAippHead(const std::byte* block);
// What becomes of picture `index`. Throws kInvalidParam as CheckPicture does.
AippPicture ReadAippPart(const AippHead& head, const std::byte* block, std::size_t index);

}  // namespace foothold
