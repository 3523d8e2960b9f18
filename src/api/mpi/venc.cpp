// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Encoding of video and JPEG.
#include "api/mpi/mpi_guard.h"

#include <cstring>
#include "api/status.h"
#include "codecs/planes.h"
#include "media/jpeg.h"
#include "media/transform.h"
#include "mpi/venc_channel.h"

using namespace foothold;
using namespace foothold::mpi;

namespace {

enum Kept { kRateParam, kChannelParam, kSceneMode, kJpegParam };

template <typename T>
T* NotNull(T* pointer, const char* name) {
  return mpi::NotNull(Module::kVenc, pointer, name);
}

std::shared_ptr<VencChannel> Find(hi_venc_chn chn) {
  return VencChannels::Get().Find(chn);
}

template <typename T>
void Keep(hi_venc_chn chn, Kept key, const T& value) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(&value);
  Find(chn)->set_kept(key, {bytes, bytes + sizeof value});
}

template <typename T>
T KeptValue(hi_venc_chn chn, Kept key, T value) {
  const std::vector<std::uint8_t> bytes = Find(chn)->kept(key);
  if (bytes.size() == sizeof value) std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

// Rates lie at the same places for both kinds of video.
void SetRate(const hi_venc_rc_attr& attr, EncoderSettings& settings) {
  switch (attr.rc_mode) {
    case HI_VENC_RC_MODE_H264_CBR:
      settings.rate = EncoderSettings::Rate::kConstant;
      settings.kilobits = attr.h264_cbr.bit_rate;
      break;
    case HI_VENC_RC_MODE_H264_VBR:
    case HI_VENC_RC_MODE_H264_AVBR:
      settings.rate = EncoderSettings::Rate::kVariable;
      settings.kilobits = attr.h264_vbr.max_bit_rate;
      break;
    case HI_VENC_RC_MODE_H264_FIXQP:
      settings.rate = EncoderSettings::Rate::kFixedQuantiser;
      settings.quantiser = static_cast<int>(attr.h264_fixqp.i_qp);
      settings.frames = attr.h264_fixqp.dst_frame_rate;
      settings.key_interval = attr.h264_fixqp.gop;
      return;
    default:
      Fail(Module::kVenc, Reason::kUnsupported,
           "rc_mode {} is not supported for H.264; CBR (1), VBR (2), AVBR (3) and FIXQP (6) are",
           static_cast<int>(attr.rc_mode));
  }
  settings.frames = attr.h264_cbr.dst_frame_rate;
  settings.key_interval = attr.h264_cbr.gop;
}

EncoderSettings::Profile ProfileOf(hi_u32 profile) {
  switch (profile) {
    case 0:
      return EncoderSettings::Profile::kBaseline;
    case 1:
      return EncoderSettings::Profile::kMain;
    case 2:
      return EncoderSettings::Profile::kHigh;
    default:
      Fail(Module::kVenc, Reason::kParameter, "profile must be 0 (baseline), 1 (main) or 2 (high), not {}",
           profile);
  }
}

std::optional<EncoderSettings> SettingsOf(const hi_venc_chn_attr& attr) {
  switch (attr.venc_attr.type) {
    case HI_PT_JPEG:
    case HI_PT_MJPEG:
      return std::nullopt;
    case HI_PT_H265:
      RefuseH265Encoder();
    case HI_PT_H264:
      break;
    default:
      Fail(Module::kVenc, Reason::kUnsupported,
           "pictures cannot be encoded as type {}; JPEG (26) and H.264 (96) can",
           static_cast<int>(attr.venc_attr.type));
  }
  EncoderSettings settings;
  settings.profile = ProfileOf(attr.venc_attr.profile);
  settings.width = attr.venc_attr.pic_width;
  settings.height = attr.venc_attr.pic_height;
  SetRate(attr.rc_attr, settings);
  if (settings.key_interval == 0 || settings.key_interval > 65536)
    Fail(Module::kVenc, Reason::kParameter, "gop must be 1 to 65536, not {}", settings.key_interval);
  return settings;
}

// Where the second plane begins says how many rows the first has; without one, the strides do.
hi_u32 RowsOf(const hi_video_frame& frame) {
  const auto first = reinterpret_cast<std::uintptr_t>(frame.virt_addr[0]);
  const auto second = reinterpret_cast<std::uintptr_t>(frame.virt_addr[1]);
  if (second > first && frame.width_stride[0] != 0 && (second - first) % frame.width_stride[0] == 0)
    return static_cast<hi_u32>(
        std::min<std::uintptr_t>((second - first) / frame.width_stride[0], media::kMaxSide));
  return frame.height_stride[0] != 0 ? frame.height_stride[0] : frame.height;
}

media::Picture ShapeOfFrame(const hi_video_frame& frame) {
  media::Picture shape;
  shape.format = static_cast<media::PixelFormat>(frame.pixel_format);
  shape.width = frame.width;
  shape.height = frame.height;
  shape.width_stride = frame.width_stride[0] != 0
                           ? frame.width_stride[0]
                           : static_cast<hi_u32>(media::RowBytes(shape.format, frame.width));
  shape.height_stride = RowsOf(frame);
  if (shape.width_stride > media::kMaxStride)
    Fail(Module::kVenc, Reason::kParameter, "rows of {} bytes are too long", shape.width_stride);
  shape.bytes = media::RequiredBytes(shape.format, shape.width_stride, shape.height_stride);
  return shape;
}

// A copy of the picture: planes for video, the same form without gaps for JPEG.
void CopyPicture(const hi_video_frame& frame, const VencChannel& channel, VencJob& job) {
  const media::Picture from = Give(ShapeOfFrame(frame), frame.virt_addr[0], Use::kRead, "frame").shape;
  job.samples.resize(media::TightBytes(from.format, from.width, from.height));
  if (!channel.settings()) {
    job.picture = media::TightPicture(from.format, from.width, from.height, job.samples.data());
    return media::Resize(from, job.picture);
  }
  if (from.format != media::PixelFormat::kNv12 && from.format != media::PixelFormat::kNv21)
    Fail(Module::kVenc, Reason::kParameter, "video is made of NV12 (1) or NV21 (2), not of format {}",
         static_cast<int>(from.format));
  if (from.width != channel.settings()->width || from.height != channel.settings()->height)
    Fail(Module::kVenc, Reason::kParameter, "the picture is {} x {}, but the channel encodes {} x {}",
         from.width, from.height, channel.settings()->width, channel.settings()->height);
  SplitPairs(
      {from.data, media::PlaneOf(from, 1).data, from.width_stride, from.format == media::PixelFormat::kNv21},
      from.width, from.height, job.samples.data());
}

std::unique_ptr<VencJob> JobOf(const hi_video_frame& frame, const VencChannel& channel) {
  auto job = std::make_unique<VencJob>();
  CopyPicture(frame, channel, *job);
  job->time = frame.pts;
  job->input = reinterpret_cast<std::uintptr_t>(frame.virt_addr[0]);
  job->quality = channel.quality();
  return job;
}

hi_venc_pack PackOf(const VencPacket& packet) {
  hi_venc_pack pack{};
  pack.input_addr = packet.input;
  pack.addr = static_cast<hi_u8*>(packet.address);
  pack.len = static_cast<hi_u32>(packet.bytes);
  pack.pts = packet.time;
  pack.is_frame_end = HI_TRUE;
  return pack;
}

}  // namespace

