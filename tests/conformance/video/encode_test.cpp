// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <condition_variable>
#include <mutex>
#include <stdexcept>

#include "conformance/video/clip.h"

namespace {

using namespace video_test;

TEST(VideoEncode, GivesEveryPictureAPacketInOrderOnTheSubscribedThread) {
  Session session;
  VideoReports reports(session.context());
  std::vector<Packet> packets;
  uint64_t thread = 0;
  Encoder encoder(reports.id(), [&](const Packet& packet, uint32_t result, void*) {
    EXPECT_EQ(result, 0u);
    thread = static_cast<uint64_t>(pthread_self());
    packets.push_back(packet);
  });
  ASSERT_OK(aclvencCreateChannel(encoder.desc()));
  for (int i = 0; i < 10; ++i)
    encoder.Send(i);
  aclvencFrameConfig* end = aclvencCreateFrameConfig();
  EXPECT_OK(aclvencSetFrameConfigEos(end, 1));
  EXPECT_EQ(aclvencGetFrameConfigEos(end), 1);
  EXPECT_OK(aclvencSendFrame(encoder.desc(), nullptr, nullptr, end, nullptr));
  EXPECT_EQ(packets.size(), 10u) << "the end waits for all callbacks";
  EXPECT_EQ(thread, reports.id());
  for (size_t i = 0; i < packets.size(); ++i) {
    const bool key = i % 8 == 0;
    EXPECT_EQ(packets[i][4] & 31, key ? 7 : 1) << "parameter sets are in front of key frames, and only there";
  }
  EXPECT_OK(aclvencDestroyFrameConfig(end));
  EXPECT_OK(aclvencDestroyChannel(encoder.desc()));
}

TEST(VideoEncode, MakesKeyFramesWhereTheyAreAskedFor) {
  Session session;
  VideoReports reports(session.context());
  std::vector<bool> keys;
  Encoder encoder(
      reports.id(), [&](const Packet& packet, uint32_t, void*) { keys.push_back((packet[4] & 31) == 7); },
      H264_BASELINE_LEVEL, 100);
  ASSERT_OK(aclvencCreateChannel(encoder.desc()));
  aclvencFrameConfig* key = aclvencCreateFrameConfig();
  EXPECT_OK(aclvencSetFrameConfigForceIFrame(key, 1));
  EXPECT_EQ(aclvencGetFrameConfigForceIFrame(key), 1);
  for (int i = 0; i < 6; ++i)
    encoder.Send(i, i == 3 ? key : nullptr);
  EXPECT_OK(aclvencDestroyChannel(encoder.desc()));
  EXPECT_OK(aclvencDestroyFrameConfig(key));
  EXPECT_EQ(keys, (std::vector<bool>{true, false, false, true, false, false}));
}

aclError SendEnd(Encoder& encoder) {
  aclvencFrameConfig* const end = aclvencCreateFrameConfig();
  EXPECT_OK(aclvencSetFrameConfigEos(end, 1));
  const aclError code = aclvencSendFrame(encoder.desc(), nullptr, nullptr, end, nullptr);
  EXPECT_OK(aclvencDestroyFrameConfig(end));
  return code;
}

TEST(VideoEncode, RefusesInsideItsCallbackWhatWouldWaitForIt) {
  Session session;
  VideoReports reports(session.context());
  std::atomic<int> destroyed{0}, ended{0};
  Encoder* inside = nullptr;
  Encoder encoder(reports.id(), [&](const Packet&, uint32_t, void*) {
    destroyed = aclvencDestroyChannel(inside->desc());
    ended = SendEnd(*inside);
  });
  inside = &encoder;
  ASSERT_OK(aclvencCreateChannel(encoder.desc()));
  encoder.Send(0);
  encoder.Send(1);
  EXPECT_OK(aclvencDestroyChannel(encoder.desc()));
  EXPECT_EQ(destroyed, ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(ended, ACL_ERROR_INVALID_PARAM);
}

TEST(VideoEncode, GoesOnAfterACallbackThatThrows) {
  Session session;
  VideoReports reports(session.context());
  int called = 0;
  Encoder encoder(reports.id(), [&](const Packet&, uint32_t, void*) {
    if (++called == 2) throw std::runtime_error("of the test");
  });
  ASSERT_OK(aclvencCreateChannel(encoder.desc()));
  for (int i = 0; i < 4; ++i)
    encoder.Send(i);
  EXPECT_NE(SendEnd(encoder), ACL_SUCCESS) << "whoever waits is told";
  EXPECT_EQ(called, 4);
  EXPECT_OK(aclvencDestroyChannel(encoder.desc()));
}

TEST(VideoEncode, HoldsUpSendersUntilCallbacksHaveMadeRoom) {
  Session session;
  VideoReports reports(session.context());
  std::mutex mutex;
  std::condition_variable opened;
  bool open = false;
  std::atomic<int> sent{0}, called{0};
  Encoder encoder(reports.id(), [&](const Packet&, uint32_t, void*) {
    std::unique_lock<std::mutex> lock(mutex);
    opened.wait(lock, [&] { return open; });
    ++called;
  });
  ASSERT_OK(aclvencCreateChannel(encoder.desc()));
  std::thread sender([&] {
    aclrtSetCurrentContext(session.context());
    for (int i = 0; i < 100; ++i, ++sent)
      encoder.Send(i);
  });
  while (sent < 60)
    std::this_thread::yield();
  EXPECT_LT(sent, 100);
  {
    std::lock_guard<std::mutex> lock(mutex);
    open = true;
  }
  opened.notify_all();
  sender.join();
  EXPECT_OK(aclvencDestroyChannel(encoder.desc()));
  EXPECT_EQ(called, 100);
}

TEST(VideoEncode, RefusesH265WithTheReason) {
  Session session;
  VideoReports reports(session.context());
  Encoder encoder(reports.id(), nullptr, H265_MAIN_LEVEL);
  EXPECT_EQ(aclvencCreateChannel(encoder.desc()), ACL_ERROR_API_NOT_SUPPORT);
  EXPECT_NE(RecentError().find("H.265 cannot be encoded"), std::string::npos);
}

TEST(VideoEncode, ChecksWhatChannelsAreMadeOf) {
  Session session;
  VideoReports reports(session.context());
  const auto refused = [&](auto&& change) {
    Encoder encoder(reports.id(), nullptr);
    change(encoder.desc());
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclvencCreateChannel(encoder.desc()));
  };
  refused([](aclvencChannelDesc* desc) { aclvencSetChannelDescThreadId(desc, 0); });
  refused([](aclvencChannelDesc* desc) { aclvencSetChannelDescCallback(desc, nullptr); });
  refused([](aclvencChannelDesc* desc) { aclvencSetChannelDescPicWidth(desc, 0); });
  refused([](aclvencChannelDesc* desc) { aclvencSetChannelDescPicHeight(desc, 60000); });
  refused([](aclvencChannelDesc* desc) { aclvencSetChannelDescKeyFrameInterval(desc, 0); });
  refused([](aclvencChannelDesc* desc) { aclvencSetChannelDescKeyFrameInterval(desc, 65537); });
  refused([](aclvencChannelDesc* desc) { aclvencSetChannelDescRcMode(desc, 3); });
  refused([](aclvencChannelDesc* desc) { aclvencSetChannelDescSrcRate(desc, 241); });
  refused([](aclvencChannelDesc* desc) { aclvencSetChannelDescMaxBitRate(desc, 1); });
  refused([](aclvencChannelDesc* desc) { aclvencSetChannelDescPicFormat(desc, PIXEL_FORMAT_RGB_888); });
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclvencCreateChannel(nullptr));
}

