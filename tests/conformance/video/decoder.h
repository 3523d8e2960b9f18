// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A decoding channel of the first interface, whose frames are kept.
#pragma once

#include <functional>
#include <list>
#include <mutex>
#include <utility>

#include "conformance/video/clip.h"

namespace video_test {

// What a callback was given, and what was in the picture.
struct Frame {
  int number;  // the one it was sent with
  uint32_t result;
  int shown;  // which picture it is; -1 without one
  uint64_t thread;
};

class Decoder {
 public:
  explicit Decoder(uint64_t thread, acldvppStreamFormat format = H264_MAIN_LEVEL)
      : desc_(aclvdecCreateChannelDesc()) {
    EXPECT_OK(aclvdecSetChannelDescChannelId(desc_, 3));
    EXPECT_OK(aclvdecSetChannelDescThreadId(desc_, thread));
    EXPECT_OK(aclvdecSetChannelDescCallback(desc_, &Decoder::Callback));
    EXPECT_OK(aclvdecSetChannelDescEnType(desc_, format));
    EXPECT_OK(aclvdecSetChannelDescOutPicFormat(desc_, PIXEL_FORMAT_YUV_SEMIPLANAR_420));
  }
  ~Decoder() {
    if (desc_ != nullptr) {
      EXPECT_OK(aclvdecDestroyChannelDesc(desc_));
    }
  }
  aclvdecChannelDesc* desc() { return desc_; }
  aclvdecChannelDesc* Forget() { return std::exchange(desc_, nullptr); }

  // The packet's memory is overwritten as soon as it was sent.
  aclError Send(const Packet& packet, int number, bool skipped = false) {
    void* memory = OnDevice(packet);
    acldvppStreamDesc* stream = acldvppCreateStreamDesc();
    acldvppSetStreamDescData(stream, memory);
    acldvppSetStreamDescSize(stream, static_cast<uint32_t>(packet.size()));
    void* out = nullptr;
    acldvppMalloc(&out, kPictureBytes);
    acldvppPicDesc* picture = skipped ? nullptr : PictureDesc(out, kPictureBytes);
    Sent* const sent = Keep({this, number, out});
    const aclError code = skipped ? aclvdecSendSkippedFrame(desc_, stream, nullptr, sent)
                                  : aclvdecSendFrame(desc_, stream, picture, nullptr, sent);
    EXPECT_OK(aclrtMemset(memory, packet.size(), 0xEE, packet.size()));
    EXPECT_OK(acldvppFree(memory));
    if (code != ACL_SUCCESS) {
      acldvppDestroyStreamDesc(stream);
      if (picture != nullptr) acldvppDestroyPicDesc(picture);
      acldvppFree(out);
    }
    return code;
  }
  aclError SendEnd() {
    acldvppStreamDesc* end = acldvppCreateStreamDesc();
    acldvppSetStreamDescEos(end, 1);
    const aclError code = aclvdecSendFrame(desc_, end, nullptr, nullptr, nullptr);
    EXPECT_OK(acldvppDestroyStreamDesc(end));
    return code;
  }
  std::vector<Frame> frames() {
    std::lock_guard<std::mutex> lock(mutex_);
    return frames_;
  }
  std::function<void(const Frame&)> in_callback;

 private:
  struct Sent {
    Decoder* decoder;
    int number;
    void* out;
  };

  // A channel may end without calling back.
  Sent* Keep(const Sent& sent) {
    std::lock_guard<std::mutex> lock(mutex_);
    return &sent_.emplace_back(sent);
  }

  static void Callback(acldvppStreamDesc* input, acldvppPicDesc* output, void* user_data) {
    const auto* sent = static_cast<Sent*>(user_data);
    Frame frame{sent->number, 0, -1, static_cast<uint64_t>(pthread_self())};
    if (output != nullptr) {
      frame.result = acldvppGetPicDescRetCode(output);
      if (frame.result == 0) {
        EXPECT_EQ(acldvppGetPicDescWidth(output), kWidth);
        EXPECT_EQ(acldvppGetPicDescHeightStride(output), kHeight);
        EXPECT_EQ(acldvppGetPicDescSize(output), kPictureBytes);
        frame.shown = NumberOf(OnHost(acldvppGetPicDescData(output), kPictureBytes).data());
      }
      EXPECT_OK(acldvppDestroyPicDesc(output));
    }
    EXPECT_OK(acldvppFree(sent->out));
    EXPECT_OK(acldvppDestroyStreamDesc(input));
    {
      std::lock_guard<std::mutex> lock(sent->decoder->mutex_);
      sent->decoder->frames_.push_back(frame);
    }
    if (sent->decoder->in_callback) sent->decoder->in_callback(frame);
  }

  aclvdecChannelDesc* desc_;
  std::mutex mutex_;
  std::vector<Frame> frames_;
  std::list<Sent> sent_;
};

}  // namespace video_test
