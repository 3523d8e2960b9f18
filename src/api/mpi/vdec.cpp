// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Decoding of video and JPEG.
#include <limits>
#include <map>
#include <mutex>

#include "api/mpi/mpi_guard.h"
#include "api/status.h"
#include "mpi/vdec_channel.h"

using namespace foothold;
using namespace foothold::mpi;

namespace {

template <typename T>
T* NotNull(T* pointer, const char* name) {
  return mpi::NotNull(Module::kVdec, pointer, name);
}

// What programs set and read back of a channel.
struct Settings {
  hi_vdec_chn_attr attr{};
  hi_vdec_chn_param param{};
};

class AllSettings {
 public:
  void Set(hi_vdec_chn chn, const Settings& settings) {
    std::lock_guard<std::mutex> lock(mutex_);
    settings_[chn] = settings;
  }
  Settings Of(hi_vdec_chn chn) {
    std::lock_guard<std::mutex> lock(mutex_);
    return settings_[chn];
  }

 private:
  std::mutex mutex_;  // guards settings_
  std::map<hi_vdec_chn, Settings> settings_;
};

AllSettings& SettingsOfAll() {
  return PerProcess<AllSettings>::Get();
}

StreamKind KindOf(hi_payload_type type) {
  switch (type) {
    case HI_PT_H264:
      return StreamKind::kH264;
    case HI_PT_H265:
      return StreamKind::kH265;
    case HI_PT_JPEG:
    case HI_PT_MJPEG:
      return StreamKind::kJpeg;
    default:
      Fail(Module::kVdec, Reason::kUnsupported,
           "streams of type {} cannot be decoded; JPEG (26), H.264 (96) and H.265 (265) can",
           static_cast<int>(type));
  }
}

hi_vdec_chn_param DefaultParam(hi_payload_type type) {
  hi_vdec_chn_param param{};
  param.type = type;
  if (KindOf(type) == StreamKind::kJpeg) {
    param.pic_param.pixel_format = HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420;
    param.pic_param.alpha = 255;
  }
  return param;
}

GivenPicture OutputOf(const hi_vdec_pic_info& info, const VdecChannel& channel) {
  media::Picture shape;
  shape.format = static_cast<media::PixelFormat>(info.pixel_format);
  shape.width = info.width;
  shape.height = info.height;
  shape.width_stride = info.width_stride;
  shape.height_stride = info.height_stride;
  shape.bytes = info.buffer_size;
  // Without a size the picture is not scaled, whatever the strides are.
  if (channel.kind() != StreamKind::kJpeg && (shape.width == 0 || shape.height == 0))
    shape.width = shape.height = shape.width_stride = shape.height_stride = 0;
  return Give(shape, reinterpret_cast<const void*>(info.vir_addr), Use::kWrite, "pic_info", false);
}

std::unique_ptr<VdecJob> JobOf(const hi_vdec_stream& stream, const hi_vdec_pic_info* pic_info,
                               const VdecChannel& channel) {
  auto job = std::make_unique<VdecJob>();
  const auto* bytes = static_cast<const std::uint8_t*>(
      CheckRange(stream.addr, stream.len, Use::kRead, "stream.addr", kInvalidParam).kernel);
  job->packet.assign(bytes, bytes + stream.len);
  job->bytes = stream.len;
  job->token = std::make_shared<hi_vdec_stream>(stream);
  if (stream.need_display == HI_TRUE) job->output = OutputOf(*NotNull(pic_info, "pic_info"), channel);
  return job;
}

void Describe(const VdecJob& job, const hi_vdec_stream& stream, hi_video_frame_info* info) {
  *info = {};
  hi_video_frame& frame = info->v_frame;
  info->mod_id = HI_ID_VDEC;
  frame.pts = stream.pts;
  frame.frame_flag = job.flag;
  frame.field = HI_VIDEO_FIELD_FRAME;
  if (!job.output) return;
  const media::Picture& picture = job.flag == kGoodFrame ? job.written : job.output->shape;
  frame.width = picture.width;
  frame.height = picture.height;
  frame.pixel_format = static_cast<hi_pixel_format>(picture.format);
  const media::FormatLayout* layout = media::FindLayout(picture.format);
  auto* const first = static_cast<hi_u8*>(const_cast<void*>(job.output->address));
  for (int plane = 0; plane < (layout == nullptr ? 1 : layout->planes); ++plane) {
    frame.width_stride[plane] = picture.width_stride;
    frame.height_stride[plane] = picture.height_stride;
    const std::size_t offset = plane == 0 ? 0 : media::PlaneOf(picture, plane).data - picture.data;
    frame.virt_addr[plane] = first + offset;
    frame.phys_addr[plane] = reinterpret_cast<std::uintptr_t>(first + offset);
  }
}

hi_jpeg_raw_format RawFormat(media::JpegSampling sampling) {
  switch (sampling) {
    case media::JpegSampling::k444:
      return HI_JPEG_RAW_FORMAT_YUV444;
    case media::JpegSampling::k422:
      return HI_JPEG_RAW_FORMAT_YUV422;
    case media::JpegSampling::k420:
      return HI_JPEG_RAW_FORMAT_YUV420;
    case media::JpegSampling::k440:
      return HI_JPEG_RAW_FORMAT_YUV440;
    case media::JpegSampling::kGray:
      return HI_JPEG_RAW_FORMAT_YUV400;
    case media::JpegSampling::k411:
      return HI_JPEG_RAW_FORMAT_YUV411;
    default:
      Fail(Module::kVdec, Reason::kUnsupported, "the chroma of this JPEG is sampled in an unusual way");
  }
}

// The picture a JPEG becomes in this format.
void DescribeJpeg(const hi_vdec_stream* stream, media::PixelFormat format, hi_img_info* info) {
  NotNull(stream, "stream");
  NotNull(info, "img_info");
  const auto* bytes = static_cast<const std::uint8_t*>(
      CheckRange(stream->addr, stream->len, Use::kRead, "stream.addr", kInvalidParam).kernel);
  const media::JpegInfo jpeg = media::ReadJpegInfo(bytes, stream->len);
  media::Picture open;
  open.format = format;
  open.bytes = std::numeric_limits<std::size_t>::max();  // as much as it takes
  const media::Picture picture = media::PlanJpegDecode(jpeg, open, media::JpegRounding::kDown);
  *info = {};
  info->width = picture.width;
  info->height = picture.height;
  info->width_stride = picture.width_stride;
  info->height_stride = picture.height_stride;
  info->img_buf_size =
      static_cast<hi_u32>(media::RequiredBytes(picture.format, picture.width_stride, picture.height_stride));
  info->pixel_format = RawFormat(jpeg.sampling);
}

}  // namespace