TEST(VideoEncode, ChecksWhatIsSent) {
  Session session;
  VideoReports reports(session.context());
  Encoder encoder(reports.id(), [](const Packet&, uint32_t, void*) {});
  void* memory = OnDevice(Draw(0));
  acldvppPicDesc* good = PictureDesc(memory, kPictureBytes, kWidth, kHeight);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclvencSendFrame(encoder.desc(), good, nullptr, nullptr, nullptr));
  ASSERT_OK(aclvencCreateChannel(encoder.desc()));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclvencCreateChannel(encoder.desc()));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclvencSendFrame(encoder.desc(), nullptr, nullptr, nullptr, nullptr));
  for (acldvppPicDesc* bad : {PictureDesc(memory, kPictureBytes - 1, kWidth, kHeight),
                              PictureDesc(nullptr, kPictureBytes, kWidth, kHeight),
                              PictureDesc(memory, kPictureBytes, kWidth, kHeight - 2)}) {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclvencSendFrame(encoder.desc(), bad, nullptr, nullptr, nullptr));
    EXPECT_OK(acldvppDestroyPicDesc(bad));
  }
  EXPECT_OK(aclvencDestroyChannel(encoder.desc()));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclvencDestroyChannel(encoder.desc()));
  EXPECT_OK(acldvppDestroyPicDesc(good));
  EXPECT_OK(acldvppFree(memory));
}

