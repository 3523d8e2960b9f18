// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/aipp/block.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "kernels/half_float.h"
#include "ops/aipp/geometry.h"

namespace foothold {
namespace {

constexpr auto kGeAippBatchEmpty = static_cast<Code>(145014);
constexpr std::int8_t kConstantPadding = 1;

std::size_t Size(std::int32_t value, const char* what) {
  if (value < 0) Fail(kInvalidParam, "{} of the AIPP parameters is {}", what, value);
  return static_cast<std::size_t>(value);
}

void SetPlaces(const AippPart& part, AippPicture& p) {
  p.crop_width = p.width;
  p.crop_height = p.height;
  if (part.crop != 0) {
    p.left = Size(part.crop_left, "the left edge of the crop");
    p.top = Size(part.crop_top, "the upper edge of the crop");
    p.crop_width = Size(part.crop_width, "the width of the crop");
    p.crop_height = Size(part.crop_height, "the height of the crop");
  }
  p.scaled_width = p.crop_width;
  p.scaled_height = p.crop_height;
  if (part.scale != 0) {
    p.scaled_width = Size(part.scale_out_width, "the width after resizing");
    p.scaled_height = Size(part.scale_out_height, "the height after resizing");
  }
  if (part.padding == 0) return;
  if (part.padding != kConstantPadding)
    Fail(kInvalidParam, "the padding of the AIPP parameters is of kind {}; 0 (none) and 1 (zeros) are there",
         part.padding);
  p.pad_top = Size(part.pad_top, "the padding above");
  p.pad_bottom = Size(part.pad_bottom, "the padding below");
  p.pad_left = Size(part.pad_left, "the padding on the left");
  p.pad_right = Size(part.pad_right, "the padding on the right");
}

void SetColours(const AippHead& head, const AippPart& part, AippPicture& p) {
  p.swaps_colours = head.rbuv != 0;
  p.first_is_last = head.ax != 0;
  p.converts = head.csc != 0;
  std::copy_n(head.matrix, 9, p.colours.matrix.begin());
  if (IsYuv(p.format))
    std::copy_n(head.input_bias, 3, p.colours.before.begin());
  else
    std::copy_n(head.output_bias, 3, p.colours.after.begin());
  for (std::size_t i = 0; i < 4; ++i) {
    p.scale.mean[i] = static_cast<float>(part.mean[i]);
    p.scale.min[i] = FloatFromFloat16(part.min[i]);
    p.scale.factor[i] = FloatFromFloat16(part.factor[i]);
  }
}

}  // namespace

std::size_t AippBlockBytes(std::size_t batch) {
  return sizeof(AippHead) + sizeof(AippPart) * batch;
}

void AippBlock::Write(std::byte* to) const {
  std::memcpy(to, &head, sizeof head);
  std::memcpy(to + sizeof head, parts.data(), parts.size() * sizeof(AippPart));
}

AippHead ReadAippHead(const std::byte* block) {
  AippHead head;
  std::memcpy(&head, block, sizeof head);
  if (head.format == 0 && head.batch == 0)
    Fail(kGeAippBatchEmpty,
         "nobody has said how to prepare the pictures: aclmdlSetInputAIPP comes before a run");
  if (!IsAippFormat(head.format))
    Fail(kInvalidParam, "the AIPP parameters name the format {} of pictures, which is none", head.format);
  if (head.source_width < 1 || head.source_height < 1)
    Fail(kInvalidParam, "the AIPP parameters have pictures of {} x {} pixels", head.source_width,
         head.source_height);
  return head;
}

AippPicture ReadAippPart(const AippHead& head, const std::byte* block, std::size_t index) {
  AippPart part;
  std::memcpy(&part, block + AippBlockBytes(index), sizeof part);
  AippPicture p;
  p.format = static_cast<AippFormat>(head.format);
  p.width = static_cast<std::size_t>(head.source_width);
  p.height = static_cast<std::size_t>(head.source_height);
  SetPlaces(part, p);
  SetColours(head, part, p);
  CheckPicture(p);
  return p;
}

}  // namespace foothold
