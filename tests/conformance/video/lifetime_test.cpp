// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Channels of both interfaces that end early, late, in a forked child, and very often.
#include <algorithm>
#include <cstdlib>

#include "conformance/hi_mpi/mpi_fixture.h"
#include "conformance/in_fork.h"
#include "conformance/process_use.h"
#include "conformance/video/decoder.h"

namespace {

using namespace video_test;

// make media-check sets it.
int Rounds(int usual) {
  const char* const wanted = std::getenv("FOOTHOLD_MEDIA_CHANNELS");
  return wanted == nullptr ? usual : std::atoi(wanted);
}

// Frames on their way, whose descriptions outlive everything.
class Unfinished {
 public:
  Unfinished(const std::vector<Packet>& clip, uint64_t thread) : channel_(aclvdecCreateChannelDesc()) {
    aclvdecSetChannelDescThreadId(channel_, thread);
    aclvdecSetChannelDescCallback(channel_, [](acldvppStreamDesc*, acldvppPicDesc*, void*) {});
    aclvdecSetChannelDescEnType(channel_, H264_MAIN_LEVEL);
    EXPECT_OK(aclvdecCreateChannel(channel_));
    for (const Packet& packet : clip) {
      streams_.push_back(acldvppCreateStreamDesc());
      acldvppSetStreamDescData(streams_.back(), OnDevice(packet));
      acldvppSetStreamDescSize(streams_.back(), static_cast<uint32_t>(packet.size()));
      pictures_.push_back(PictureDesc(OnDevice(Packet(kPictureBytes)), kPictureBytes));
      EXPECT_OK(aclvdecSendFrame(channel_, streams_.back(), pictures_.back(), nullptr, nullptr));
    }
  }
  ~Unfinished() {
    for (acldvppStreamDesc* const stream : streams_)
      EXPECT_OK(acldvppDestroyStreamDesc(stream));
    for (acldvppPicDesc* const picture : pictures_)
      EXPECT_OK(acldvppDestroyPicDesc(picture));
  }
  aclvdecChannelDesc* channel() { return channel_; }

 private:
  aclvdecChannelDesc* channel_;
  std::vector<acldvppStreamDesc*> streams_;
  std::vector<acldvppPicDesc*> pictures_;
};

TEST(VideoLifetime, EverythingMayEndInAnyOrderWithFramesInFlight) {
  std::vector<Packet> clip;
  {
    Session session;
    clip = MakeClip(session, 6);
  }
  int order[] = {0, 1, 2, 3};
  do {
    ASSERT_OK(aclInit(nullptr));
    ASSERT_OK(aclrtSetDevice(0));
    aclrtContext context = nullptr;
    ASSERT_OK(aclrtGetCurrentContext(&context));
    {
      VideoReports reports(context);
      Unfinished frames(clip, reports.id());
      for (const int step : order) {
        if (step == 0) {
          reports.Stop();
        } else if (step == 1) {
          aclvdecDestroyChannel(frames.channel());  // refused where something is gone
        } else if (step == 2) {
          EXPECT_OK(aclvdecDestroyChannelDesc(frames.channel()));
        } else {
          EXPECT_OK(aclrtResetDeviceForce(0));
        }
      }
    }
    ASSERT_OK(aclFinalize());
  } while (std::next_permutation(std::begin(order), std::end(order)));
}

TEST(VideoLifetime, AForkedChildHasNoneOfTheChannelsAndMayMakeItsOwn) {
  SKIP_WHERE_FORKS_HAVE_NO_THREADS();
  SKIP_WHERE_FORKS_KEEP_ALLOCATORS_LOCKED();
  Session session;
  const std::vector<Packet> clip = MakeClip(session, 4);
  VideoReports reports(session.context());
  Decoder decoder(reports.id());
  ASSERT_OK(aclvdecCreateChannel(decoder.desc()));
  ASSERT_OK(decoder.Send(clip[0], 0));
  EXPECT_EQ(InFork({},
                   [&] {
                     EXPECT_NE(aclvdecDestroyChannel(decoder.desc()), ACL_SUCCESS) << "it is the parent's";
                     Session own;
                     VideoReports own_reports(own.context());
                     Decoder again(own_reports.id());
                     ASSERT_OK(aclvdecCreateChannel(again.desc()));
                     for (int i = 0; i < 4; ++i)
                       ASSERT_OK(again.Send(clip[i], i));
                     EXPECT_OK(aclvdecDestroyChannel(again.desc()));
                     EXPECT_EQ(again.frames().size(), 4u);
                   }),
            0);
  for (int i = 1; i < 4; ++i)
    ASSERT_OK(decoder.Send(clip[i], i));
  EXPECT_OK(aclvdecDestroyChannel(decoder.desc()));
  EXPECT_EQ(decoder.frames().size(), 4u) << "the parent goes on";
}

TEST(VideoLifetime, ManyChannelsLeaveNothingBehind) {
  Session session;
  VideoReports reports(session.context());
  Decoder decoder(reports.id());
  Encoder encoder(reports.id(), [](const Packet&, uint32_t, void*) {});
  const auto run = [&](int times) {
    for (int i = 0; i < times; ++i) {
      ASSERT_OK(aclvdecCreateChannel(decoder.desc()));
      ASSERT_OK(aclvencCreateChannel(encoder.desc()));
      ASSERT_OK(aclvdecDestroyChannel(decoder.desc()));
      ASSERT_OK(aclvencDestroyChannel(encoder.desc()));
    }
  };
  run(50);
  const Use before = Use::Now();
  run(Rounds(200));
  ExpectNoGrowth(before);
}

class MpiLifetime : public HiMpi {
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
  run(Rounds(200));
  ExpectNoGrowth(before);
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
