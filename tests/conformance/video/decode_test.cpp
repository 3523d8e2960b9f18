// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <condition_variable>
#include <mutex>
#include <stdexcept>

#include "conformance/video/decoder.h"

namespace {

using namespace video_test;

TEST(VideoDecode, CallsBackOnceForEveryPacketOnTheSubscribedThread) {
  Session session;
  const std::vector<Packet> clip = MakeClip(session, 12);
  ASSERT_EQ(clip.size(), 12u);
  VideoReports reports(session.context());
  Decoder decoder(reports.id());
  ASSERT_OK(aclvdecCreateChannel(decoder.desc()));
  for (int i = 0; i < 12; ++i)
    ASSERT_OK(decoder.Send(clip[i], i));
  ASSERT_OK(decoder.SendEnd());
  const std::vector<Frame> frames = decoder.frames();
  ASSERT_EQ(frames.size(), 12u) << "the end waits for all callbacks, and has none itself";
  for (int i = 0; i < 12; ++i) {
    EXPECT_EQ(frames[i].number, i);
    EXPECT_EQ(frames[i].result, 0u);
    EXPECT_EQ(frames[i].shown, i);
    EXPECT_EQ(frames[i].thread, reports.id());
  }
  ASSERT_OK(decoder.Send(clip[0], 12)) << "another stream may follow";
  EXPECT_OK(aclvdecDestroyChannel(decoder.desc()));
  EXPECT_EQ(decoder.frames().size(), 13u) << "so does destruction";
}

TEST(VideoDecode, ScalesToTheSizeThatIsSet) {
  Session session;
  const std::vector<Packet> clip = MakeClip(session, 1);
  VideoReports reports(session.context());
  static std::atomic<int> luma;
  luma = -1;
  Decoder decoder(reports.id());
  EXPECT_OK(
      aclvdecSetChannelDescCallback(decoder.desc(), [](acldvppStreamDesc*, acldvppPicDesc* output, void*) {
        EXPECT_EQ(acldvppGetPicDescRetCode(output), 0u);
        luma = OnHost(acldvppGetPicDescData(output), 64 * 32 * 3 / 2)[64 * 31 + 63];
      }));
  ASSERT_OK(aclvdecCreateChannel(decoder.desc()));
  void* memory = OnDevice(clip[0]);
  void* out = OnDevice(std::vector<uint8_t>(64 * 32 * 3 / 2));
  acldvppStreamDesc* stream = acldvppCreateStreamDesc();
  acldvppSetStreamDescData(stream, memory);
  acldvppSetStreamDescSize(stream, static_cast<uint32_t>(clip[0].size()));
  acldvppPicDesc* picture = PictureDesc(out, 64 * 32 * 3 / 2, 64, 32);
  EXPECT_OK(aclvdecSendFrame(decoder.desc(), stream, picture, nullptr, nullptr));
  EXPECT_OK(aclvdecDestroyChannel(decoder.desc()));
  EXPECT_NEAR(luma, LumaOf(0), 4);
  acldvppSetPicDescWidth(picture, 0);
  EXPECT_OK(acldvppDestroyStreamDesc(stream));
  EXPECT_OK(acldvppDestroyPicDesc(picture));
  EXPECT_OK(acldvppFree(memory));
  EXPECT_OK(acldvppFree(out));
}

TEST(VideoDecode, TellsOfDamagedPacketsOnceEach) {
  Session session;
  std::vector<Packet> clip = MakeClip(session, 10);
  VideoReports reports(session.context());
  Decoder decoder(reports.id());
  ASSERT_OK(aclvdecCreateChannel(decoder.desc()));
  std::fill(clip[2].begin() + 6, clip[2].end(), 0x55);
  clip[8] = {1, 2, 3, 4};
  for (int i = 0; i < 10; ++i)
    ASSERT_OK(decoder.Send(clip[i], i));
  EXPECT_OK(aclvdecDestroyChannel(decoder.desc()));
  std::vector<int> seen;
  for (const Frame& frame : decoder.frames()) {
    seen.push_back(frame.number);
    if (frame.number == 2 || frame.number == 8) {
      EXPECT_EQ(frame.result, 0x10000u) << frame.number;
    } else if (frame.number < 2) {
      EXPECT_EQ(frame.result, 0u) << frame.number;
    }
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(seen, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(VideoDecode, SkippedFramesComeBackWithoutAPicture) {
  Session session;
  const std::vector<Packet> clip = MakeClip(session, 4);
  VideoReports reports(session.context());
  Decoder decoder(reports.id());
  ASSERT_OK(aclvdecCreateChannel(decoder.desc()));
  for (int i = 0; i < 4; ++i)
    ASSERT_OK(decoder.Send(clip[i], i, i % 2 == 0));
  EXPECT_OK(aclvdecDestroyChannel(decoder.desc()));
  const std::vector<Frame> frames = decoder.frames();
  ASSERT_EQ(frames.size(), 4u);
  for (const Frame& frame : frames)
    EXPECT_EQ(frame.shown, frame.number % 2 == 0 ? -1 : frame.number);
}

TEST(VideoDecode, RefusesInsideItsCallbackWhatWouldWaitForIt) {
  Session session;
  const std::vector<Packet> clip = MakeClip(session, 2);
  VideoReports reports(session.context());
  Decoder decoder(reports.id());
  std::atomic<int> destroyed{0}, ended{0};
  decoder.in_callback = [&](const Frame&) {
    destroyed = aclvdecDestroyChannel(decoder.desc());
    ended = decoder.SendEnd();
  };
  ASSERT_OK(aclvdecCreateChannel(decoder.desc()));
  ASSERT_OK(decoder.Send(clip[0], 0));
  ASSERT_OK(decoder.Send(clip[1], 1));
  EXPECT_OK(aclvdecDestroyChannel(decoder.desc()));
  EXPECT_EQ(destroyed, ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(ended, ACL_ERROR_INVALID_PARAM);
}

TEST(VideoDecode, GoesOnAfterACallbackThatThrows) {
  Session session;
  const std::vector<Packet> clip = MakeClip(session, 4);
  VideoReports reports(session.context());
  Decoder decoder(reports.id());
  decoder.in_callback = [&](const Frame& frame) {
    if (frame.number == 1) throw std::runtime_error("of the test");
  };
  ASSERT_OK(aclvdecCreateChannel(decoder.desc()));
  for (int i = 0; i < 4; ++i)
    ASSERT_OK(decoder.Send(clip[i], i));
  EXPECT_NE(decoder.SendEnd(), ACL_SUCCESS) << "whoever waits is told";
  EXPECT_EQ(decoder.frames().size(), 4u);
  EXPECT_OK(aclvdecDestroyChannel(decoder.desc()));
}

TEST(VideoDecode, HoldsUpSendersUntilCallbacksHaveMadeRoom) {
  Session session;
  const std::vector<Packet> clip = MakeClip(session, 1);
  VideoReports reports(session.context());
  Decoder decoder(reports.id());
  std::mutex mutex;
  std::condition_variable opened;
  bool open = false;
  std::atomic<int> sent{0};
  decoder.in_callback = [&](const Frame&) {
    std::unique_lock<std::mutex> lock(mutex);
    opened.wait(lock, [&] { return open; });
  };
  ASSERT_OK(aclvdecCreateChannel(decoder.desc()));
  std::thread sender([&] {
    aclrtSetCurrentContext(session.context());
    for (int i = 0; i < 150; ++i, ++sent)
      EXPECT_OK(decoder.Send(clip[0], i));
  });
  while (sent < 60)
    std::this_thread::yield();
  EXPECT_LT(sent, 150);
  {
    std::lock_guard<std::mutex> lock(mutex);
    open = true;
  }
  opened.notify_all();
  sender.join();
  EXPECT_OK(aclvdecDestroyChannel(decoder.desc()));
  EXPECT_EQ(decoder.frames().size(), 150u);
}

TEST(VideoDecode, ADescriptionThatGoesFirstTakesItsChannelAlong) {
  Session session;
  const std::vector<Packet> clip = MakeClip(session, 8);
  VideoReports reports(session.context());
  Decoder decoder(reports.id());
  ASSERT_OK(aclvdecCreateChannel(decoder.desc()));
  std::atomic<int> called{0};
  decoder.in_callback = [&](const Frame&) { ++called; };
  for (int i = 0; i < 8; ++i)
    ASSERT_OK(decoder.Send(clip[i], i));
  aclvdecChannelDesc* gone = decoder.Forget();
  EXPECT_OK(aclvdecDestroyChannelDesc(gone));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclvdecDestroyChannel(gone));
  reports.Stop();
  const int after = called;
  EXPECT_LE(after, 8);
}

TEST(VideoDecode, EndsAlsoWhenTheThreadHasEndedFirst) {
  Session session;
  const std::vector<Packet> clip = MakeClip(session, 2);
  Decoder decoder(0);
  {
    VideoReports reports(session.context());
    EXPECT_OK(aclvdecSetChannelDescThreadId(decoder.desc(), reports.id()));
    ASSERT_OK(aclvdecCreateChannel(decoder.desc()));
    ASSERT_OK(decoder.Send(clip[0], 0));
    ASSERT_OK(decoder.SendEnd());
  }
  aclvdecDestroyChannel(decoder.desc());
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclvdecDestroyChannel(decoder.desc()));  // it has ended
}

TEST(VideoDecode, ChecksWhatItIsGiven) {
  Session session;
  VideoReports reports(session.context());
  Decoder decoder(reports.id());
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, decoder.Send({0, 0, 1, 9}, 0));  // there is no channel
  const auto refused = [&](auto&& change) {
    Decoder other(reports.id());
    change(other.desc());
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclvdecCreateChannel(other.desc()));
  };
  refused([](aclvdecChannelDesc* desc) { aclvdecSetChannelDescThreadId(desc, 0); });
  refused([](aclvdecChannelDesc* desc) { aclvdecSetChannelDescCallback(desc, nullptr); });
  refused([](aclvdecChannelDesc* desc) { aclvdecSetChannelDescChannelId(desc, 256); });
  refused([](aclvdecChannelDesc* desc) {
    aclvdecSetChannelDescEnType(desc, static_cast<acldvppStreamFormat>(9));
  });
  ASSERT_OK(aclvdecCreateChannel(decoder.desc()));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclvdecCreateChannel(decoder.desc()));
  acldvppStreamDesc* empty = acldvppCreateStreamDesc();
  acldvppPicDesc* picture = acldvppCreatePicDesc();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclvdecSendFrame(decoder.desc(), empty, picture, nullptr, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclvdecSendFrame(decoder.desc(), nullptr, picture, nullptr, nullptr));
  void* memory = OnDevice({0, 0, 1, 9, 9});
  acldvppSetStreamDescData(empty, memory);
  acldvppSetStreamDescSize(empty, 5);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclvdecSendFrame(decoder.desc(), empty, picture, nullptr,
                                                         nullptr));  // the picture has no memory
  acldvppSetPicDescData(picture, memory);
  acldvppSetPicDescSize(picture, 5);
  acldvppSetPicDescWidth(picture, 64);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclvdecSendFrame(decoder.desc(), empty, picture, nullptr,
                                                         nullptr));  // a width alone is no size
  EXPECT_OK(aclvdecDestroyChannel(decoder.desc()));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclvdecDestroyChannel(decoder.desc()));
  EXPECT_OK(acldvppDestroyStreamDesc(empty));
  EXPECT_OK(acldvppDestroyPicDesc(picture));
  EXPECT_OK(acldvppFree(memory));
}

