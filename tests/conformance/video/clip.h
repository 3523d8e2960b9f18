// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Pictures that can be told apart after coding, a report thread, and clips made by the library's own encoder.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "acl/ops/acl_dvpp.h"
#include "conformance/device_fixture.h"
#include "video/packets.h"

namespace video_test {

constexpr uint32_t kWidth = 128, kHeight = 96;
constexpr uint32_t kPictureBytes = kWidth * kHeight * 3 / 2;

// How many channels a test of many makes: make media-check sets it.
inline int MediaChannels(int usual) {
  const char* const wanted = std::getenv("FOOTHOLD_MEDIA_CHANNELS");
  return wanted == nullptr ? usual : std::atoi(wanted);
}

// Luma says which picture it is, also after coding.
inline int LumaOf(int number) {
  return 40 + 12 * (number % 16);
}
inline int NumberOf(const uint8_t* picture) {
  return (picture[kWidth * 8 + 8] - 40 + 6) / 12;
}
inline std::vector<uint8_t> Draw(int number) {
  std::vector<uint8_t> picture(kPictureBytes, 128);
  std::fill_n(picture.begin(), kWidth * kHeight, static_cast<uint8_t>(LumaOf(number)));
  return picture;
}

// Runs aclrtProcessReport from before the channel exists until it is told to stop.
class VideoReports {
 public:
  explicit VideoReports(aclrtContext context) : thread_([this, context] { Run(context); }) {}
  ~VideoReports() { Stop(); }
  uint64_t id() { return static_cast<uint64_t>(thread_.native_handle()); }
  void Stop() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
  }

 private:
  void Run(aclrtContext context) {
    aclrtSetCurrentContext(context);
    while (!stop_)
      aclrtProcessReport(50);
  }

  std::atomic<bool> stop_{false};
  std::thread thread_;
};

// Memory of the device with these bytes.
inline void* OnDevice(const std::vector<uint8_t>& bytes) {
  void* memory = nullptr;
  EXPECT_OK(acldvppMalloc(&memory, bytes.size()));
  EXPECT_OK(aclrtMemcpy(memory, bytes.size(), bytes.data(), bytes.size(), ACL_MEMCPY_HOST_TO_DEVICE));
  return memory;
}
inline std::vector<uint8_t> OnHost(const void* memory, size_t bytes) {
  std::vector<uint8_t> copy(bytes);
  EXPECT_OK(aclrtMemcpy(copy.data(), bytes, memory, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
  return copy;
}

inline acldvppPicDesc* PictureDesc(void* data, uint32_t size, uint32_t width = 0, uint32_t height = 0) {
  acldvppPicDesc* desc = acldvppCreatePicDesc();
  EXPECT_OK(acldvppSetPicDescData(desc, data));
  EXPECT_OK(acldvppSetPicDescSize(desc, size));
  EXPECT_OK(acldvppSetPicDescFormat(desc, PIXEL_FORMAT_YUV_SEMIPLANAR_420));
  if (width == 0) return desc;
  EXPECT_OK(acldvppSetPicDescWidth(desc, width));
  EXPECT_OK(acldvppSetPicDescHeight(desc, height));
  EXPECT_OK(acldvppSetPicDescWidthStride(desc, width));
  EXPECT_OK(acldvppSetPicDescHeightStride(desc, height));
  return desc;
}

// An encoding channel of the common size whose packets go to a function.
class Encoder {
 public:
  using Sink = std::function<void(const Packet&, uint32_t result, void* user_data)>;

  Encoder(uint64_t thread, Sink sink, acldvppStreamFormat format = H264_MAIN_LEVEL, uint32_t interval = 8)
      : sink_(std::move(sink)), desc_(aclvencCreateChannelDesc()) {
    EXPECT_OK(aclvencSetChannelDescThreadId(desc_, thread));
    EXPECT_OK(aclvencSetChannelDescCallback(desc_, &Encoder::Callback));
    EXPECT_OK(aclvencSetChannelDescEnType(desc_, format));
    EXPECT_OK(aclvencSetChannelDescPicFormat(desc_, PIXEL_FORMAT_YUV_SEMIPLANAR_420));
    EXPECT_OK(aclvencSetChannelDescPicWidth(desc_, kWidth));
    EXPECT_OK(aclvencSetChannelDescPicHeight(desc_, kHeight));
    EXPECT_OK(aclvencSetChannelDescKeyFrameInterval(desc_, interval));
  }
  ~Encoder() { EXPECT_OK(aclvencDestroyChannelDesc(desc_)); }
  aclvencChannelDesc* desc() { return desc_; }

  // The picture's memory is freed as soon as it was sent.
  void Send(int number, aclvencFrameConfig* config = nullptr) {
    void* memory = OnDevice(Draw(number));
    acldvppPicDesc* picture = PictureDesc(memory, kPictureBytes, kWidth, kHeight);
    EXPECT_OK(aclvencSendFrame(desc_, picture, nullptr, config, this));
    EXPECT_OK(acldvppFree(memory));
    EXPECT_OK(acldvppDestroyPicDesc(picture));
  }

 private:
  static void Callback(acldvppPicDesc*, acldvppStreamDesc* output, void* user_data) {
    auto* encoder = static_cast<Encoder*>(user_data);
    const uint32_t result = acldvppGetStreamDescRetCode(output);
    const uint32_t bytes = acldvppGetStreamDescSize(output);
    encoder->sink_(result == 0 ? OnHost(acldvppGetStreamDescData(output), bytes) : Packet(), result,
                   user_data);
  }

  Sink sink_;
  aclvencChannelDesc* desc_;
};

inline std::vector<Packet> MakeClip(Session& session, int pictures,
                                    acldvppStreamFormat format = H264_MAIN_LEVEL) {
  VideoReports reports(session.context());
  std::vector<Packet> packets;
  Encoder encoder(
      reports.id(), [&](const Packet& packet, uint32_t, void*) { packets.push_back(packet); }, format);
  EXPECT_OK(aclvencCreateChannel(encoder.desc()));
  for (int i = 0; i < pictures; ++i)
    encoder.Send(i);
  EXPECT_OK(aclvencDestroyChannel(encoder.desc()));
  return packets;
}

}  // namespace video_test
