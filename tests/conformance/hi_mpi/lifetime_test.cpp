// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Channels of the hi_mpi family that end early, late, in a forked child, and very often.
#include <algorithm>
#include <atomic>
#include <thread>

#include "conformance/asleep.h"
#include "conformance/hi_mpi/video_fixture.h"
#include "conformance/in_fork.h"
#include "conformance/process_use.h"

namespace {

using namespace video_test;

class MpiLifetime : public HiMpiVideo {
 protected:
  // One of each kind, with work on its way.
  static void OpenAll() {
    hi_vdec_chn_attr decoder{};
    decoder.type = HI_PT_H264;
    decoder.mode = HI_VDEC_SEND_MODE_FRAME;
    decoder.pic_width = decoder.pic_height = 4096;
    ASSERT_HI(hi_mpi_vdec_create_chn(1, &decoder));
    ASSERT_HI(hi_mpi_vdec_start_recv_stream(1));
    hi_pngd_chn_attr png{};
    ASSERT_HI(hi_mpi_pngd_create_chn(1, &png));
    hi_vpc_chn_attr vpc{};
    hi_vpc_chn number = -1;
    ASSERT_HI(hi_mpi_vpc_sys_create_chn(&number, &vpc));
    ASSERT_EQ(number, 0);
  }
  static void CloseAll() {
    EXPECT_HI(hi_mpi_vdec_destroy_chn(1));
    EXPECT_HI(hi_mpi_pngd_destroy_chn(1));
    EXPECT_HI(hi_mpi_vpc_destroy_chn(0));
  }
};

TEST_F(MpiLifetime, ManyChannelsLeaveNothingBehind) {
  const auto run = [&](int times) {
    for (int i = 0; i < times && !HasFailure(); ++i) {
      OpenAll();
      CloseAll();
    }
  };
  run(50);
  const Use before = Use::Now();
  run(MediaChannels(200));
  ExpectNoGrowth(before);
}

// One of each kind, with work that nobody asks for.
class MpiOrders : public HiMpiVideo {
 protected:
  void SendEverywhere(const std::vector<Packet>& clip) {
    StartDecoder(1, HI_PT_H264);
    StartDecoder(2, HI_PT_JPEG);
    StartEncoder(3, EncoderAttr());
    hi_pngd_chn_attr png{};
    ASSERT_HI(hi_mpi_pngd_create_chn(4, &png));
    hi_vpc_chn_attr vpc{};
    ASSERT_HI(hi_mpi_vpc_create_chn(5, &vpc));
    for (int i = 0; i < static_cast<int>(clip.size()); ++i)
      SendOne(clip[static_cast<size_t>(i)], i);
  }
  void StopAll() {
    hi_mpi_vdec_stop_recv_stream(1);
    hi_mpi_vdec_stop_recv_stream(2);
    hi_mpi_venc_stop_chn(3);
  }
  void DestroyAll() {
    hi_mpi_vdec_destroy_chn(1);
    hi_mpi_vdec_destroy_chn(2);
    hi_mpi_venc_destroy_chn(3);
    hi_mpi_pngd_destroy_chn(4);
    hi_mpi_vpc_destroy_chn(5);
  }