hi_s32 hi_mpi_venc_create_chn(hi_venc_chn chn, const hi_venc_chn_attr* attr) {
  return GuardMpi(FOOTHOLD_CALL(chn, attr), Module::kVenc,
                  [&] { VencChannels::Get().Create(chn, SettingsOf(*NotNull(attr, "attr"))); });
}

hi_s32 hi_mpi_venc_destroy_chn(hi_venc_chn chn) {
  return GuardMpi(FOOTHOLD_CALL(chn), Module::kVenc, [&] { VencChannels::Get().Destroy(chn); });
}

hi_s32 hi_mpi_venc_start_chn(hi_venc_chn chn, const hi_venc_start_param* param) {
  return GuardMpi(FOOTHOLD_CALL(chn, param), Module::kVenc, [&] {
    const hi_s32 pictures = NotNull(param, "param")->recv_pic_num;
    if (pictures == 0 || pictures < -1)
      Fail(Module::kVenc, Reason::kParameter, "recv_pic_num must be -1 (any number) or above 0, not {}",
           pictures);
    Find(chn)->Start(pictures);
  });
}

hi_s32 hi_mpi_venc_stop_chn(hi_venc_chn chn) {
  return GuardMpi(FOOTHOLD_CALL(chn), Module::kVenc, [&] { Find(chn)->Stop(); });
}

