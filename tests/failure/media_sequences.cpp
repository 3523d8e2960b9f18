// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Channels of pictures and video, of both interfaces.
#include <cstdint>
#include <thread>
#include <vector>

#include "acl/dvpp/hi_dvpp.h"
#include "acl/ops/acl_dvpp.h"
#include "failure/sweep.h"

namespace {

constexpr uint32_t kSide = 64, kBytes = kSide * kSide * 3 / 2, kRoom = 1 << 14;

// Calls of functions that answer null where others answer a code.
template <typename Make>
auto* Made(Trial& trial, const char* what, Make&& make) {
  decltype(make()) object = nullptr;
  trial.Try(what, [&] {
    object = make();
    return object == nullptr ? ACL_ERROR_BAD_ALLOC : ACL_SUCCESS;
  });
  return object;
}

class OwnPicture {
 public:
  OwnPicture(Trial& trial, uint32_t side)
      : trial_(trial), desc_(Made(trial, "acldvppCreatePicDesc", [] { return acldvppCreatePicDesc(); })) {
    trial.Try("acldvppMalloc", [&] { return acldvppMalloc(&memory_, kRoom); });
    if (desc_ == nullptr) return;
    acldvppSetPicDescData(desc_, memory_);
    acldvppSetPicDescSize(desc_, kRoom);
    acldvppSetPicDescFormat(desc_, PIXEL_FORMAT_YUV_SEMIPLANAR_420);
    acldvppSetPicDescWidth(desc_, side);
    acldvppSetPicDescHeight(desc_, side);
    acldvppSetPicDescWidthStride(desc_, side);
    acldvppSetPicDescHeightStride(desc_, side);
  }
  ~OwnPicture() {
    if (desc_ != nullptr) trial_.End("acldvppDestroyPicDesc", [&] { return acldvppDestroyPicDesc(desc_); });
    if (memory_ != nullptr) trial_.End("acldvppFree", [&] { return acldvppFree(memory_); });
  }
  OwnPicture(const OwnPicture&) = delete;
  OwnPicture& operator=(const OwnPicture&) = delete;

  explicit operator bool() const { return desc_ != nullptr && memory_ != nullptr; }
  acldvppPicDesc* get() const { return desc_; }
  void* memory() const { return memory_; }