hi_s32 hi_mpi_vdec_create_chn(hi_vdec_chn chn, const hi_vdec_chn_attr* attr) {
  return GuardMpi(FOOTHOLD_CALL(chn, attr), Module::kVdec, [&] {
    NotNull(attr, "attr");
    VdecChannels::Get().Create(chn, KindOf(attr->type));
    SettingsOfAll().Set(chn, {*attr, DefaultParam(attr->type)});
  });
}

hi_s32 hi_mpi_vdec_destroy_chn(hi_vdec_chn chn) {
  return GuardMpi(FOOTHOLD_CALL(chn), Module::kVdec, [&] { VdecChannels::Get().Destroy(chn); });
}

hi_s32 hi_mpi_vdec_get_chn_attr(hi_vdec_chn chn, hi_vdec_chn_attr* attr) {
  return GuardMpi(FOOTHOLD_CALL(chn, attr), Module::kVdec, [&] {
    VdecChannels::Get().Find(chn);
    *NotNull(attr, "attr") = SettingsOfAll().Of(chn).attr;
  });
}

FOOTHOLD_WITHOUT_EFFECT(hi_mpi_vdec_set_chn_attr);
hi_s32 hi_mpi_vdec_set_chn_attr(hi_vdec_chn chn, const hi_vdec_chn_attr* attr) {
  return GuardMpi(FOOTHOLD_CALL(chn, attr), Module::kVdec, [&] {
    const auto channel = VdecChannels::Get().Find(chn);
    Settings settings = SettingsOfAll().Of(chn);
    if (KindOf(NotNull(attr, "attr")->type) != channel->kind())
      Fail(Module::kVdec, Reason::kNotPermitted, "the type of a channel cannot be changed");
    settings.attr = *attr;
    SettingsOfAll().Set(chn, settings);
  });
}