hi_s32 hi_mpi_venc_query_status(hi_venc_chn chn, hi_venc_chn_status* status) {
  return GuardMpi(FOOTHOLD_CALL(chn, status), Module::kVenc, [&] {
    const VencChannel::Status found = Find(chn)->status();
    *NotNull(status, "status") = {};
    status->left_pics = status->left_enc_pics = static_cast<hi_u32>(found.pictures);
    status->left_stream_frames = static_cast<hi_u32>(found.packets);
    status->left_stream_bytes = static_cast<hi_u32>(found.bytes);
    status->cur_packs = found.packets > 0 ? 1 : 0;
  });
}

hi_s32 hi_mpi_venc_send_frame(hi_venc_chn chn, const hi_video_frame_info* frame, hi_s32 milli_sec) {
  return GuardMpi(FOOTHOLD_CALL(chn, frame, milli_sec), Module::kVenc, [&, api = __func__] {
    const std::shared_ptr<VencChannel> channel = Find(chn);
    channel->Send(api, JobOf(NotNull(frame, "frame")->v_frame, *channel), milli_sec);
  });
}

hi_s32 hi_mpi_venc_send_jpege_frame(hi_venc_chn chn, const hi_video_frame_info* frame,
                                    const hi_img_stream* stream, hi_s32 milli_sec) {
  return GuardMpi(FOOTHOLD_CALL(chn, frame, stream, milli_sec), Module::kVenc, [&, api = __func__] {
    NotNull(stream, "stream");
    const std::shared_ptr<VencChannel> channel = Find(chn);
    if (channel->settings())
      Fail(Module::kVenc, Reason::kNotPermitted, "the channel encodes video, not JPEG");
    std::unique_ptr<VencJob> job = JobOf(NotNull(frame, "frame")->v_frame, *channel);
    media::Picture place;
    place.bytes = stream->len;
    job->place = Give(place, stream->addr, Use::kWrite, "stream", false);
    channel->Send(api, std::move(job), milli_sec);
  });
}

hi_s32 hi_mpi_venc_get_stream(hi_venc_chn chn, hi_venc_stream* stream, hi_s32 milli_sec) {
  return GuardMpi(FOOTHOLD_CALL(chn, stream, milli_sec), Module::kVenc, [&] {
    NotNull(NotNull(stream, "stream")->pack, "stream.pack");
    if (stream->pack_cnt == 0) Fail(Module::kVenc, Reason::kParameter, "stream.pack_cnt must be at least 1");
    const VencPacket packet = Find(chn)->Take(milli_sec);
    stream->pack[0] = PackOf(packet);
    stream->pack_cnt = 1;
    stream->seq = static_cast<hi_u32>(packet.number);
  });
}

hi_s32 hi_mpi_venc_release_stream(hi_venc_chn chn, hi_venc_stream* stream) {
  return GuardMpi(FOOTHOLD_CALL(chn, stream), Module::kVenc, [&] {
    NotNull(NotNull(stream, "stream")->pack, "stream.pack");
    const std::shared_ptr<VencChannel> channel = Find(chn);
    for (hi_u32 i = 0; i < stream->pack_cnt; ++i)
      channel->Release(stream->pack[i].addr);
  });
}

hi_s32 hi_mpi_venc_get_fd(hi_venc_chn chn) {
  hi_s32 found = -1;
  const hi_s32 code = GuardMpi(FOOTHOLD_CALL(chn), Module::kVenc, [&] { found = Find(chn)->event(); });
  return code == HI_SUCCESS ? found : code;
}

// The descriptor ends with its channel.
FOOTHOLD_WITHOUT_EFFECT(hi_mpi_venc_close_fd);
hi_s32 hi_mpi_venc_close_fd(hi_venc_chn chn) {
  return GuardMpi(FOOTHOLD_CALL(chn), Module::kVenc, [&] { Find(chn); });
}