TEST(VideoDecode, KeepsWhatIsSet) {
  aclvdecChannelDesc* desc = aclvdecCreateChannelDesc();
  ASSERT_NE(desc, nullptr);
  EXPECT_EQ(aclvdecGetChannelDescOutMode(desc), 0u) << "programs abort unless it is 0";
  EXPECT_OK(aclvdecSetChannelDescOutMode(desc, 1));
  EXPECT_EQ(aclvdecGetChannelDescOutMode(desc), 1u);
  EXPECT_OK(aclvdecSetChannelDescBitDepth(desc, 1));
  EXPECT_EQ(aclvdecGetChannelDescBitDepth(desc), 1u);
  EXPECT_OK(aclvdecSetChannelDescChannelId(desc, 5));
  EXPECT_EQ(aclvdecGetChannelDescChannelId(desc), 5u);
  EXPECT_OK(aclvdecSetChannelDescOutPicWidth(desc, 640));
  EXPECT_EQ(aclvdecGetChannelDescOutPicWidth(desc), 640u);
  EXPECT_OK(aclvdecSetChannelDescOutPicHeight(desc, 480));
  EXPECT_EQ(aclvdecGetChannelDescOutPicHeight(desc), 480u);
  EXPECT_OK(aclvdecSetChannelDescRefFrameNum(desc, 4));
  EXPECT_EQ(aclvdecGetChannelDescRefFrameNum(desc), 4u);
  EXPECT_OK(aclvdecSetChannelDescThreadId(desc, 77));
  EXPECT_EQ(aclvdecGetChannelDescThreadId(desc), 77u);
  EXPECT_OK(aclvdecSetChannelDescEnType(desc, H264_HIGH_LEVEL));
  EXPECT_EQ(aclvdecGetChannelDescEnType(desc), H264_HIGH_LEVEL);
  EXPECT_OK(aclvdecSetChannelDescOutPicFormat(desc, PIXEL_FORMAT_BGR_888));
  EXPECT_EQ(aclvdecGetChannelDescOutPicFormat(desc), PIXEL_FORMAT_BGR_888);
  EXPECT_EQ(aclvdecGetChannelDescCallback(desc), nullptr);
  uint64_t thread = 0;
  size_t written = 0;
  EXPECT_OK(aclvdecGetChannelDescParam(desc, ACL_VDEC_THREAD_ID_UINT64, sizeof thread, &written, &thread));
  EXPECT_EQ(thread, 77u);
  thread = 78;
  EXPECT_OK(aclvdecSetChannelDescParam(desc, ACL_VDEC_THREAD_ID_UINT64, sizeof thread, &thread));
  EXPECT_EQ(aclvdecGetChannelDescThreadId(desc), 78u);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclvdecSetChannelDescParam(desc, ACL_VDEC_THREAD_ID_UINT64, 4, &thread));
  EXPECT_OK(aclvdecDestroyChannelDesc(desc));
  aclvdecFrameConfig* config = aclvdecCreateFrameConfig();
  EXPECT_OK(aclvdecDestroyFrameConfig(config));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclvdecDestroyFrameConfig(config));
}

}  // namespace
