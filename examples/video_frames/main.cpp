// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A video is decoded, each frame is looked at and marked, and encoded again as H.264.
//   video_frames RESULT.h264
#include <acl/acl.h>
#include <acl/ops/acl_dvpp.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <thread>
#include <vector>

#define CHECK(call)                                                                           \
  do {                                                                                        \
    aclError code = (call);                                                                   \
    if (code != ACL_SUCCESS) {                                                                \
      const char* text = aclGetRecentErrMsg();                                                \
      std::printf("%s returned %d\n%s\n", #call, code, text != nullptr ? text : "(no text)"); \
      std::exit(1);                                                                           \
    }                                                                                         \
  } while (false)

namespace {

typedef std::vector<uint8_t> Bytes;
const uint32_t kWidth = 320, kHeight = 192, kFrames = 20, kSide = 32;
const uint32_t kBytes = kWidth * kHeight * 3 / 2;

// A bright square on grey, further to the right in each frame.
Bytes Draw(uint32_t time) {
  Bytes picture(kBytes, 128);
  for (uint32_t y = 0; y < kHeight; ++y) {
    for (uint32_t x = 0; x < kWidth; ++x) {
      const bool inside = x >= time * 12 && x < time * 12 + kSide && y >= 80 && y < 80 + kSide;
      picture[y * kWidth + x] = inside ? 230 : 60;
    }
  }
  return picture;
}

uint32_t FindSquare(const Bytes& picture) {
  const uint8_t* row = picture.data() + 96 * kWidth;
  uint32_t x = 0;
  while (x < kWidth && row[x] < 145)
    ++x;
  return x;
}

void MarkColumn(Bytes& picture, uint32_t x) {
  for (uint32_t y = 0; y < kHeight; ++y)
    picture[y * kWidth + (x < kWidth ? x : kWidth - 1)] = 16;
}

Bytes FromDevice(const void* memory, size_t size) {
  Bytes bytes(size);
  CHECK(aclrtMemcpy(bytes.data(), size, memory, size, ACL_MEMCPY_DEVICE_TO_HOST));
  return bytes;
}

void* ToDevice(const Bytes& bytes) {
  void* memory = nullptr;
  CHECK(acldvppMalloc(&memory, bytes.size()));
  CHECK(aclrtMemcpy(memory, bytes.size(), bytes.data(), bytes.size(), ACL_MEMCPY_HOST_TO_DEVICE));
  return memory;
}

acldvppPicDesc* Describe(void* memory) {
  acldvppPicDesc* picture = acldvppCreatePicDesc();
  CHECK(acldvppSetPicDescData(picture, memory));
  CHECK(acldvppSetPicDescSize(picture, kBytes));
  CHECK(acldvppSetPicDescFormat(picture, PIXEL_FORMAT_YUV_SEMIPLANAR_420));
  CHECK(acldvppSetPicDescWidth(picture, kWidth));
  CHECK(acldvppSetPicDescHeight(picture, kHeight));
  CHECK(acldvppSetPicDescWidthStride(picture, kWidth));
  CHECK(acldvppSetPicDescHeightStride(picture, kHeight));
  return picture;
}

// Packets are only there as long as the callback runs.
void OnPacket(acldvppPicDesc*, acldvppStreamDesc* output, void* packets) {
  static_cast<std::vector<Bytes>*>(packets)->push_back(
      FromDevice(acldvppGetStreamDescData(output), acldvppGetStreamDescSize(output)));
}

std::vector<Bytes> Encode(const std::vector<Bytes>& pictures, uint64_t thread) {
  aclvencChannelDesc* channel = aclvencCreateChannelDesc();
  CHECK(aclvencSetChannelDescThreadId(channel, thread));
  CHECK(aclvencSetChannelDescCallback(channel, &OnPacket));
  CHECK(aclvencSetChannelDescEnType(channel, H264_MAIN_LEVEL));
  CHECK(aclvencSetChannelDescPicFormat(channel, PIXEL_FORMAT_YUV_SEMIPLANAR_420));
  CHECK(aclvencSetChannelDescPicWidth(channel, kWidth));
  CHECK(aclvencSetChannelDescPicHeight(channel, kHeight));
  CHECK(aclvencSetChannelDescKeyFrameInterval(channel, 10));
  CHECK(aclvencCreateChannel(channel));
  std::vector<Bytes> packets;
  for (size_t i = 0; i < pictures.size(); ++i) {
    void* memory = ToDevice(pictures[i]);
    acldvppPicDesc* picture = Describe(memory);
    CHECK(aclvencSendFrame(channel, picture, nullptr, nullptr, &packets));
    CHECK(acldvppDestroyPicDesc(picture));
    CHECK(acldvppFree(memory));
  }
  CHECK(aclvencDestroyChannel(channel));  // waits for all callbacks
  CHECK(aclvencDestroyChannelDesc(channel));
  return packets;
}

void OnPicture(acldvppStreamDesc* input, acldvppPicDesc* output, void* pictures) {
  if (acldvppGetPicDescRetCode(output) != 0) {
    std::printf("a frame could not be decoded\n");
    std::exit(1);
  }
  void* memory = acldvppGetPicDescData(output);
  Bytes picture = FromDevice(memory, kBytes);
  const uint32_t x = FindSquare(picture);
  std::printf("frame %2u: the square is at %u\n",
              static_cast<unsigned>(static_cast<std::vector<Bytes>*>(pictures)->size()), x);
  MarkColumn(picture, x);
  static_cast<std::vector<Bytes>*>(pictures)->push_back(picture);
  CHECK(acldvppFree(memory));
  CHECK(acldvppDestroyPicDesc(output));
  CHECK(acldvppDestroyStreamDesc(input));
}

std::vector<Bytes> Decode(const std::vector<Bytes>& packets, uint64_t thread) {
  aclvdecChannelDesc* channel = aclvdecCreateChannelDesc();
  CHECK(aclvdecSetChannelDescChannelId(channel, 0));
  CHECK(aclvdecSetChannelDescThreadId(channel, thread));
  CHECK(aclvdecSetChannelDescCallback(channel, &OnPicture));
  CHECK(aclvdecSetChannelDescEnType(channel, H264_MAIN_LEVEL));
  CHECK(aclvdecSetChannelDescOutPicFormat(channel, PIXEL_FORMAT_YUV_SEMIPLANAR_420));
  CHECK(aclvdecCreateChannel(channel));
  std::vector<Bytes> pictures;
  for (size_t i = 0; i < packets.size(); ++i) {
    void* memory = ToDevice(packets[i]);
    acldvppStreamDesc* stream = acldvppCreateStreamDesc();
    CHECK(acldvppSetStreamDescData(stream, memory));
    CHECK(acldvppSetStreamDescSize(stream, static_cast<uint32_t>(packets[i].size())));
    void* out = nullptr;
    CHECK(acldvppMalloc(&out, kBytes));
    CHECK(aclvdecSendFrame(channel, stream, Describe(out), nullptr, &pictures));
    CHECK(acldvppFree(memory));  // the packet was copied
  }
  CHECK(aclvdecDestroyChannel(channel));
  CHECK(aclvdecDestroyChannelDesc(channel));
  return pictures;
}

}  // namespace

int main(int argc, char** argv) {
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  aclrtContext context = nullptr;
  CHECK(aclrtGetCurrentContext(&context));
  std::atomic<bool> stop(false);
  std::thread reports([&] {
    CHECK(aclrtSetCurrentContext(context));
    while (!stop)
      aclrtProcessReport(100);
  });
  const uint64_t thread = static_cast<uint64_t>(reports.native_handle());

  std::vector<Bytes> drawn;
  for (uint32_t i = 0; i < kFrames; ++i)
    drawn.push_back(Draw(i));
  const std::vector<Bytes> marked = Decode(Encode(drawn, thread), thread);
  const std::vector<Bytes> packets = Encode(marked, thread);

  std::ofstream file(argc > 1 ? argv[1] : "video_frames.h264", std::ios::binary);
  for (size_t i = 0; i < packets.size(); ++i)
    file.write(reinterpret_cast<const char*>(packets[i].data()),
               static_cast<std::streamsize>(packets[i].size()));
  std::printf("%u frames decoded, marked and encoded again\n", static_cast<unsigned>(packets.size()));
  stop = true;
  reports.join();
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
  return marked.size() == kFrames && packets.size() == kFrames ? 0 : 1;
}