hi_s32 hi_mpi_vdec_get_chn_param(hi_vdec_chn chn, hi_vdec_chn_param* param) {
  return GuardMpi(FOOTHOLD_CALL(chn, param), Module::kVdec, [&] {
    VdecChannels::Get().Find(chn);
    *NotNull(param, "param") = SettingsOfAll().Of(chn).param;
  });
}

// Of all of them, the order of pictures has an effect.
hi_s32 hi_mpi_vdec_set_chn_param(hi_vdec_chn chn, const hi_vdec_chn_param* param) {
  return GuardMpi(FOOTHOLD_CALL(chn, param), Module::kVdec, [&] {
    NotNull(param, "param");
    const auto channel = VdecChannels::Get().Find(chn);
    Settings settings = SettingsOfAll().Of(chn);
    settings.param = *param;
    SettingsOfAll().Set(chn, settings);
    if (channel->kind() == StreamKind::kJpeg) return;
    channel->set_order(param->video_param.out_order == HI_VIDEO_OUT_ORDER_DEC ? VideoDecoder::Order::kDecoded
                                                                              : VideoDecoder::Order::kShown);
  });
}

hi_s32 hi_mpi_vdec_start_recv_stream(hi_vdec_chn chn) {
  return GuardMpi(FOOTHOLD_CALL(chn), Module::kVdec, [&] { VdecChannels::Get().Find(chn)->Start(); });
}

hi_s32 hi_mpi_vdec_stop_recv_stream(hi_vdec_chn chn) {
  return GuardMpi(FOOTHOLD_CALL(chn), Module::kVdec, [&] { VdecChannels::Get().Find(chn)->Stop(); });
}

hi_s32 hi_mpi_vdec_reset_chn(hi_vdec_chn chn) {
  return GuardMpi(FOOTHOLD_CALL(chn), Module::kVdec, [&] { VdecChannels::Get().Find(chn)->Reset(); });
}

hi_s32 hi_mpi_vdec_query_status(hi_vdec_chn chn, hi_vdec_chn_status* status) {
  return GuardMpi(FOOTHOLD_CALL(chn, status), Module::kVdec, [&] {
    NotNull(status, "status");
    const VdecChannel::Status found = VdecChannels::Get().Find(chn)->status();
    *status = {};
    status->type = SettingsOfAll().Of(chn).attr.type;
    status->left_stream_bytes = static_cast<hi_u32>(found.left_bytes);
    status->left_stream_frames = static_cast<hi_u32>(found.left_packets);
    status->left_decoded_frames = static_cast<hi_u32>(found.left_pictures);
    status->is_started = found.started ? HI_TRUE : HI_FALSE;
    status->recv_stream_frames = found.received;
    status->dec_stream_frames = found.decoded;
    status->width = found.width;
    status->height = found.height;
  });
}

hi_s32 hi_mpi_vdec_send_stream(hi_vdec_chn chn, const hi_vdec_stream* stream, hi_vdec_pic_info* pic_info,
                               hi_s32 milli_sec) {
  return GuardMpi(FOOTHOLD_CALL(chn, stream, pic_info, milli_sec), Module::kVdec, [&, api = __func__] {
    NotNull(stream, "stream");
    const std::shared_ptr<VdecChannel> channel = VdecChannels::Get().Find(chn);
    if (stream->len == 0 && stream->end_of_stream != HI_TRUE)
      Fail(Module::kVdec, Reason::kParameter, "an empty packet must be the end of the stream");
    if (stream->len > 0) channel->Send(api, JobOf(*stream, pic_info, *channel), milli_sec);
    if (stream->end_of_stream == HI_TRUE) channel->SendEnd(api);
  });
}

hi_s32 hi_mpi_vdec_get_frame(hi_vdec_chn chn, hi_video_frame_info* frame_info,
                             hi_vdec_supplement_info* supplement, hi_vdec_stream* stream, hi_s32 milli_sec) {
  return GuardMpi(FOOTHOLD_CALL(chn, frame_info, supplement, stream, milli_sec), Module::kVdec, [&] {
    NotNull(frame_info, "frame_info");
    NotNull(stream, "stream");
    const std::unique_ptr<VdecJob> job = VdecChannels::Get().Find(chn)->Take(milli_sec);
    *stream = *static_cast<const hi_vdec_stream*>(job->token.get());
    Describe(*job, *stream, frame_info);
    if (supplement == nullptr) return;
    *supplement = {};
    supplement->type = SettingsOfAll().Of(chn).attr.type;
  });
}

