// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The published samples of video: a file of H.265 is decoded, its callback frees everything it is given, and
// each picture is encoded again as H.264. The report thread starts before there is a channel; the description
// of a packet is destroyed before its callback has run; one input buffer is used for all packets; no end of
// the stream is sent, for destroying the channel waits for the rest.
#include <pthread.h>

#include <atomic>
#include <cstring>
#include <vector>

#include "acl/acl.h"
#include "acl/ops/acl_dvpp.h"
#include "clients/check.h"
#include "video/packets.h"

namespace {

constexpr uint32_t kWidth = 176, kHeight = 144;
constexpr uint32_t kBytes = kWidth * kHeight * 3 / 2;

aclrtContext context = nullptr;
std::atomic<bool> running{true};
std::atomic<int> decoded{0}, encoded{0};
aclvencChannelDesc* encoder = nullptr;
std::vector<uint8_t> written;

void* ReportLoop(void*) {
  REQUIRE(aclrtSetCurrentContext(context) == ACL_SUCCESS);
  while (running)
    aclrtProcessReport(100);  // whatever it answers
  return nullptr;
}

void OnPacket(acldvppPicDesc* input, acldvppStreamDesc* output, void*) {
  REQUIRE(input != nullptr);
  REQUIRE(acldvppGetStreamDescRetCode(output) == 0);
  const uint32_t size = acldvppGetStreamDescSize(output);
  const size_t before = written.size();
  written.resize(before + size);
  REQUIRE(aclrtMemcpy(written.data() + before, size, acldvppGetStreamDescData(output), size,
                      ACL_MEMCPY_DEVICE_TO_HOST) == ACL_SUCCESS);
  ++encoded;
}

void OnPicture(acldvppStreamDesc* input, acldvppPicDesc* output, void* user_data) {
  REQUIRE(acldvppGetPicDescRetCode(output) == 0);
  REQUIRE(acldvppGetPicDescWidthStride(output) * acldvppGetPicDescHeightStride(output) * 3 / 2 ==
          acldvppGetPicDescSize(output));
  REQUIRE(aclvencSendFrame(encoder, output, nullptr, static_cast<aclvencFrameConfig*>(user_data), nullptr) ==
          ACL_SUCCESS);
  void* data = acldvppGetPicDescData(output);
  REQUIRE(acldvppFree(data) == ACL_SUCCESS);
  REQUIRE(acldvppDestroyPicDesc(output) == ACL_SUCCESS);
  (void)input;  // was destroyed by the sender
  ++decoded;
}

void MakeEncoder(pthread_t thread) {
  encoder = aclvencCreateChannelDesc();
  REQUIRE(encoder != nullptr);
  REQUIRE(aclvencSetChannelDescThreadId(encoder, thread) == ACL_SUCCESS);
  REQUIRE(aclvencSetChannelDescCallback(encoder, &OnPacket) == ACL_SUCCESS);
  REQUIRE(aclvencSetChannelDescEnType(encoder, H264_MAIN_LEVEL) == ACL_SUCCESS);
  REQUIRE(aclvencSetChannelDescPicFormat(encoder, PIXEL_FORMAT_YUV_SEMIPLANAR_420) == ACL_SUCCESS);
  REQUIRE(aclvencSetChannelDescPicWidth(encoder, kWidth) == ACL_SUCCESS);
  REQUIRE(aclvencSetChannelDescPicHeight(encoder, kHeight) == ACL_SUCCESS);
  REQUIRE(aclvencSetChannelDescKeyFrameInterval(encoder, 16) == ACL_SUCCESS);
  REQUIRE(aclvencCreateChannel(encoder) == ACL_SUCCESS);
}

aclvdecChannelDesc* MakeDecoder(pthread_t thread) {
  aclvdecChannelDesc* decoder = aclvdecCreateChannelDesc();
  REQUIRE(decoder != nullptr);
  REQUIRE(aclvdecGetChannelDescOutMode(decoder) == 0);
  REQUIRE(aclvdecSetChannelDescChannelId(decoder, 10) == ACL_SUCCESS);
  REQUIRE(aclvdecSetChannelDescThreadId(decoder, thread) == ACL_SUCCESS);
  REQUIRE(aclvdecSetChannelDescCallback(decoder, &OnPicture) == ACL_SUCCESS);
  REQUIRE(aclvdecSetChannelDescEnType(decoder, H265_MAIN_LEVEL) == ACL_SUCCESS);
  REQUIRE(aclvdecSetChannelDescOutPicFormat(decoder, PIXEL_FORMAT_YUV_SEMIPLANAR_420) == ACL_SUCCESS);
  REQUIRE(aclvdecCreateChannel(decoder) == ACL_SUCCESS);
  return decoder;
}

void SendAll(aclvdecChannelDesc* decoder, const std::vector<video_test::Packet>& packets) {
  constexpr size_t kRoom = 1 << 16;
  void* buffer = nullptr;
  REQUIRE(acldvppMalloc(&buffer, kRoom) == ACL_SUCCESS);
  for (const video_test::Packet& packet : packets) {
    REQUIRE(aclrtMemcpy(buffer, kRoom, packet.data(), packet.size(), ACL_MEMCPY_HOST_TO_DEVICE) ==
            ACL_SUCCESS);
    acldvppStreamDesc* stream = acldvppCreateStreamDesc();
    REQUIRE(acldvppSetStreamDescData(stream, buffer) == ACL_SUCCESS);
    REQUIRE(acldvppSetStreamDescSize(stream, static_cast<uint32_t>(packet.size())) == ACL_SUCCESS);
    void* out = nullptr;
    REQUIRE(acldvppMalloc(&out, kBytes) == ACL_SUCCESS);
    acldvppPicDesc* picture = acldvppCreatePicDesc();
    REQUIRE(acldvppSetPicDescData(picture, out) == ACL_SUCCESS);
    REQUIRE(acldvppSetPicDescSize(picture, kBytes) == ACL_SUCCESS);
    REQUIRE(acldvppSetPicDescFormat(picture, PIXEL_FORMAT_YUV_SEMIPLANAR_420) == ACL_SUCCESS);
    REQUIRE(aclvdecSendFrame(decoder, stream, picture, nullptr, nullptr) == ACL_SUCCESS);
    REQUIRE(acldvppDestroyStreamDesc(stream) == ACL_SUCCESS);
  }
  REQUIRE(acldvppFree(buffer) == ACL_SUCCESS);
}

}  // namespace