 private:
  void SendOne(const Packet& packet, int number) {
    hi_vdec_stream video = StreamOf(packet, number), no_jpeg = StreamOf(packet, number);
    hi_vdec_pic_info shown = OutputOf(), not_shown = OutputOf();
    EXPECT_HI(hi_mpi_vdec_send_stream(1, &video, &shown, -1));
    EXPECT_HI(hi_mpi_vdec_send_stream(2, &no_jpeg, &not_shown, -1));
    const hi_video_frame_info frame = FrameOf(number);
    EXPECT_HI(hi_mpi_venc_send_frame(3, &frame, -1));
    hi_img_stream no_png{};
    no_png.type = HI_PT_PNG;
    no_png.addr = static_cast<hi_u8*>(Memory(packet));
    no_png.len = static_cast<hi_u32>(packet.size());
    hi_pic_info picture{};
    picture.picture_format = HI_PIXEL_FORMAT_RGB_888;
    picture.picture_buffer_size = kPictureBytes;
    picture.picture_address = Memory(kPictureBytes);
    EXPECT_HI(hi_mpi_pngd_send_stream(4, &no_png, &picture, -1));
    hi_vpc_pic_info in = Grey(512, 512, number), out = Grey(700, 700, 0);
    hi_u32 task = 0;
    EXPECT_HI(hi_mpi_vpc_resize(5, &in, &out, 0, 0, 0, &task, -1));
  }
};

TEST_F(MpiOrders, EverythingMayEndInAnyOrderWithWorkInFlight) {
  const std::vector<Packet> clip = Clip(6);
  int order[] = {0, 1, 2, 3};
  do {
    SendEverywhere(clip);
    ASSERT_FALSE(HasFailure());
    for (const int step : order) {
      if (step == 0) {
        StopAll();
      } else if (step == 1) {
        DestroyAll();  // refused after the end of the family
      } else if (step == 2) {
        EXPECT_HI(hi_mpi_sys_exit());
      } else {
        EXPECT_OK(aclrtResetDeviceForce(0));
      }
    }
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_HI(hi_mpi_sys_init());
    DestroyAll();  // what is left
  } while (std::next_permutation(std::begin(order), std::end(order)));
}

TEST_F(MpiOrders, WhoWaitsForRoomIsToldThatTheChannelHasEnded) {
  const std::vector<Packet> clip = Clip(1);
  StartDecoder(1, HI_PT_H264);
  hi_vdec_stream stream = StreamOf(clip[0], 0);
  hi_vdec_pic_info output = OutputOf();
  while (hi_mpi_vdec_send_stream(1, &stream, &output, 0) == HI_SUCCESS) {
  }
  std::atomic<pid_t> waiting{0};
  hi_s32 code = HI_SUCCESS;
  std::thread sender([&] {
    aclrtSetCurrentContext(session_.context());
    waiting = OwnThread();
    code = hi_mpi_vdec_send_stream(1, &stream, &output, -1);
  });
  while (waiting == 0)
    std::this_thread::yield();
  WaitUntilAsleep(waiting);
  EXPECT_HI(hi_mpi_vdec_destroy_chn(1));
  sender.join();
  EXPECT_EQ(code, HI_ERR_VDEC_UNEXIST);
}

TEST_F(MpiOrders, ResultsOfOperationsThatWentWithTheirDeviceAreNotWaitedFor) {
  hi_vpc_chn_attr attr{};
  ASSERT_HI(hi_mpi_vpc_create_chn(5, &attr));
  hi_vpc_pic_info in = Grey(1024, 1024, 1), out = Grey(2000, 2000, 0);
  hi_u32 task = 0;
  for (int i = 0; i < 50; ++i)
    ASSERT_HI(hi_mpi_vpc_resize(5, &in, &out, 0, 0, 0, &task, -1));
  EXPECT_OK(aclrtResetDeviceForce(0));
  EXPECT_OK(aclrtSetDevice(0));
  hi_mpi_vpc_get_process_result(5, task, -1);  // whatever it answers, it does
  EXPECT_HI(hi_mpi_vpc_destroy_chn(5));
}

TEST_F(MpiOrders, OperationsWriteNothingIntoMemoryThatFollowsTheirs) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "looks at a picture while it is written";
#endif
  constexpr size_t kSide = 4096, kBytes = kSide * kSide;
  hi_vpc_chn_attr attr{};
  ASSERT_HI(hi_mpi_vpc_create_chn(5, &attr));
  hi_vpc_pic_info in = Grey(64, 64, 1), out = Grey(kSide, kSide, 0);
  hi_u32 task = 0;
  ASSERT_HI(hi_mpi_vpc_resize(5, &in, &out, 0, 0, 0, &task, -1));
  while (OnHost(out.picture_address, 1)[0] == 0) {  // it has begun
  }
  EXPECT_OK(aclrtResetDeviceForce(0));
  EXPECT_OK(aclrtSetDevice(0));
  void* next = nullptr;
  ASSERT_OK(aclrtMalloc(&next, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_EQ(next, out.picture_address) << "what follows is looked at";
  auto* const last_row = static_cast<uint8_t*>(next) + kBytes - kSide;
  EXPECT_OK(aclrtMemset(last_row, kSide, 0x5A, kSide));
  EXPECT_HI(hi_mpi_vpc_destroy_chn(5));
  EXPECT_EQ(OnHost(last_row, kSide), std::vector<uint8_t>(kSide, 0x5A));
}

TEST_F(MpiOrders, PacketsThatWentWithTheirDeviceLeaveItsNextMemoryAlone) {
  StartEncoder(3, EncoderAttr());
  const hi_video_frame_info frame = FrameOf(1);
  ASSERT_HI(hi_mpi_venc_send_frame(3, &frame, -1));
  hi_venc_pack pack{};
  hi_venc_stream stream{};
  stream.pack = &pack;
  stream.pack_cnt = 1;
  ASSERT_HI(hi_mpi_venc_get_stream(3, &stream, -1));
  EXPECT_OK(aclrtResetDeviceForce(0));
  EXPECT_OK(aclrtSetDevice(0));
  std::vector<void*> blocks;
  do {
    blocks.push_back(Memory(pack.len));
  } while (blocks.back() != pack.addr && blocks.size() < 10000);
  EXPECT_HI(hi_mpi_venc_destroy_chn(3));
  for (void* const block : blocks)
    EXPECT_OK(aclrtFree(block)) << "it is the program's";
}

TEST_F(MpiLifetime, AForkedChildHasNoneOfTheChannels) {
  SKIP_WHERE_FORKS_HAVE_NO_THREADS();
  SKIP_WHERE_FORKS_KEEP_ALLOCATORS_LOCKED();
  OpenAll();
  EXPECT_EQ(InFork({},
                   [] {
                     EXPECT_NE(hi_mpi_vdec_destroy_chn(1), HI_SUCCESS) << "it is the parent's";
                     Session session;
                     EXPECT_HI(hi_mpi_sys_init());
                     OpenAll();
                     CloseAll();
                     EXPECT_HI(hi_mpi_sys_exit());
                   }),
            0);
  CloseAll();
}

TEST_F(MpiLifetime, ChannelsMayOutliveTheirDevice) {
  OpenAll();
  hi_vdec_stream stream{};
  stream.end_of_frame = stream.need_display = HI_TRUE;
  stream.addr = static_cast<hi_u8*>(Memory(Packet(64, 1)));
  stream.len = 64;
  hi_vdec_pic_info output{};
  output.pixel_format = HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420;
  output.buffer_size = kPictureBytes;
  output.vir_addr = reinterpret_cast<hi_u64>(Memory(kPictureBytes));
  for (int i = 0; i < 20; ++i)
    EXPECT_HI(hi_mpi_vdec_send_stream(1, &stream, &output, -1));
  EXPECT_OK(aclrtResetDeviceForce(0));
  EXPECT_OK(aclrtSetDevice(0));
  CloseAll();
}

// 60,000 x 60,000 pixels in a header, strides below the width, memory too small: refused before anything is
// allocated.
TEST_F(MpiLifetime, AbsurdSizesSpendNothing) {
  hi_vpc_chn_attr attr{};
  hi_vpc_chn channel = -1;
  ASSERT_HI(hi_mpi_vpc_sys_create_chn(&channel, &attr));
  hi_vpc_pic_info in = Grey(64, 64, 7), out = Grey(64, 64, 0);
  const Use before = Use::Now();
  const auto refused = [&](auto&& change) {
    hi_vpc_pic_info changed_in = in, changed_out = out;
    change(changed_in, changed_out);
    hi_u32 task = 0;
    EXPECT_EQ(hi_mpi_vpc_resize(channel, &changed_in, &changed_out, 0, 0, 0, &task, 0),
              HI_ERR_VPC_ILLEGAL_PARAM);
  };
  refused([](hi_vpc_pic_info& a, hi_vpc_pic_info&) { a.picture_width = a.picture_height = 60000; });
  refused([](hi_vpc_pic_info&, hi_vpc_pic_info& b) {
    b.picture_width = b.picture_width_stride = b.picture_height = b.picture_height_stride = 60000;
  });
  refused([](hi_vpc_pic_info& a, hi_vpc_pic_info&) { a.picture_width_stride = 63; });
  refused([](hi_vpc_pic_info& a, hi_vpc_pic_info&) { a.picture_height_stride = 63; });
  refused([](hi_vpc_pic_info& a, hi_vpc_pic_info&) { a.picture_width_stride = 0xFFFFFFFF; });
  refused([](hi_vpc_pic_info&, hi_vpc_pic_info& b) { b.picture_buffer_size = 64 * 64 - 1; });
  refused([](hi_vpc_pic_info&, hi_vpc_pic_info& b) { b.picture_width = 0; });
  ExpectNoGrowth(before);
  EXPECT_HI(hi_mpi_vpc_destroy_chn(channel));
}

}  // namespace