// The picture lies in memory of the program: there is nothing to give back.
FOOTHOLD_WITHOUT_EFFECT(hi_mpi_vdec_release_frame);
hi_s32 hi_mpi_vdec_release_frame(hi_vdec_chn chn, const hi_video_frame_info* frame_info) {
  return GuardMpi(FOOTHOLD_CALL(chn, frame_info), Module::kVdec, [&] {
    NotNull(frame_info, "frame_info");
    VdecChannels::Get().Find(chn);
  });
}

hi_s32 hi_mpi_vdec_get_fd(hi_vdec_chn chn) {
  hi_s32 found = -1;
  const hi_s32 code =
      GuardMpi(FOOTHOLD_CALL(chn), Module::kVdec, [&] { found = VdecChannels::Get().Find(chn)->event(); });
  return code == HI_SUCCESS ? found : code;
}

// The descriptor ends with its channel.
FOOTHOLD_WITHOUT_EFFECT(hi_mpi_vdec_close_fd);
hi_s32 hi_mpi_vdec_close_fd(hi_vdec_chn chn) {
  return GuardMpi(FOOTHOLD_CALL(chn), Module::kVdec, [&] { VdecChannels::Get().Find(chn); });
}

hi_s32 hi_mpi_vdec_set_jpegd_precision_mode(hi_vdec_chn chn, hi_jpegd_precision_mode mode) {
  return GuardMpi(FOOTHOLD_CALL(chn, mode), Module::kVdec, [&] {
    if (mode < HI_JPEGD_PRECISION_MODE_ALIGN_DOWN || mode > HI_JPEGD_PRECISION_MODE_ALIGN_DOWN_COMPAT)
      Fail(Module::kVdec, Reason::kParameter, "mode must be 0 to 2, not {}", static_cast<int>(mode));
    VdecChannels::Get().Find(chn)->set_rounding(static_cast<media::JpegRounding>(mode));
  });
}

hi_s32 hi_mpi_dvpp_get_image_info(hi_payload_type type, const hi_vdec_stream* stream, hi_img_info* img_info) {
  return GuardMpi(FOOTHOLD_CALL(type, stream, img_info), Module::kVdec, [&] {
    if (KindOf(type) != StreamKind::kJpeg)
      Fail(Module::kVdec, Reason::kUnsupported, "pictures of type {} are not described; JPEG (26) is",
           static_cast<int>(type));
    DescribeJpeg(stream, media::PixelFormat::kUnknown, img_info);
  });
}

hi_s32 hi_mpi_vdec_get_jpegd_output_info(const hi_vdec_stream* stream, hi_pixel_format format,
                                         hi_img_info* img_info) {
  return GuardMpi(FOOTHOLD_CALL(stream, format, img_info), Module::kVdec,
                  [&] { DescribeJpeg(stream, static_cast<media::PixelFormat>(format), img_info); });
}

// Programs pass both numbers on to hi_mpi_vdec_create_chn, which has its own idea of memory.
hi_u32 hi_vdec_get_pic_buf_size(hi_payload_type type, hi_pic_buf_attr* buf_attr) {
  return GuardValue(FOOTHOLD_CALL(type, buf_attr), hi_u32{0}, [&] {
    NotNull(buf_attr, "buf_attr");
    const hi_u64 samples = hi_u64{ALIGN_UP(buf_attr->width, 64u)} * ALIGN_UP(buf_attr->height, 64u);
    return static_cast<hi_u32>(samples * 3 / 2 * (buf_attr->bit_width == HI_DATA_BIT_WIDTH_8 ? 1 : 2));
  });
}

hi_u32 hi_vdec_get_tmv_buf_size(hi_payload_type type, hi_u32 width, hi_u32 height) {
  return GuardValue(FOOTHOLD_CALL(type, width, height), hi_u32{0}, [&] {
    return static_cast<hi_u32>(hi_u64{ALIGN_UP(width, 16u)} * ALIGN_UP(height, 16u) / 16);
  });
}
