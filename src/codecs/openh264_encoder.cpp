// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <wels/codec_api.h>

#include <algorithm>

#include "base/error.h"
#include "codecs/openh264.h"
#include "codecs/video_encoder.h"

namespace foothold {
namespace {

// Of the library: larger ones it refuses, or reads behind the picture.
constexpr std::uint32_t kLongerSide = 3840, kShorterSide = 2160, kSmallestSide = 16;
constexpr std::uint32_t kMostFrames = 60;

struct Functions {
  decltype(&WelsCreateSVCEncoder) create;
  decltype(&WelsDestroySVCEncoder) destroy;
};

Functions FindFunctions() {
  Functions functions{};
  openh264.Find("WelsCreateSVCEncoder", &functions.create);
  openh264.Find("WelsDestroySVCEncoder", &functions.destroy);
  return functions;
}

void CheckSize(const EncoderSettings& settings) {
  const auto [shorter, longer] = std::minmax(settings.width, settings.height);
  if (shorter < kSmallestSide || longer > kLongerSide || shorter > kShorterSide || shorter % 2 != 0 ||
      longer % 2 != 0)
    Fail(kInvalidParam, "pictures of {} x {} cannot be encoded: both sides must be even, from {} to {} x {}",
         settings.width, settings.height, kSmallestSide, kLongerSide, kShorterSide);
}

EProfileIdc ProfileOf(EncoderSettings::Profile profile) {
  switch (profile) {
    case EncoderSettings::Profile::kBaseline:
      return PRO_BASELINE;
    case EncoderSettings::Profile::kMain:
      return PRO_MAIN;
    default:
      return PRO_HIGH;
  }
}

RC_MODES RateOf(EncoderSettings::Rate rate) {
  switch (rate) {
    case EncoderSettings::Rate::kConstant:
      return RC_BITRATE_MODE;
    case EncoderSettings::Rate::kVariable:
      return RC_QUALITY_MODE;
    default:
      return RC_OFF_MODE;
  }
}

class WelsEncoder final : public VideoEncoder {
 public:
  explicit WelsEncoder(const EncoderSettings& settings) : functions_(FindFunctions()), settings_(settings) {
    CheckSize(settings);
    if (functions_.create(&encoder_) != 0 || encoder_ == nullptr)
      Fail(kBadAlloc, "openh264 could not make an encoder");
    int quiet = WELS_LOG_QUIET;
    encoder_->SetOption(ENCODER_OPTION_TRACE_LEVEL, &quiet);
    const SEncParamExt parameters = Parameters();
    if (encoder_->InitializeExt(&parameters) == cmResultSuccess) return;
    functions_.destroy(encoder_);
    Fail(kInvalidParam, "openh264 refuses to encode {} x {} with {} kbit/s and {} frames per second",
         settings.width, settings.height, settings.kilobits, settings.frames);
  }
  ~WelsEncoder() override {
    encoder_->Uninitialize();
    functions_.destroy(encoder_);
  }
  WelsEncoder(const WelsEncoder&) = delete;
  WelsEncoder& operator=(const WelsEncoder&) = delete;

  Packet Encode(const PlanarPicture& picture, bool key) override {
    if (key) encoder_->ForceIntraFrame(true);
    const SSourcePicture source = Source(picture);
    SFrameBSInfo info{};
    if (const int code = encoder_->EncodeFrame(&source, &info); code != cmResultSuccess)
      Fail(kFailure, "openh264 could not encode picture {} (its code {})", number_, code);
    ++number_;
    Collect(info);
    return {packet_, info.eFrameType == videoFrameTypeIDR};
  }

 private:
  SEncParamExt Parameters() {
    SEncParamExt parameters{};
    encoder_->GetDefaultParams(&parameters);
    parameters.iUsageType = CAMERA_VIDEO_REAL_TIME;
    parameters.iPicWidth = static_cast<int>(settings_.width);
    parameters.iPicHeight = static_cast<int>(settings_.height);
    parameters.fMaxFrameRate = static_cast<float>(std::clamp(settings_.frames, 1u, kMostFrames));
    parameters.iRCMode = RateOf(settings_.rate);
    parameters.iTargetBitrate = parameters.iMaxBitrate = BitsPerSecond();
    parameters.uiIntraPeriod = settings_.key_interval;
    parameters.bEnableFrameSkip = false;  // a packet for each picture
    parameters.eSpsPpsIdStrategy = CONSTANT_ID;
    parameters.iEntropyCodingModeFlag = settings_.profile == EncoderSettings::Profile::kBaseline ? 0 : 1;
    parameters.iMultipleThreadIdc = 1;
    parameters.bEnableSceneChangeDetect = false;  // key frames come as asked for
    SetLayer(parameters.sSpatialLayers[0], parameters);
    return parameters;
  }

  void SetLayer(SSpatialLayerConfig& layer, const SEncParamExt& parameters) const {
    layer.iVideoWidth = parameters.iPicWidth;
    layer.iVideoHeight = parameters.iPicHeight;
    layer.fFrameRate = parameters.fMaxFrameRate;
    layer.iSpatialBitrate = layer.iMaxSpatialBitrate = parameters.iTargetBitrate;
    layer.uiProfileIdc = ProfileOf(settings_.profile);
    layer.iDLayerQp = settings_.quantiser;
    layer.sSliceArgument.uiSliceMode = SM_SINGLE_SLICE;
  }

  // The library's own rate of frames is lower than that of some programs: the bits are those of a second.
  int BitsPerSecond() const {
    return static_cast<int>(std::min<std::uint64_t>(std::uint64_t{settings_.kilobits} * 1000, 600'000'000));
  }

  SSourcePicture Source(const PlanarPicture& picture) const {
    SSourcePicture source{};
    source.iColorFormat = videoFormatI420;
    source.iPicWidth = static_cast<int>(settings_.width);
    source.iPicHeight = static_cast<int>(settings_.height);
    source.uiTimeStamp = static_cast<long long>(number_ * 1000 / std::max(settings_.frames, 1u));
    for (int plane = 0; plane < 3; ++plane) {
      source.pData[plane] = const_cast<unsigned char*>(picture.planes[plane]);
      source.iStride[plane] = static_cast<int>(picture.strides[plane]);
    }
    return source;
  }

  void Collect(const SFrameBSInfo& info) {
    packet_.clear();
    for (int layer = 0; layer < info.iLayerNum; ++layer) {
      const SLayerBSInfo& one = info.sLayerInfo[layer];
      std::size_t bytes = 0;
      for (int unit = 0; unit < one.iNalCount; ++unit)
        bytes += static_cast<std::size_t>(one.pNalLengthInByte[unit]);
      packet_.insert(packet_.end(), one.pBsBuf, one.pBsBuf + bytes);
    }
  }

  const Functions functions_;
  const EncoderSettings settings_;
  ISVCEncoder* encoder_ = nullptr;
  std::uint64_t number_ = 0;
  std::vector<std::uint8_t> packet_;
};

}  // namespace

std::unique_ptr<VideoEncoder> OpenH264Encoder(const EncoderSettings& settings) {
  return std::make_unique<WelsEncoder>(settings);
}

void RefuseH265Encoder() {
  Fail(kApiNotSupport,
       "H.265 cannot be encoded: there is no encoder under a licence this library could use; choose one of "
       "the H.264 "
       "profiles");
}

}  // namespace foothold
