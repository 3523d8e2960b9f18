// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "api/media/coded_picture.h"

#include "device/current.h"

namespace foothold::media {
namespace {

void WriteBack(const PicturePointer& to, const Picture& written) {
  to->Write([&](PictureDesc& desc) {
    desc.format = static_cast<std::int32_t>(written.format);
    desc.width = written.width;
    desc.height = written.height;
    desc.width_stride = written.width_stride;
    desc.height_stride = written.height_stride;
  });
}

}  // namespace

std::uint32_t InWords(std::uint64_t bytes) {
  if (bytes > UINT32_MAX) Fail(kInvalidParam, "the picture needs {} bytes, which 32 bits cannot say", bytes);
  return static_cast<std::uint32_t>(bytes);
}

void PushDecode(PictureChannel& channel, const void* data, std::uint32_t size, const acldvppPicDesc* output,
                aclrtStream stream, const char* api, Decode decode) {
  FileBytes(data, size);
  const DescribedPicture out = FindDescribed(output, "output");
  if (out.values.data == nullptr) Fail(kInvalidParam, "the output picture's data must not be null");
  MediaWork work;
  work.memory.push_back({data, size, Use::kRead, Extent::kPartial, "data"});
  work.memory.push_back({out.values.data, out.values.size, Use::kWrite, Extent::kPartial, "outputDesc"});
  work.run = [out, size, decode = std::move(decode)](const std::vector<std::uint8_t*>& at) {
    WriteBack(out.shared, decode(at[0], size, PictureAt(out.shape, at[1])));
  };
  work.tell = [out](std::uint32_t code) { out.Tell(code); };
  const StreamRef found = FindStream(stream);
  channel.Queued(found, PushMediaWork(found, api, std::move(work)));
}

}  // namespace foothold::media
