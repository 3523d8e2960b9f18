// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Decoding of PNG.
#include <limits>

#include "api/mpi/mpi_guard.h"
#include "api/status.h"
#include "media/png.h"
#include "mpi/pngd_channel.h"

using namespace foothold;
using namespace foothold::mpi;

namespace {

template <typename T>
T* NotNull(T* pointer, const char* name) {
  return mpi::NotNull(Module::kPngd, pointer, name);
}

// What the program sent, to be given back.
struct Sent {
  hi_img_stream stream;
  hi_pic_info picture;
};

const std::uint8_t* BytesOf(const hi_img_stream& stream) {
  return static_cast<const std::uint8_t*>(
      CheckRange(stream.addr, stream.len, Use::kRead, "stream.addr", kInvalidParam).kernel);
}

}  // namespace

FOOTHOLD_PART_WITHOUT_EFFECT(hi_mpi_pngd_create_chn, attr);
hi_s32 hi_mpi_pngd_create_chn(hi_pngd_chn chn, const hi_pngd_chn_attr* attr) {
  return GuardMpi(FOOTHOLD_CALL(chn, attr), Module::kPngd, [&] {
    NotNull(attr, "attr");
    PngdChannels::Get().Create(chn);
  });
}

hi_s32 hi_mpi_pngd_destroy_chn(hi_pngd_chn chn) {
  return GuardMpi(FOOTHOLD_CALL(chn), Module::kPngd, [&] { PngdChannels::Get().Destroy(chn); });
}

hi_s32 hi_mpi_pngd_send_stream(hi_pngd_chn chn, const hi_img_stream* stream, hi_pic_info* pic_info,
                               hi_s32 milli_sec) {
  return GuardMpi(FOOTHOLD_CALL(chn, stream, pic_info, milli_sec), Module::kPngd, [&, api = __func__] {
    NotNull(stream, "stream");
    NotNull(pic_info, "pic_info");
    const std::uint8_t* bytes = BytesOf(*stream);
    auto job = std::make_unique<PngdJob>();
    job->file.assign(bytes, bytes + stream->len);
    job->output = Give(ShapeOf(*pic_info), pic_info->picture_address, Use::kWrite, "pic_info", false);
    job->token = std::make_shared<Sent>(Sent{*stream, *pic_info});
    PngdChannels::Get().Find(chn)->Send(api, std::move(job), milli_sec);
  });
}

hi_s32 hi_mpi_pngd_get_image_data(hi_pngd_chn chn, hi_pic_info* pic_info, hi_img_stream* stream,
                                  hi_s32 milli_sec) {
  return GuardMpi(FOOTHOLD_CALL(chn, pic_info, stream, milli_sec), Module::kPngd, [&] {
    NotNull(pic_info, "pic_info");
    NotNull(stream, "stream");
    const std::shared_ptr<PngdJob> job = PngdChannels::Get().Find(chn)->Take(milli_sec);
    const Sent& sent = *static_cast<const Sent*>(job->token.get());
    *stream = sent.stream;
    *pic_info = sent.picture;
    if (job->failed) Fail(Module::kPngd, Reason::kParameter, "the file could not be decoded");
    pic_info->picture_width = job->written.width;
    pic_info->picture_height = job->written.height;
    pic_info->picture_width_stride = job->written.width_stride;
    pic_info->picture_height_stride = job->written.height_stride;
    pic_info->picture_format = static_cast<hi_pixel_format>(job->written.format);
  });
}

hi_s32 hi_mpi_png_get_image_info(const hi_img_stream* stream, hi_img_info* img_info) {
  return GuardMpi(FOOTHOLD_CALL(stream, img_info), Module::kPngd, [&] {
    NotNull(stream, "stream");
    NotNull(img_info, "img_info");
    const media::PngInfo info = media::ReadPngInfo(BytesOf(*stream), stream->len);
    media::Picture open;
    open.bytes = std::numeric_limits<std::size_t>::max();  // as much as it takes
    const media::Picture picture = media::PlanPngDecode(info, open);
    *img_info = {};
    img_info->width = info.width;
    img_info->height = info.height;
    img_info->width_stride = picture.width_stride;
    img_info->height_stride = picture.height_stride;
    img_info->img_buf_size = static_cast<hi_u32>(
        media::RequiredBytes(picture.format, picture.width_stride, picture.height_stride));
    img_info->png_pixel_format = static_cast<hi_png_color_format>(info.color);
  });
}