 private:
  Trial& trial_;
  acldvppPicDesc* desc_;
  void* memory_ = nullptr;
};

// Tasks of pictures fail with one code, whatever the reason.
bool Synchronize(Trial& trial, aclrtStream stream) {
  const bool done = trial.Do([&] { return aclrtSynchronizeStream(stream); }) == ACL_SUCCESS;
  if (!done) trial.Refused("aclrtSynchronizeStream");
  return done;
}

void GoThroughJpeg(Trial& trial, acldvppChannelDesc* channel, aclrtStream stream) {
  const OwnPicture drawn(trial, kSide), decoded(trial, kSide), half(trial, kSide / 2);
  OwnMemory file(trial, kRoom);
  acldvppResizeConfig* const config =
      Made(trial, "acldvppCreateResizeConfig", [] { return acldvppCreateResizeConfig(); });
  acldvppJpegeConfig* const quality =
      Made(trial, "acldvppCreateJpegeConfig", [] { return acldvppCreateJpegeConfig(); });
  uint32_t size = kRoom;
  if (drawn && decoded && half && file && config != nullptr && quality != nullptr) {
    if (trial.Try("acldvppJpegEncodeAsync",
                  [&] {
                    return acldvppJpegEncodeAsync(channel, drawn.get(), file.get(), &size, quality, stream);
                  }) &&
        Synchronize(trial, stream) &&
        trial.Try("acldvppJpegDecodeAsync",
                  [&] { return acldvppJpegDecodeAsync(channel, file.get(), size, decoded.get(), stream); }) &&
        trial.Try("acldvppVpcResizeAsync",
                  [&] { return acldvppVpcResizeAsync(channel, decoded.get(), half.get(), config, stream); }))
      Synchronize(trial, stream);
    aclrtSynchronizeStream(stream);
  }
  if (quality != nullptr)
    trial.End("acldvppDestroyJpegeConfig", [&] { return acldvppDestroyJpegeConfig(quality); });
  if (config != nullptr)
    trial.End("acldvppDestroyResizeConfig", [&] { return acldvppDestroyResizeConfig(config); });
}

void Pictures(Trial& trial) {
  const Program program(trial);
  if (!program.started()) return;
  const OwnStream stream(trial);
  acldvppChannelDesc* const channel =
      Made(trial, "acldvppCreateChannelDesc", [] { return acldvppCreateChannelDesc(); });
  if (channel != nullptr && stream &&
      trial.Try("acldvppCreateChannel", [&] { return acldvppCreateChannel(channel); })) {
    GoThroughJpeg(trial, channel, stream.get());
    trial.End("acldvppDestroyChannel", [&] { return acldvppDestroyChannel(channel); });
  }
  if (channel != nullptr)
    trial.End("acldvppDestroyChannelDesc", [&] { return acldvppDestroyChannelDesc(channel); });
}
const bool pictures = Register("Pictures", Pictures);

// Frames of a channel of the first interface that were sent and reported. Reports run on the thread of the
// test, while the channel is destroyed.
struct Reported {
  int sent = 0, came = 0;
  std::vector<uint8_t> packet;
};

void PacketCame(acldvppPicDesc*, acldvppStreamDesc* output, void* data) {
  const faults::Exempt test;
  auto* const reported = static_cast<Reported*>(data);
  ++reported->came;
  reported->packet.resize(acldvppGetStreamDescSize(output));
  if (!reported->packet.empty() && acldvppGetStreamDescRetCode(output) == 0)
    aclrtMemcpy(reported->packet.data(), reported->packet.size(), acldvppGetStreamDescData(output),
                reported->packet.size(), ACL_MEMCPY_DEVICE_TO_HOST);
}

void PictureCame(acldvppStreamDesc*, acldvppPicDesc*, void* data) {
  ++static_cast<Reported*>(data)->came;
}

uint64_t ThisThread() {
  return static_cast<uint64_t>(pthread_self());
}

void EncodeOne(Trial& trial, Reported& reported) {
  aclvencChannelDesc* const channel =
      Made(trial, "aclvencCreateChannelDesc", [] { return aclvencCreateChannelDesc(); });
  if (channel == nullptr) return;
  aclvencSetChannelDescThreadId(channel, ThisThread());
  aclvencSetChannelDescCallback(channel, &PacketCame);
  aclvencSetChannelDescEnType(channel, H264_MAIN_LEVEL);
  aclvencSetChannelDescPicFormat(channel, PIXEL_FORMAT_YUV_SEMIPLANAR_420);
  aclvencSetChannelDescPicWidth(channel, kSide);
  aclvencSetChannelDescPicHeight(channel, kSide);
  aclvencSetChannelDescKeyFrameInterval(channel, 1);
  const OwnPicture picture(trial, kSide);
  if (picture && trial.Try("aclvencCreateChannel", [&] { return aclvencCreateChannel(channel); })) {
    for (int i = 0; i < 3; ++i)
      reported.sent += trial.Try("aclvencSendFrame", [&] {
        return aclvencSendFrame(channel, picture.get(), nullptr, nullptr, &reported);
      });
    // It has ended, whatever it answers.
    trial.Try("aclvencDestroyChannel", [&] { return aclvencDestroyChannel(channel); });
  }
  trial.End("aclvencDestroyChannelDesc", [&] { return aclvencDestroyChannelDesc(channel); });
}

void DecodeIt(Trial& trial, const std::vector<uint8_t>& packet, Reported& reported) {
  aclvdecChannelDesc* const channel =
      Made(trial, "aclvdecCreateChannelDesc", [] { return aclvdecCreateChannelDesc(); });
  acldvppStreamDesc* const stream =
      Made(trial, "acldvppCreateStreamDesc", [] { return acldvppCreateStreamDesc(); });
  const OwnPicture picture(trial, kSide);
  OwnMemory memory(trial, kRoom);
  const auto filled = [&] {
    return trial.Try("aclrtMemcpy", [&] {
      return aclrtMemcpy(memory.get(), kRoom, packet.data(), packet.size(), ACL_MEMCPY_HOST_TO_DEVICE);
    });
  };
  if (channel != nullptr && stream != nullptr && picture && memory && filled()) {
    acldvppSetStreamDescData(stream, memory.get());
    acldvppSetStreamDescSize(stream, static_cast<uint32_t>(packet.size()));
    aclvdecSetChannelDescThreadId(channel, ThisThread());
    aclvdecSetChannelDescCallback(channel, &PictureCame);
    aclvdecSetChannelDescEnType(channel, H264_MAIN_LEVEL);
    if (trial.Try("aclvdecCreateChannel", [&] { return aclvdecCreateChannel(channel); })) {
      for (int i = 0; i < 3; ++i)
        reported.sent += trial.Try("aclvdecSendFrame", [&] {
          return aclvdecSendFrame(channel, stream, picture.get(), nullptr, &reported);
        });
      trial.Try("aclvdecDestroyChannel", [&] { return aclvdecDestroyChannel(channel); });
    }
  }
  if (stream != nullptr)
    trial.End("acldvppDestroyStreamDesc", [&] { return acldvppDestroyStreamDesc(stream); });
  if (channel != nullptr)
    trial.End("aclvdecDestroyChannelDesc", [&] { return aclvdecDestroyChannelDesc(channel); });
}

void Video(Trial& trial) {
  const Program program(trial);
  if (!program.started()) return;
  Reported encoded, decoded;
  EncodeOne(trial, encoded);
  if (!encoded.packet.empty()) DecodeIt(trial, encoded.packet, decoded);
  // Where destroying a channel was refused for want of memory, its callbacks went with it.
  trial.Expect(trial.refused() || encoded.came == encoded.sent, "a packet has no callback");
  trial.Expect(trial.refused() || decoded.came == decoded.sent, "a picture has no callback");
}
const bool video = Register("Video", Video);

constexpr int kChannel = 1;

// Whatever could be sent comes back, as a picture or as a failure: the channel waits for ever otherwise.
void DecodeByMpi(Trial& trial, void* file, uint32_t size, void* picture) {
  hi_vdec_chn_attr attr{};
  attr.type = HI_PT_JPEG;
  attr.mode = HI_VDEC_SEND_MODE_FRAME;
  if (!trial.Try("hi_mpi_vdec_create_chn", [&] { return hi_mpi_vdec_create_chn(kChannel, &attr); })) return;
  hi_mpi_vdec_start_recv_stream(kChannel);
  hi_vdec_stream stream{};
  stream.addr = static_cast<hi_u8*>(file);
  stream.len = size;
  stream.need_display = stream.end_of_frame = HI_TRUE;
  hi_vdec_pic_info output{};
  output.pixel_format = HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420;
  output.buffer_size = kRoom;
  output.vir_addr = reinterpret_cast<hi_u64>(picture);
  for (int i = 0; i < 3; ++i) {
    if (!trial.Try("hi_mpi_vdec_send_stream",
                   [&] { return hi_mpi_vdec_send_stream(kChannel, &stream, &output, -1); }))
      continue;
    hi_video_frame_info frame{};
    hi_vdec_stream back{};
    trial.End("hi_mpi_vdec_get_frame",
              [&] { return hi_mpi_vdec_get_frame(kChannel, &frame, nullptr, &back, -1); });
    if (frame.v_frame.frame_flag != 0) trial.Refused("a frame");
  }
  hi_vdec_chn_status status{};
  hi_mpi_vdec_query_status(kChannel, &status);
  trial.Expect(status.left_stream_bytes == 0 && status.left_decoded_frames == 0, "bytes are left for ever");
  trial.End("hi_mpi_vdec_destroy_chn", [&] { return hi_mpi_vdec_destroy_chn(kChannel); });
}

hi_venc_chn_attr JpegEncoder() {
  hi_venc_chn_attr attr{};
  attr.venc_attr.type = HI_PT_JPEG;
  attr.venc_attr.max_pic_width = attr.venc_attr.pic_width = kSide;
  attr.venc_attr.max_pic_height = attr.venc_attr.pic_height = kSide;
  attr.venc_attr.buf_size = 2 * kBytes;
  return attr;
}

hi_video_frame_info FrameAt(void* memory) {
  hi_video_frame_info info{};
  info.mod_id = HI_ID_VENC;
  info.v_frame.width = info.v_frame.height = kSide;
  info.v_frame.pixel_format = HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420;
  info.v_frame.width_stride[0] = info.v_frame.width_stride[1] = kSide;
  info.v_frame.virt_addr[0] = memory;
  info.v_frame.virt_addr[1] = static_cast<uint8_t*>(memory) + kSide * kSide;
  return info;
}

uint32_t EncodeByMpi(Trial& trial, void* picture, void* file) {
  const hi_venc_chn_attr attr = JpegEncoder();
  if (!trial.Try("hi_mpi_venc_create_chn", [&] { return hi_mpi_venc_create_chn(kChannel, &attr); })) return 0;
  const hi_venc_start_param forever{-1};
  hi_mpi_venc_start_chn(kChannel, &forever);
  const hi_video_frame_info frame = FrameAt(picture);
  hi_img_stream place{};
  place.type = HI_PT_JPEG;
  place.addr = static_cast<hi_u8*>(file);
  place.len = kRoom;
  hi_venc_pack pack{};
  hi_venc_stream stream{};
  stream.pack = &pack;
  stream.pack_cnt = 1;
  if (trial.Try("hi_mpi_venc_send_jpege_frame",
                [&] { return hi_mpi_venc_send_jpege_frame(kChannel, &frame, &place, -1); })) {
    // A picture that could not be encoded leaves nothing to wait for.
    const bool came = hi_mpi_venc_get_stream(kChannel, &stream, 1000) == HI_SUCCESS;
    if (came) hi_mpi_venc_release_stream(kChannel, &stream);
    if (!came) trial.Refused("a packet");
  }
  trial.End("hi_mpi_venc_destroy_chn", [&] { return hi_mpi_venc_destroy_chn(kChannel); });
  return pack.len;
}

void Halve(Trial& trial, void* from, void* to) {
  hi_vpc_chn channel = -1;
  hi_vpc_chn_attr attr{};
  if (!trial.Try("hi_mpi_vpc_sys_create_chn", [&] { return hi_mpi_vpc_sys_create_chn(&channel, &attr); }))
    return;
  hi_vpc_pic_info in{}, out{};
  in.picture_address = from;
  out.picture_address = to;
  in.picture_width = in.picture_width_stride = in.picture_height = in.picture_height_stride = kSide;
  out.picture_width = out.picture_width_stride = out.picture_height = out.picture_height_stride = kSide / 2;
  in.picture_format = out.picture_format = HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420;
  in.picture_buffer_size = out.picture_buffer_size = kRoom;
  hi_u32 task = 0;
  for (int i = 0; i < 3; ++i) {
    if (trial.Try("hi_mpi_vpc_resize",
                  [&] { return hi_mpi_vpc_resize(channel, &in, &out, 0, 0, 0, &task, -1); }))
      trial.Try("hi_mpi_vpc_get_process_result",
                [&] { return hi_mpi_vpc_get_process_result(channel, task, -1); });
  }
  trial.End("hi_mpi_vpc_destroy_chn", [&] { return hi_mpi_vpc_destroy_chn(channel); });
}

void Mpi(Trial& trial) {
  const Program program(trial);
  if (!program.started() || !trial.Try("hi_mpi_sys_init", [] { return hi_mpi_sys_init(); })) return;
  {
    OwnMemory picture(trial, kRoom), file(trial, kRoom), half(trial, kRoom);
    if (picture && file && half) {
      const uint32_t size = EncodeByMpi(trial, picture.get(), file.get());
      if (size > 0) DecodeByMpi(trial, file.get(), size, picture.get());
      Halve(trial, picture.get(), half.get());
    }
  }
  trial.End("hi_mpi_sys_exit", [] { return hi_mpi_sys_exit(); });
}
const bool mpi = Register("MediaChannels", Mpi);

}  // namespace
