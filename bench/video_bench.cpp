// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// H.264 of 1080p decoded by a channel beside openh264 itself, whose planes are put into the same form by a
// plain loop, and beside openh264 with its planes left where they are. By turns. video_bench [results.md
// [rounds]]
#include <fmt/format.h>
#include <wels/codec_api.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "acl/ops/acl_dvpp.h"
#include "candidate.h"
#include "report.h"

namespace bench {
namespace {

constexpr int kWidth = 1920, kHeight = 1080, kFrames = 48;
constexpr std::size_t kBytes = std::size_t{kWidth} * kHeight * 3 / 2;
using Packet = std::vector<std::uint8_t>;

void Require(bool holds, const char* what) {
  if (holds) return;
  const char* text = aclGetRecentErrMsg();
  std::fprintf(stderr, "video_bench: %s failed: %s\n", what, text == nullptr ? "" : text);
  std::exit(1);
}
#define REQUIRE(call) Require((call) == 0, #call)

// Slopes that move, and noise.
void Draw(std::vector<std::uint8_t>& picture, int time) {
  std::uint32_t noise = 1;
  for (std::size_t i = 0; i < picture.size(); ++i) {
    noise = noise * 1664525 + 1013904223;
    const std::size_t x = (i + 7 * static_cast<std::size_t>(time)) % kWidth, y = i / kWidth;
    picture[i] = static_cast<std::uint8_t>(40 + x / 12 + y / 20 + (noise >> 29));
  }
}

std::vector<Packet> Encode() {
  ISVCEncoder* encoder = nullptr;
  REQUIRE(WelsCreateSVCEncoder(&encoder));
  int quiet = WELS_LOG_QUIET;
  encoder->SetOption(ENCODER_OPTION_TRACE_LEVEL, &quiet);
  SEncParamExt settings{};
  REQUIRE(encoder->GetDefaultParams(&settings));
  settings.iPicWidth = settings.sSpatialLayers[0].iVideoWidth = kWidth;
  settings.iPicHeight = settings.sSpatialLayers[0].iVideoHeight = kHeight;
  settings.fMaxFrameRate = settings.sSpatialLayers[0].fFrameRate = 30;
  settings.iTargetBitrate = settings.sSpatialLayers[0].iSpatialBitrate = 8'000'000;
  settings.iRCMode = RC_QUALITY_MODE;
  settings.bEnableFrameSkip = false;
  REQUIRE(encoder->InitializeExt(&settings));
  std::vector<std::uint8_t> picture(kBytes);
  std::vector<Packet> packets;
  for (int i = 0; i < kFrames; ++i) {
    Draw(picture, i);
    SSourcePicture source{};
    source.iColorFormat = videoFormatI420;
    source.iPicWidth = source.iStride[0] = kWidth;
    source.iPicHeight = kHeight;
    source.iStride[1] = source.iStride[2] = kWidth / 2;
    source.pData[0] = picture.data();
    source.pData[1] = source.pData[0] + kWidth * kHeight;
    source.pData[2] = source.pData[1] + kWidth * kHeight / 4;
    SFrameBSInfo info{};
    REQUIRE(encoder->EncodeFrame(&source, &info));
    Packet packet;
    for (int layer = 0; layer < info.iLayerNum; ++layer) {
      std::size_t bytes = 0;
      for (int unit = 0; unit < info.sLayerInfo[layer].iNalCount; ++unit)
        bytes += static_cast<std::size_t>(info.sLayerInfo[layer].pNalLengthInByte[unit]);
      packet.insert(packet.end(), info.sLayerInfo[layer].pBsBuf, info.sLayerInfo[layer].pBsBuf + bytes);
    }
    packets.push_back(packet);
  }
  encoder->Uninitialize();
  WelsDestroySVCEncoder(encoder);
  return packets;
}

void PutTogether(unsigned char** planes, const SSysMEMBuffer& memory, std::uint8_t* out) {
  for (int y = 0; y < kHeight; ++y)
    std::memcpy(out + std::size_t{kWidth} * y, planes[0] + y * memory.iStride[0], kWidth);
  std::uint8_t* chroma = out + std::size_t{kWidth} * kHeight;
  for (int y = 0; y < kHeight / 2; ++y) {
    const unsigned char *u = planes[1] + y * memory.iStride[1], *v = planes[2] + y * memory.iStride[1];
    for (int x = 0; x < kWidth / 2; ++x, chroma += 2) {
      chroma[0] = u[x];
      chroma[1] = v[x];
    }
  }
}

void DecodeAlone(const std::vector<Packet>& packets, bool together, std::vector<std::uint8_t>& out) {
  ISVCDecoder* decoder = nullptr;
  REQUIRE(static_cast<int>(WelsCreateDecoder(&decoder)));
  SDecodingParam settings{};
  settings.sVideoProperty.eVideoBsType = VIDEO_BITSTREAM_AVC;
  REQUIRE(static_cast<int>(decoder->Initialize(&settings)));
  for (const Packet& packet : packets) {
    unsigned char* planes[3] = {};
    SBufferInfo info{};
    decoder->DecodeFrameNoDelay(packet.data(), static_cast<int>(packet.size()), planes, &info);
    if (info.iBufferStatus == 1 && together) PutTogether(planes, info.UsrData.sSystemBuffer, out.data());
  }
  decoder->Uninitialize();
  WelsDestroyDecoder(decoder);
}

// Packets and pictures in memory of the device, as programs have them.
class Channel {
 public:
  explicit Channel(const std::vector<Packet>& packets) {
    REQUIRE(aclrtGetCurrentContext(&context_));
    thread_ = std::thread([this] {
      aclrtSetCurrentContext(context_);
      while (!stop_)
        aclrtProcessReport(100);
    });
    for (const Packet& packet : packets) {
      void* memory = nullptr;
      REQUIRE(acldvppMalloc(&memory, packet.size()));
      REQUIRE(aclrtMemcpy(memory, packet.size(), packet.data(), packet.size(), ACL_MEMCPY_HOST_TO_DEVICE));
      acldvppStreamDesc* stream = acldvppCreateStreamDesc();
      REQUIRE(acldvppSetStreamDescData(stream, memory));
      REQUIRE(acldvppSetStreamDescSize(stream, static_cast<std::uint32_t>(packet.size())));
      streams_.push_back(stream);
    }
    void* memory = nullptr;
    REQUIRE(acldvppMalloc(&memory, kBytes));
    picture_ = acldvppCreatePicDesc();
    REQUIRE(acldvppSetPicDescData(picture_, memory));
    REQUIRE(acldvppSetPicDescSize(picture_, kBytes));
    REQUIRE(acldvppSetPicDescFormat(picture_, PIXEL_FORMAT_YUV_SEMIPLANAR_420));
    REQUIRE(acldvppSetPicDescWidth(picture_, kWidth));
    REQUIRE(acldvppSetPicDescHeight(picture_, kHeight));
    REQUIRE(acldvppSetPicDescWidthStride(picture_, kWidth));
    REQUIRE(acldvppSetPicDescHeightStride(picture_, kHeight));
  }
  ~Channel() {
    stop_ = true;
    thread_.join();
  }

