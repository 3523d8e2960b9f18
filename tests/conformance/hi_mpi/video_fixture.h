// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Video channels of the hi_mpi family, and what goes through them.
#pragma once

#include <vector>

#include "conformance/hi_mpi/mpi_fixture.h"

class HiMpiVideo : public HiMpi {
 protected:
  using Packet = video_test::Packet;

  hi_venc_chn_attr EncoderAttr(hi_payload_type type = HI_PT_H264) {
    hi_venc_chn_attr attr{};
    attr.venc_attr.type = type;
    attr.venc_attr.profile = 1;
    attr.venc_attr.pic_width = attr.venc_attr.max_pic_width = video_test::kWidth;
    attr.venc_attr.pic_height = attr.venc_attr.max_pic_height = video_test::kHeight;
    attr.rc_attr.rc_mode = HI_VENC_RC_MODE_H264_VBR;
    attr.rc_attr.h264_vbr.gop = 8;
    attr.rc_attr.h264_vbr.src_frame_rate = attr.rc_attr.h264_vbr.dst_frame_rate = 25;
    attr.rc_attr.h264_vbr.max_bit_rate = 1000;
    return attr;
  }
  hi_video_frame_info FrameOf(int number) {
    hi_video_frame_info info{};
    hi_video_frame& frame = info.v_frame;
    frame.width = frame.width_stride[0] = video_test::kWidth;
    frame.height = video_test::kHeight;
    frame.pixel_format = HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420;
    frame.virt_addr[0] = Memory(video_test::Draw(number));
    frame.virt_addr[1] = static_cast<hi_u8*>(frame.virt_addr[0]) + video_test::kWidth * video_test::kHeight;
    frame.pts = static_cast<hi_u64>(number);
    return info;
  }
  void StartEncoder(hi_venc_chn chn, const hi_venc_chn_attr& attr) {
    ASSERT_HI(hi_mpi_venc_create_chn(chn, &attr));
    const hi_venc_start_param endless{-1};
    ASSERT_HI(hi_mpi_venc_start_chn(chn, &endless));
  }
  Packet GetPacket(hi_venc_chn chn, hi_u64* time = nullptr) {
    hi_venc_pack pack{};
    hi_venc_stream stream{};
    stream.pack = &pack;
    stream.pack_cnt = 1;
    EXPECT_HI(hi_mpi_venc_get_stream(chn, &stream, -1));
    const Packet packet = video_test::OnHost(pack.addr + pack.offset, pack.len - pack.offset);
    if (time != nullptr) *time = pack.pts;
    EXPECT_HI(hi_mpi_venc_release_stream(chn, &stream));
    return packet;
  }
  std::vector<Packet> Clip(int pictures) {
    StartEncoder(30, EncoderAttr());
    std::vector<Packet> packets;
    for (int i = 0; i < pictures; ++i) {
      const hi_video_frame_info frame = FrameOf(i);
      EXPECT_HI(hi_mpi_venc_send_frame(30, &frame, -1));
      hi_u64 time = 0;
      packets.push_back(GetPacket(30, &time));
      EXPECT_EQ(time, static_cast<hi_u64>(i));
    }
    EXPECT_HI(hi_mpi_venc_stop_chn(30));
    EXPECT_HI(hi_mpi_venc_destroy_chn(30));
    return packets;
  }
  hi_vdec_stream StreamOf(const Packet& packet, int number) {
    hi_vdec_stream stream{};
    stream.end_of_frame = stream.need_display = HI_TRUE;
    stream.pts = static_cast<hi_u64>(number);
    stream.len = static_cast<hi_u32>(packet.size());
    stream.addr = static_cast<hi_u8*>(Memory(packet));
    return stream;
  }
  hi_vdec_pic_info OutputOf() {
    hi_vdec_pic_info info{};
    info.pixel_format = HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420;
    info.buffer_size = video_test::kPictureBytes;
    info.vir_addr = reinterpret_cast<hi_u64>(Memory(video_test::kPictureBytes));
    return info;
  }
  void StartDecoder(hi_vdec_chn chn, hi_payload_type type) {
    hi_vdec_chn_attr attr{};
    attr.type = type;
    attr.mode = HI_VDEC_SEND_MODE_FRAME;
    attr.pic_width = attr.pic_height = 4096;
    hi_pic_buf_attr buffer{
        video_test::kWidth,   video_test::kHeight, 0, HI_DATA_BIT_WIDTH_8, HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420,
        HI_COMPRESS_MODE_NONE};
    attr.frame_buf_size = hi_vdec_get_pic_buf_size(type, &buffer);
    EXPECT_GE(attr.frame_buf_size, video_test::kPictureBytes);
    EXPECT_GT(hi_vdec_get_tmv_buf_size(type, video_test::kWidth, video_test::kHeight), 0u);
    ASSERT_HI(hi_mpi_vdec_create_chn(chn, &attr));
    ASSERT_HI(hi_mpi_vdec_start_recv_stream(chn));
  }
};
