// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <wels/codec_api.h>

#include <utility>

#include "base/error.h"
#include "codecs/codec.h"
#include "codecs/openh264.h"

namespace foothold {
namespace {

struct Functions {
  decltype(&WelsCreateDecoder) create;
  decltype(&WelsDestroyDecoder) destroy;
};

Functions FindFunctions() {
  Functions functions{};
  openh264.Find("WelsCreateDecoder", &functions.create);
  openh264.Find("WelsDestroyDecoder", &functions.destroy);
  return functions;
}

class WelsDecoder final : public CodecDecoder {
 public:
  WelsDecoder() : functions_(FindFunctions()) {
    if (functions_.create(&decoder_) != 0 || decoder_ == nullptr)
      Fail(kBadAlloc, "openh264 could not make a decoder");
    int quiet = WELS_LOG_QUIET;
    decoder_->SetOption(DECODER_OPTION_TRACE_LEVEL, &quiet);
    SDecodingParam settings{};
    settings.eEcActiveIdc = ERROR_CON_DISABLE;  // a damaged picture is said to be one
    settings.sVideoProperty.size = sizeof settings.sVideoProperty;
    settings.sVideoProperty.eVideoBsType = VIDEO_BITSTREAM_AVC;
    if (decoder_->Initialize(&settings) == 0) return;
    functions_.destroy(decoder_);
    Fail(kBadAlloc, "openh264 could not start a decoder");
  }

  ~WelsDecoder() override {
    decoder_->Uninitialize();
    functions_.destroy(decoder_);
  }
  WelsDecoder(const WelsDecoder&) = delete;
  WelsDecoder& operator=(const WelsDecoder&) = delete;

  // A packet is known to be complete, so the library is told at once that no more of it comes. Both calls may
  // show a picture.
  bool Push(StreamBytes packet, std::uint64_t index) override {
    SetEnd(false);
    ClearOutput();
    output_.uiInBsTimeStamp = index;
    const bool decoded =
        IsGood(decoder_->DecodeFrame2(packet.data(), static_cast<int>(packet.size()), planes_, &output_));
    if (output_.iBufferStatus == 1) return decoded && KeepOutput(index);
    return Complete(index) && decoded;
  }

  bool Pull(DecodedPicture* picture) override {
    if (output_.iBufferStatus != 1 && !PullMore()) return false;
    *picture = Describe();
    output_.iBufferStatus = 0;
    return true;
  }

  void Flush() override {
    SetEnd(true);
    draining_ = true;
  }

  void ShowAtOnce() override { at_once_ = true; }

 private:
  static bool IsGood(DECODING_STATE state) { return state == dsErrorFree; }

  bool KeepOutput(std::uint64_t index) {
    incomplete_ = true;
    index_ = index;
    return true;
  }

  bool Complete(std::uint64_t index) {
    incomplete_ = false;
    ClearOutput();
    output_.uiInBsTimeStamp = index;
    const bool decoded = IsGood(decoder_->DecodeFrame2(nullptr, 0, planes_, &output_));
    if (output_.iBufferStatus != 1 && at_once_) {
      Flush();
    }
    return decoded;
  }

  bool PullMore() {
    if (incomplete_) {
      Complete(index_);
      if (output_.iBufferStatus == 1) return true;
    }
    if (!draining_) return false;
    ClearOutput();
    decoder_->FlushFrame(planes_, &output_);
    draining_ = output_.iBufferStatus == 1;
    return draining_;
  }

  void SetEnd(bool ended) {
    int value = ended ? 1 : 0;
    decoder_->SetOption(DECODER_OPTION_END_OF_STREAM, &value);
    if (!ended) draining_ = false;
  }

  void ClearOutput() {
    output_ = SBufferInfo{};
    planes_[0] = planes_[1] = planes_[2] = nullptr;
  }

  DecodedPicture Describe() const {
    const SSysMEMBuffer& system = output_.UsrData.sSystemBuffer;
    const auto luma = static_cast<std::size_t>(system.iStride[0]),
               chroma = static_cast<std::size_t>(system.iStride[1]);
    return {{planes_[0], planes_[1], planes_[2]},
            {luma, chroma, chroma},
            static_cast<std::uint32_t>(system.iWidth),
            static_cast<std::uint32_t>(system.iHeight),
            8,
            output_.uiOutYuvTimeStamp};
  }

  const Functions functions_;
  ISVCDecoder* decoder_ = nullptr;
  SBufferInfo output_{};
  unsigned char* planes_[3] = {};
  std::uint64_t index_ = 0;
  bool incomplete_ = false;  // the library showed a picture before it had all of the packet
  bool draining_ = false;
  bool at_once_ = false;
};

}  // namespace

std::unique_ptr<CodecDecoder> OpenH264Decoder() {
  return std::make_unique<WelsDecoder>();
}

}  // namespace foothold
