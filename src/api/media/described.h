// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// From handles of pictures, regions and configurations to what operations take, with everything checked that
// can be checked before the memory is. For the entry points of pictures and videos.
#pragma once

#include "acl/ops/acl_dvpp.h"
#include "api/guard.h"
#include "media/descriptions.h"
#include "media/picture_channel.h"
#include "media/picture_task.h"

namespace foothold::media {

// A described picture at the time of a call, and where to tell how it went.
struct DescribedPicture {
  PicturePointer shared;
  PictureDesc values;
  Picture shape;  // without memory

  void Tell(std::uint32_t code) const {
    shared->Write([&](PictureDesc& desc) { desc.ret_code = code; });
  }
};

Picture ShapeOf(const PictureDesc& values);
// Fails for null and for what is no description. `what` is "input", "output".
DescribedPicture FindDescribed(const acldvppPicDesc* handle, const char* what);
// The same for a picture that is complete: its shape and its data are checked.
DescribedPicture FindComplete(const acldvppPicDesc* handle, const char* what);
// The memory of a complete picture; `name` is a literal.
MediaMemory MemoryOf(const DescribedPicture& picture, Use use, const char* name);
Picture PictureAt(const Picture& shape, std::uint8_t* data);

// Fails for bounds that are the wrong way round.
Region FindRegion(const acldvppRoiConfig* handle, const char* what);
Border FindBorder(const acldvppBorderConfig* handle);
// Null is bilinear.
Interpolation FindInterpolation(const acldvppResizeConfig* handle);
std::shared_ptr<PictureChannel> FindChannel(const acldvppChannelDesc* handle);

// A field of a description behind a handle.
template <typename Handle, typename Value>
void SetPictureField(Handle* handle, Value PictureDesc::*field, Value value) {
  PictureDescs::Get().Find(handle)->Write([&](PictureDesc& desc) { desc.*field = value; });
}
template <typename Value>
Value GetPictureField(const acldvppPicDesc* handle, Value PictureDesc::*field) {
  return PictureDescs::Get().Find(handle)->Read().*field;
}

}  // namespace foothold::media