TEST(VideoEncode, KeepsWhatIsSet) {
  aclvencChannelDesc* desc = aclvencCreateChannelDesc();
  ASSERT_NE(desc, nullptr);
  EXPECT_OK(aclvencSetChannelDescBufAddr(desc, &desc));
  EXPECT_EQ(aclvencGetChannelDescBufAddr(desc), &desc);
  EXPECT_OK(aclvencSetChannelDescBufSize(desc, 9));
  EXPECT_EQ(aclvencGetChannelDescBufSize(desc), 9u);
  EXPECT_OK(aclvencSetChannelDescKeyFrameInterval(desc, 3));
  EXPECT_EQ(aclvencGetChannelDescKeyFrameInterval(desc), 3u);
  EXPECT_OK(aclvencSetChannelDescMaxBitRate(desc, 400));
  EXPECT_EQ(aclvencGetChannelDescMaxBitRate(desc), 400u);
  EXPECT_OK(aclvencSetChannelDescRcMode(desc, 2));
  EXPECT_EQ(aclvencGetChannelDescRcMode(desc), 2u);
  EXPECT_OK(aclvencSetChannelDescSrcRate(desc, 25));
  EXPECT_EQ(aclvencGetChannelDescSrcRate(desc), 25u);
  EXPECT_OK(aclvencSetChannelDescPicWidth(desc, 64));
  EXPECT_EQ(aclvencGetChannelDescPicWidth(desc), 64u);
  EXPECT_OK(aclvencSetChannelDescPicHeight(desc, 32));
  EXPECT_EQ(aclvencGetChannelDescPicHeight(desc), 32u);
  EXPECT_OK(aclvencSetChannelDescPicFormat(desc, PIXEL_FORMAT_YVU_SEMIPLANAR_420));
  EXPECT_EQ(aclvencGetChannelDescPicFormat(desc), PIXEL_FORMAT_YVU_SEMIPLANAR_420);
  EXPECT_OK(aclvencSetChannelDescEnType(desc, H264_HIGH_LEVEL));
  EXPECT_EQ(aclvencGetChannelDescEnType(desc), H264_HIGH_LEVEL);
  EXPECT_OK(aclvencSetChannelDescThreadId(desc, 77));
  EXPECT_EQ(aclvencGetChannelDescThreadId(desc), 77u);
  EXPECT_EQ(aclvencGetChannelDescCallback(desc), nullptr);
  EXPECT_EQ(aclvencGetChannelDescChannelId(desc), 0u);
  uint32_t share = 60;
  size_t written = 0;
  EXPECT_OK(aclvencSetChannelDescParam(desc, ACL_VENC_MAX_IP_PROP_UINT32, sizeof share, &share));
  share = 0;
  EXPECT_OK(aclvencGetChannelDescParam(desc, ACL_VENC_MAX_IP_PROP_UINT32, sizeof share, &written, &share));
  EXPECT_EQ(share, 60u);
  EXPECT_EQ(written, sizeof share);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclvencSetChannelDescParam(desc, ACL_VENC_MAX_IP_PROP_UINT32, 8, &share));
  EXPECT_EQ(aclvencGetChannelDescBufSize(nullptr), 0u);
  EXPECT_OK(aclvencDestroyChannelDesc(desc));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclvencDestroyChannelDesc(desc));
}

}  // namespace