  void Decode() {
    aclvdecChannelDesc* desc = aclvdecCreateChannelDesc();
    REQUIRE(aclvdecSetChannelDescThreadId(desc, static_cast<std::uint64_t>(thread_.native_handle())));
    REQUIRE(aclvdecSetChannelDescEnType(desc, H264_MAIN_LEVEL));
    REQUIRE(aclvdecSetChannelDescCallback(desc, [](acldvppStreamDesc*, acldvppPicDesc* output, void*) {
      Require(acldvppGetPicDescRetCode(output) == 0, "decoding a picture");
    }));
    REQUIRE(aclvdecCreateChannel(desc));
    for (acldvppStreamDesc* stream : streams_)
      REQUIRE(aclvdecSendFrame(desc, stream, picture_, nullptr, nullptr));
    REQUIRE(aclvdecDestroyChannel(desc));
    REQUIRE(aclvdecDestroyChannelDesc(desc));
  }

 private:
  aclrtContext context_ = nullptr;
  std::atomic<bool> stop_{false};
  std::thread thread_;
  std::vector<acldvppStreamDesc*> streams_;
  acldvppPicDesc* picture_ = nullptr;
};

void Run(Report& report, int rounds) {
  const std::vector<Packet> packets = Encode();
  std::vector<std::uint8_t> out(kBytes);
  Channel channel(packets);
  std::vector<double> ours, copied, bare;
  for (int round = 0; round < rounds; ++round) {
    ours.push_back(BestInARow([&] { channel.Decode(); }));
    copied.push_back(BestInARow([&] { DecodeAlone(packets, true, out); }));
    bare.push_back(BestInARow([&] { DecodeAlone(packets, false, out); }));
  }
  const auto middle = [](const std::vector<double>& seconds) {
    return fmt::format("{:.2f}", Percentile(seconds, 0.5) / kFrames * 1e3);
  };
  const auto ratio = [&](const std::vector<double>& peer, double fraction) {
    return fmt::format("{:.2f}", Percentile(peer, fraction) / Percentile(ours, fraction));
  };
  report.Section(
      "H.264 decoded",
      fmt::format("{} pictures of {} x {} in H.264, decoded to NV12: milliseconds for one, middle of {} "
                  "rounds; speeds by best rounds and by medians.",
                  kFrames, kWidth, kHeight, rounds));
  report.Table(
      {"", "ms", "Foothold's speed beside it", "by medians", "floor"},
      {{"Foothold, aclvdec", middle(ours), "", "", ""},
       {"openh264, planes put together", middle(copied), ratio(copied, 0), ratio(copied, 0.5), "0.95"},
       {"openh264, planes left alone", middle(bare), ratio(bare, 0), ratio(bare, 0.5), ""}});
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  using namespace bench;
  REQUIRE(aclInit(nullptr));
  REQUIRE(aclrtSetDevice(0));
  Report report("Media: video");
  Run(report, argc > 2 ? std::atoi(argv[2]) : 5);
  report.Write(argc > 1 ? argv[1] : "bench/results.md");
  std::_Exit(0);  // memory of the device goes with the process
}
