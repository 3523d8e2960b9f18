// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <cstring>
#include <thread>

#include "conformance/hi_mpi/video_fixture.h"

namespace {

using namespace video_test;

TEST_F(HiMpiVideo, DecodesWhatItEncoded) {
  const std::vector<Packet> clip = Clip(10);
  StartDecoder(2, HI_PT_H264);
  std::thread sender([&] {
    aclrtSetCurrentContext(session_.context());
    for (int i = 0; i < 10; ++i) {
      hi_vdec_stream stream = StreamOf(clip[i], i);
      hi_vdec_pic_info output = OutputOf();
      EXPECT_HI(hi_mpi_vdec_send_stream(2, &stream, &output, -1));
      std::memset(&stream, 0xEE, sizeof stream);
    }
    hi_vdec_stream end{};
    end.end_of_stream = HI_TRUE;
    hi_vdec_pic_info nothing{};
    EXPECT_HI(hi_mpi_vdec_send_stream(2, &end, &nothing, -1));
  });
  for (int i = 0; i < 10; ++i) {
    hi_video_frame_info frame{};
    hi_vdec_stream stream{};
    hi_vdec_supplement_info supplement{};
    ASSERT_HI(hi_mpi_vdec_get_frame(2, &frame, &supplement, &stream, -1));
    EXPECT_EQ(frame.v_frame.frame_flag, 0u);
    EXPECT_EQ(frame.v_frame.width, kWidth);
    EXPECT_EQ(frame.v_frame.pts, static_cast<hi_u64>(i));
    EXPECT_EQ(stream.pts, static_cast<hi_u64>(i));
    EXPECT_EQ(stream.len, clip[i].size());
    EXPECT_EQ(NumberOf(OnHost(frame.v_frame.virt_addr[0], kPictureBytes).data()), i);
    EXPECT_HI(hi_mpi_vdec_release_frame(2, &frame));
  }
  sender.join();
  hi_vdec_chn_status status{};
  EXPECT_HI(hi_mpi_vdec_query_status(2, &status));
  EXPECT_EQ(status.left_stream_bytes + status.left_decoded_frames, 0u);
  EXPECT_EQ(status.recv_stream_frames, 10u);
  EXPECT_EQ(status.width, kWidth);
  hi_video_frame_info frame{};
  hi_vdec_stream stream{};
  EXPECT_EQ(hi_mpi_vdec_get_frame(2, &frame, nullptr, &stream, 0), HI_ERR_VDEC_BUF_EMPTY);
  EXPECT_EQ(hi_mpi_vdec_get_frame(2, &frame, nullptr, &stream, 5), HI_ERR_VDEC_BUF_EMPTY);
  EXPECT_HI(hi_mpi_vdec_stop_recv_stream(2));
  EXPECT_HI(hi_mpi_vdec_destroy_chn(2));
}

TEST_F(HiMpiVideo, AFullQueueSaysSo) {
  const std::vector<Packet> clip = Clip(1);
  StartDecoder(2, HI_PT_H264);
  hi_vdec_stream stream = StreamOf(clip[0], 0);
  hi_vdec_pic_info output = OutputOf();
  hi_s32 code = HI_SUCCESS;
  int sent = 0;
  while (sent < 1000 && (code = hi_mpi_vdec_send_stream(2, &stream, &output, 0)) == HI_SUCCESS)
    ++sent;
  EXPECT_EQ(code, HI_ERR_VDEC_BUF_FULL);
  hi_video_frame_info frame{};
  hi_vdec_stream back{};
  EXPECT_HI(hi_mpi_vdec_get_frame(2, &frame, nullptr, &back, -1));
  EXPECT_HI(hi_mpi_vdec_send_stream(2, &stream, &output, -1)) << "one place is free";
  EXPECT_EQ(hi_mpi_vdec_reset_chn(2), HI_ERR_VDEC_NOT_PERM) << "it has not been stopped";
  EXPECT_HI(hi_mpi_vdec_stop_recv_stream(2));
  EXPECT_EQ(hi_mpi_vdec_send_stream(2, &stream, &output, 0), HI_ERR_VDEC_NOT_PERM);
  EXPECT_HI(hi_mpi_vdec_reset_chn(2));
  EXPECT_HI(hi_mpi_vdec_start_recv_stream(2));
  EXPECT_HI(hi_mpi_vdec_send_stream(2, &stream, &output, -1));
  EXPECT_HI(hi_mpi_vdec_get_frame(2, &frame, nullptr, &back, -1));
  EXPECT_HI(hi_mpi_vdec_destroy_chn(2));
}

TEST_F(HiMpiVideo, DamagedAndHiddenFramesAreFlagged) {
  const std::vector<Packet> clip = Clip(2);
  StartDecoder(2, HI_PT_H264);
  hi_vdec_stream hidden = StreamOf(clip[0], 0), damaged = StreamOf({9, 9, 9, 9}, 1);
  hidden.need_display = HI_FALSE;
  hi_vdec_pic_info output = OutputOf();
  EXPECT_HI(hi_mpi_vdec_send_stream(2, &hidden, nullptr, -1));
  EXPECT_HI(hi_mpi_vdec_send_stream(2, &damaged, &output, -1));
  hi_video_frame_info frame{};
  hi_vdec_stream back{};
  ASSERT_HI(hi_mpi_vdec_get_frame(2, &frame, nullptr, &back, -1));
  EXPECT_EQ(frame.v_frame.virt_addr[0], nullptr);
  EXPECT_EQ(back.addr, hidden.addr);
  ASSERT_HI(hi_mpi_vdec_get_frame(2, &frame, nullptr, &back, -1));
  EXPECT_EQ(frame.v_frame.frame_flag, 1u);
  hi_vdec_stream empty{};
  EXPECT_EQ(hi_mpi_vdec_send_stream(2, &empty, &output, 0), HI_ERR_VDEC_ILLEGAL_PARAM);
  EXPECT_EQ(hi_mpi_vdec_send_stream(2, nullptr, &output, 0), HI_ERR_VDEC_NULL_PTR);
  EXPECT_HI(hi_mpi_vdec_destroy_chn(2));
}

TEST_F(HiMpiVideo, KeepsAttributesAndParameters) {
  StartDecoder(5, HI_PT_H265);
  hi_vdec_chn_attr attr{};
  EXPECT_HI(hi_mpi_vdec_get_chn_attr(5, &attr));
  EXPECT_EQ(attr.type, HI_PT_H265);
  EXPECT_HI(hi_mpi_vdec_set_chn_attr(5, &attr));
  hi_vdec_chn_param param{};
  EXPECT_HI(hi_mpi_vdec_get_chn_param(5, &param));
  param.video_param.out_order = HI_VIDEO_OUT_ORDER_DEC;
  param.display_frame_num = 2;
  EXPECT_HI(hi_mpi_vdec_set_chn_param(5, &param));
  hi_vdec_chn_param read{};
  EXPECT_HI(hi_mpi_vdec_get_chn_param(5, &read));
  EXPECT_EQ(read.display_frame_num, 2u);
  EXPECT_EQ(read.video_param.out_order, HI_VIDEO_OUT_ORDER_DEC);
  EXPECT_HI(hi_mpi_vdec_set_jpegd_precision_mode(5, HI_JPEGD_PRECISION_MODE_ALIGN_UP));
  EXPECT_EQ(hi_mpi_vdec_create_chn(5, &attr), HI_ERR_VDEC_EXIST);
  EXPECT_EQ(hi_mpi_vdec_create_chn(256, &attr), HI_ERR_VDEC_INVALID_CHN_ID);
  attr.type = HI_PT_PNG;
  EXPECT_EQ(hi_mpi_vdec_create_chn(6, &attr), HI_ERR_VDEC_NOT_SUPPORT);
  EXPECT_GE(hi_mpi_vdec_get_fd(5), 0);
  EXPECT_HI(hi_mpi_vdec_close_fd(5));
  EXPECT_HI(hi_mpi_vdec_destroy_chn(5));
  EXPECT_EQ(hi_mpi_vdec_destroy_chn(5), HI_ERR_VDEC_UNEXIST);
}

TEST_F(HiMpiVideo, PollingWakesWhenAPacketIsThere) {
  StartEncoder(4, EncoderAttr());
  const hi_s32 fd = hi_mpi_venc_get_fd(4);
  ASSERT_GE(fd, 0);
  hi_s32 set = -1, found = -1;
  ASSERT_HI(hi_mpi_sys_create_epoll(4, &set));
  hi_dvpp_epoll_event event{HI_DVPP_EPOLL_IN, this}, events[2] = {};
  ASSERT_HI(hi_mpi_sys_ctl_epoll(set, HI_DVPP_EPOLL_CTL_ADD, fd, &event));
  EXPECT_HI(hi_mpi_sys_wait_epoll(set, events, 2, 0, &found));
  EXPECT_EQ(found, 0);
  const hi_video_frame_info frame = FrameOf(1);
  ASSERT_HI(hi_mpi_venc_send_frame(4, &frame, -1));
  EXPECT_HI(hi_mpi_sys_wait_epoll(set, events, 2, -1, &found));
  ASSERT_EQ(found, 1);
  EXPECT_EQ(events[0].data, this);
  hi_venc_chn_status status{};
  EXPECT_HI(hi_mpi_venc_query_status(4, &status));
  EXPECT_EQ(status.cur_packs, 1u);
  EXPECT_EQ(status.left_stream_frames, 1u);
  EXPECT_GT(status.left_stream_bytes, 0u);
  EXPECT_FALSE(GetPacket(4).empty());
  EXPECT_HI(hi_mpi_sys_wait_epoll(set, events, 2, 0, &found));
  EXPECT_EQ(found, 0) << "it was taken";
  EXPECT_HI(hi_mpi_sys_ctl_epoll(set, HI_DVPP_EPOLL_CTL_DEL, fd, nullptr));
  EXPECT_HI(hi_mpi_sys_close_epoll(set));
  EXPECT_HI(hi_mpi_venc_close_fd(4));
  EXPECT_HI(hi_mpi_venc_destroy_chn(4));
}

TEST_F(HiMpiVideo, EncodersCheckAndKeep) {
  hi_venc_chn_attr attr = EncoderAttr(HI_PT_H265);
  EXPECT_EQ(hi_mpi_venc_create_chn(1, &attr), HI_ERR_VENC_NOT_SUPPORT);
  EXPECT_NE(RecentError().find("H.265 cannot be encoded"), std::string::npos);
  attr = EncoderAttr();
  attr.rc_attr.h264_vbr.gop = 0;
  EXPECT_EQ(hi_mpi_venc_create_chn(1, &attr), HI_ERR_VENC_ILLEGAL_PARAM);
  attr = EncoderAttr();
  ASSERT_HI(hi_mpi_venc_create_chn(1, &attr));
  const hi_video_frame_info frame = FrameOf(0);
  EXPECT_EQ(hi_mpi_venc_send_frame(1, &frame, 0), HI_ERR_VENC_NOT_PERM) << "it has not been started";
  const hi_venc_start_param once{1}, nothing{0};
  EXPECT_EQ(hi_mpi_venc_start_chn(1, &nothing), HI_ERR_VENC_ILLEGAL_PARAM);
  EXPECT_HI(hi_mpi_venc_start_chn(1, &once));
  EXPECT_HI(hi_mpi_venc_request_idr(1, HI_TRUE));
  EXPECT_HI(hi_mpi_venc_send_frame(1, &frame, 0));
  EXPECT_EQ(hi_mpi_venc_send_frame(1, &frame, 0), HI_ERR_VENC_NOT_PERM) << "one picture was asked for";
  EXPECT_FALSE(GetPacket(1).empty());
  hi_venc_pack pack{};
  hi_venc_stream stream{};
  stream.pack = &pack;
  stream.pack_cnt = 1;
  EXPECT_EQ(hi_mpi_venc_get_stream(1, &stream, 0), HI_ERR_VENC_BUF_EMPTY);
  hi_venc_rc_param rate{};
  EXPECT_HI(hi_mpi_venc_get_rc_param(1, &rate));
  rate.values[3] = 7;
  EXPECT_HI(hi_mpi_venc_set_rc_param(1, &rate));
  rate = {};
  EXPECT_HI(hi_mpi_venc_get_rc_param(1, &rate));
  EXPECT_EQ(rate.values[3], 7u);
  hi_venc_scene_mode mode = HI_VENC_SCENE_1;
  EXPECT_HI(hi_mpi_venc_set_scene_mode(1, mode));
  mode = HI_VENC_SCENE_0;
  EXPECT_HI(hi_mpi_venc_get_scene_mode(1, &mode));
  EXPECT_EQ(mode, HI_VENC_SCENE_1);
  hi_venc_chn_param param{1};
  EXPECT_HI(hi_mpi_venc_set_chn_param(1, &param));
  param.priority = 0;
  EXPECT_HI(hi_mpi_venc_get_chn_param(1, &param));
  EXPECT_EQ(param.priority, 1u);
  EXPECT_HI(hi_mpi_venc_stop_chn(1));
  EXPECT_HI(hi_mpi_venc_destroy_chn(1));
}

TEST_F(HiMpiVideo, JpegGoesBothWays) {
  hi_venc_chn_attr attr = EncoderAttr(HI_PT_JPEG);
  StartEncoder(3, attr);
  hi_venc_jpeg_param param{};
  EXPECT_HI(hi_mpi_venc_get_jpeg_param(3, &param));
  param.qfactor = 95;
  EXPECT_HI(hi_mpi_venc_set_jpeg_param(3, &param));
  param.qfactor = 0;
  EXPECT_EQ(hi_mpi_venc_set_jpeg_param(3, &param), HI_ERR_VENC_ILLEGAL_PARAM);
  const hi_video_frame_info frame = FrameOf(5);
  hi_u32 size = 0;
  EXPECT_HI(hi_mpi_venc_get_jpege_predicted_size(&frame, &param, &size));
  EXPECT_GT(size, 0u);
  ASSERT_HI(hi_mpi_venc_send_frame(3, &frame, -1));
  const Packet jpeg = GetPacket(3);
  hi_img_stream place{};
  place.type = HI_PT_JPEG;
  place.addr = static_cast<hi_u8*>(Memory(size));
  place.len = size;
  ASSERT_HI(hi_mpi_venc_send_jpege_frame(3, &frame, &place, -1));
  hi_venc_pack pack{};
  hi_venc_stream stream{};
  stream.pack = &pack;
  stream.pack_cnt = 1;
  ASSERT_HI(hi_mpi_venc_get_stream(3, &stream, -1));
  EXPECT_EQ(pack.addr, place.addr);
  EXPECT_EQ(OnHost(pack.addr, pack.len), jpeg);
  EXPECT_HI(hi_mpi_venc_release_stream(3, &stream));
  EXPECT_HI(hi_mpi_venc_destroy_chn(3));

  StartDecoder(3, HI_PT_JPEG);
  hi_vdec_stream file = StreamOf(jpeg, 1);
  hi_vdec_stream on_host = file;
  on_host.addr = const_cast<hi_u8*>(jpeg.data());
  hi_img_info info{};
  EXPECT_HI(hi_mpi_dvpp_get_image_info(HI_PT_JPEG, &on_host, &info));
  EXPECT_EQ(info.width, kWidth);
  EXPECT_EQ(info.pixel_format, HI_JPEG_RAW_FORMAT_YUV420);
  EXPECT_HI(hi_mpi_vdec_get_jpegd_output_info(&on_host, HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420, &info));
  EXPECT_EQ(info.width_stride, 128u);
  hi_vdec_pic_info output{};
  output.width = info.width;
  output.height = info.height;
  output.width_stride = info.width_stride;
  output.height_stride = info.height_stride;
  output.buffer_size = info.img_buf_size;
  output.pixel_format = HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420;
  output.vir_addr = reinterpret_cast<hi_u64>(Memory(info.img_buf_size));
  ASSERT_HI(hi_mpi_vdec_send_stream(3, &file, &output, -1));
  hi_video_frame_info shown{};
  hi_vdec_stream back{};
  ASSERT_HI(hi_mpi_vdec_get_frame(3, &shown, nullptr, &back, -1));
  EXPECT_EQ(shown.v_frame.frame_flag, 0u);
  EXPECT_EQ(NumberOf(OnHost(shown.v_frame.virt_addr[0], kPictureBytes).data()), 5);
  EXPECT_HI(hi_mpi_vdec_destroy_chn(3));
}

TEST_F(HiMpiVideo, PngIsDecoded) {
  // Two grey pixels a row, two rows: 0x80 everywhere.
  const Packet png = {0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D,
                      0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x02,
                      0x08, 0x00, 0x00, 0x00, 0x00, 0x57, 0xDD, 0x52, 0xF8, 0x00, 0x00, 0x00,
                      0x0E, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9C, 0x63, 0x68, 0x68, 0x60, 0x68,
                      0x68, 0x00, 0x00, 0x06, 0x06, 0x02, 0x01, 0x2C, 0xC1, 0x50, 0xD7, 0x00,
                      0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82};
  hi_img_stream stream{};
  stream.type = HI_PT_PNG;
  stream.addr = const_cast<hi_u8*>(png.data());
  stream.len = static_cast<hi_u32>(png.size());
  hi_img_info info{};
  EXPECT_HI(hi_mpi_png_get_image_info(&stream, &info));
  EXPECT_EQ(info.width, 2u);
  EXPECT_EQ(info.png_pixel_format, HI_PNG_COLOR_FORMAT_GRAY);
  hi_pngd_chn_attr attr{};
  ASSERT_HI(hi_mpi_pngd_create_chn(0, &attr));
  hi_pic_info picture{};
  picture.picture_format = HI_PIXEL_FORMAT_RGB_888;
  picture.picture_buffer_size = info.img_buf_size;
  picture.picture_address = Memory(info.img_buf_size);
  stream.addr = static_cast<hi_u8*>(Memory(png));
  ASSERT_HI(hi_mpi_pngd_send_stream(0, &stream, &picture, -1));
  hi_pic_info shown{};
  hi_img_stream back{};
  EXPECT_HI(hi_mpi_pngd_get_image_data(0, &shown, &back, -1));
  EXPECT_EQ(back.addr, stream.addr);
  EXPECT_EQ(shown.picture_width, 2u);
  EXPECT_EQ(OnHost(shown.picture_address, 3), (std::vector<uint8_t>{0x80, 0x80, 0x80}));
  EXPECT_EQ(hi_mpi_pngd_get_image_data(0, &shown, &back, 0), HI_ERR_PNGD_BUF_EMPTY);
  EXPECT_EQ(hi_mpi_pngd_create_chn(0, &attr), HI_ERR_PNGD_EXIST);
  EXPECT_HI(hi_mpi_pngd_destroy_chn(0));
}

TEST_F(HiMpiVideo, ChannelsEndWithWorkInFlightAndSomebodyWaiting) {
  const std::vector<Packet> clip = Clip(8);
  for (int round = 0; round < 5; ++round) {
    StartDecoder(2, HI_PT_H264);
    for (const Packet& packet : clip) {
      hi_vdec_stream stream = StreamOf(packet, 0);
      hi_vdec_pic_info output = OutputOf();
      EXPECT_HI(hi_mpi_vdec_send_stream(2, &stream, &output, -1));
    }
    std::thread taker([&] {
      hi_video_frame_info frame{};
      hi_vdec_stream back{};
      while (hi_mpi_vdec_get_frame(2, &frame, nullptr, &back, -1) == HI_SUCCESS) {
      }
    });
    EXPECT_HI(hi_mpi_vdec_destroy_chn(2));
    taker.join();
  }
}

}  // namespace
