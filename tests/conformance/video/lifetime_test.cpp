// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Channels of the first interface that end early, late, in a forked child, and very often.
#include <algorithm>

#include "conformance/in_fork.h"
#include "conformance/process_use.h"
#include "conformance/video/decoder.h"

namespace {

using namespace video_test;

// Frames on their way, whose descriptions outlive everything.
class UnfinishedDecoding {
 public:
  UnfinishedDecoding(const std::vector<Packet>& clip, uint64_t thread)
      : channel_(aclvdecCreateChannelDesc()) {
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
  ~UnfinishedDecoding() {
    for (acldvppStreamDesc* const stream : streams_)
      EXPECT_OK(acldvppDestroyStreamDesc(stream));
    for (acldvppPicDesc* const picture : pictures_)
      EXPECT_OK(acldvppDestroyPicDesc(picture));
  }
  void Destroy() { aclvdecDestroyChannel(channel_); }
  void DestroyDesc() { EXPECT_OK(aclvdecDestroyChannelDesc(channel_)); }

 private:
  aclvdecChannelDesc* channel_;
  std::vector<acldvppStreamDesc*> streams_;
  std::vector<acldvppPicDesc*> pictures_;
};

class UnfinishedEncoding {
 public:
  UnfinishedEncoding(const std::vector<Packet>& clip, uint64_t thread)
      : channel_(aclvencCreateChannelDesc()) {
    aclvencSetChannelDescThreadId(channel_, thread);
    aclvencSetChannelDescCallback(channel_, &UnfinishedEncoding::Read);
    aclvencSetChannelDescEnType(channel_, H264_MAIN_LEVEL);
    aclvencSetChannelDescPicFormat(channel_, PIXEL_FORMAT_YUV_SEMIPLANAR_420);
    aclvencSetChannelDescPicWidth(channel_, kWidth);
    aclvencSetChannelDescPicHeight(channel_, kHeight);
    aclvencSetChannelDescKeyFrameInterval(channel_, 8);
    EXPECT_OK(aclvencCreateChannel(channel_));
    for (size_t i = 0; i < clip.size(); ++i) {
      pictures_.push_back(PictureDesc(OnDevice(Draw(static_cast<int>(i))), kPictureBytes, kWidth, kHeight));
      EXPECT_OK(aclvencSendFrame(channel_, pictures_.back(), nullptr, nullptr, nullptr));
    }
  }
  ~UnfinishedEncoding() {
    for (acldvppPicDesc* const picture : pictures_)
      EXPECT_OK(acldvppDestroyPicDesc(picture));
  }
  void Destroy() { aclvencDestroyChannel(channel_); }
  void DestroyDesc() { EXPECT_OK(aclvencDestroyChannelDesc(channel_)); }

 private:
  // The device may be reset meanwhile: then the copy is refused.
  static void Read(acldvppPicDesc*, acldvppStreamDesc* output, void*) {
    if (acldvppGetStreamDescRetCode(output) != 0) return;
    std::vector<uint8_t> bytes(acldvppGetStreamDescSize(output));
    aclrtMemcpy(bytes.data(), bytes.size(), acldvppGetStreamDescData(output), bytes.size(),
                ACL_MEMCPY_DEVICE_TO_HOST);
  }

  aclvencChannelDesc* channel_;
  std::vector<acldvppPicDesc*> pictures_;
};

template <typename Unfinished>
class VideoOrders : public testing::Test {};
using Kinds = testing::Types<UnfinishedDecoding, UnfinishedEncoding>;
TYPED_TEST_SUITE(VideoOrders, Kinds);

TYPED_TEST(VideoOrders, EverythingMayEndInAnyOrderWithFramesInFlight) {
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
      TypeParam frames(clip, reports.id());
      for (const int step : order) {
        if (step == 0) {
          reports.Stop();
        } else if (step == 1) {
          frames.Destroy();  // refused where something is gone
        } else if (step == 2) {
          frames.DestroyDesc();
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
  run(MediaChannels(200));
  ExpectNoGrowth(before);
}

}  // namespace