hi_s32 hi_mpi_venc_get_jpege_predicted_size(const hi_video_frame_info* frame, const hi_venc_jpeg_param* param,
                                            hi_u32* size) {
  return GuardMpi(FOOTHOLD_CALL(frame, param, size), Module::kVenc, [&] {
    NotNull(param, "param");
    const hi_video_frame& picture = NotNull(frame, "frame")->v_frame;
    *NotNull(size, "size") = static_cast<hi_u32>(media::PredictJpegEncodeBytes(
        static_cast<media::PixelFormat>(picture.pixel_format), picture.width, picture.height));
  });
}

// The quality has an effect; tables of the program and pieces of a picture do not.
hi_s32 hi_mpi_venc_set_jpeg_param(hi_venc_chn chn, const hi_venc_jpeg_param* param) {
  return GuardMpi(FOOTHOLD_CALL(chn, param), Module::kVenc, [&] {
    if (NotNull(param, "param")->qfactor < 1 || param->qfactor > 100)
      Fail(Module::kVenc, Reason::kParameter, "qfactor must be 1 to 100, not {}", param->qfactor);
    Keep(chn, kJpegParam, *param);
    Find(chn)->set_quality(param->qfactor);
  });
}

hi_s32 hi_mpi_venc_get_jpeg_param(hi_venc_chn chn, hi_venc_jpeg_param* param) {
  return GuardMpi(FOOTHOLD_CALL(chn, param), Module::kVenc, [&] {
    hi_venc_jpeg_param unset{};
    unset.qfactor = Find(chn)->quality();
    *NotNull(param, "param") = KeptValue(chn, kJpegParam, unset);
  });
}

FOOTHOLD_WITHOUT_EFFECT(hi_mpi_venc_set_rc_param);
hi_s32 hi_mpi_venc_set_rc_param(hi_venc_chn chn, const hi_venc_rc_param* param) {
  return GuardMpi(FOOTHOLD_CALL(chn, param), Module::kVenc,
                  [&] { Keep(chn, kRateParam, *NotNull(param, "param")); });
}

hi_s32 hi_mpi_venc_get_rc_param(hi_venc_chn chn, hi_venc_rc_param* param) {
  return GuardMpi(FOOTHOLD_CALL(chn, param), Module::kVenc,
                  [&] { *NotNull(param, "param") = KeptValue(chn, kRateParam, hi_venc_rc_param{}); });
}

FOOTHOLD_WITHOUT_EFFECT(hi_mpi_venc_set_chn_param);
hi_s32 hi_mpi_venc_set_chn_param(hi_venc_chn chn, const hi_venc_chn_param* param) {
  return GuardMpi(FOOTHOLD_CALL(chn, param), Module::kVenc,
                  [&] { Keep(chn, kChannelParam, *NotNull(param, "param")); });
}

hi_s32 hi_mpi_venc_get_chn_param(hi_venc_chn chn, hi_venc_chn_param* param) {
  return GuardMpi(FOOTHOLD_CALL(chn, param), Module::kVenc,
                  [&] { *NotNull(param, "param") = KeptValue(chn, kChannelParam, hi_venc_chn_param{}); });
}

FOOTHOLD_WITHOUT_EFFECT(hi_mpi_venc_set_scene_mode);
hi_s32 hi_mpi_venc_set_scene_mode(hi_venc_chn chn, const hi_venc_scene_mode mode) {
  return GuardMpi(FOOTHOLD_CALL(chn, mode), Module::kVenc, [&] {
    if (mode != HI_VENC_SCENE_0 && mode != HI_VENC_SCENE_1)
      Fail(Module::kVenc, Reason::kParameter, "mode must be 0 or 1, not {}", static_cast<int>(mode));
    Keep(chn, kSceneMode, mode);
  });
}

hi_s32 hi_mpi_venc_get_scene_mode(hi_venc_chn chn, hi_venc_scene_mode* mode) {
  return GuardMpi(FOOTHOLD_CALL(chn, mode), Module::kVenc,
                  [&] { *NotNull(mode, "mode") = KeptValue(chn, kSceneMode, HI_VENC_SCENE_0); });
}

hi_s32 hi_mpi_venc_request_idr(hi_venc_chn chn, hi_bool instant) {
  return GuardMpi(FOOTHOLD_CALL(chn, instant), Module::kVenc, [&] { Find(chn)->AskForKey(); });
}