int main(int argc, char** argv) {
  REQUIRE(argc == 2);
  const std::vector<video_test::Packet> packets = video_test::PacketsOf(video_test::ReadFile(argv[1]), true);
  REQUIRE(packets.size() == 24);
  REQUIRE(aclInit(nullptr) == ACL_SUCCESS);
  REQUIRE(aclrtSetDevice(0) == ACL_SUCCESS);
  REQUIRE(aclrtCreateContext(&context, 0) == ACL_SUCCESS);
  pthread_t thread;
  REQUIRE(pthread_create(&thread, nullptr, &ReportLoop, nullptr) == 0);
  MakeEncoder(thread);
  aclvdecChannelDesc* decoder = MakeDecoder(thread);
  SendAll(decoder, packets);
  REQUIRE(aclvdecDestroyChannel(decoder) == ACL_SUCCESS);
  REQUIRE(decoded == 24);
  REQUIRE(aclvdecDestroyChannelDesc(decoder) == ACL_SUCCESS);
  aclvencFrameConfig* end = aclvencCreateFrameConfig();
  REQUIRE(aclvencSetFrameConfigEos(end, 1) == ACL_SUCCESS);
  REQUIRE(aclvencSendFrame(encoder, nullptr, nullptr, end, nullptr) == ACL_SUCCESS);
  REQUIRE(encoded == 24);
  REQUIRE(video_test::PacketsOf(written, false).size() == 24);
  REQUIRE(aclvencDestroyFrameConfig(end) == ACL_SUCCESS);
  REQUIRE(aclvencDestroyChannel(encoder) == ACL_SUCCESS);
  REQUIRE(aclvencDestroyChannelDesc(encoder) == ACL_SUCCESS);
  running = false;
  REQUIRE(pthread_join(thread, nullptr) == 0);
  REQUIRE(aclrtDestroyContext(context) == ACL_SUCCESS);
  REQUIRE(aclrtResetDevice(0) == ACL_SUCCESS);
  REQUIRE(aclFinalize() == ACL_SUCCESS);
  return 0;
}
