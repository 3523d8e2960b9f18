// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <libde265/de265.h>

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/system_library.h"
#include "codecs/codec.h"

namespace foothold {
namespace {

// What is called of the library, by the names it has there.
#define FOOTHOLD_DE265_FUNCTIONS(each)                                                                     \
  each(new_decoder) each(free_decoder) each(set_verbosity) each(push_data) each(push_NAL)                  \
      each(push_end_of_NAL) each(push_end_of_frame) each(flush_data) each(decode) each(set_parameter_bool) \
          each(peek_next_picture) each(get_next_picture) each(get_image_width) each(get_image_height)      \
              each(get_chroma_format) each(get_bits_per_pixel) each(get_image_plane) each(get_image_PTS)

struct Functions {
#define FOOTHOLD_MEMBER(function) decltype(&de265_##function) function;
  FOOTHOLD_DE265_FUNCTIONS(FOOTHOLD_MEMBER)
#undef FOOTHOLD_MEMBER
};

constinit SystemLibrary library("libde265.so.0", "libde265-0", "H.265 videos");

Functions FindFunctions() {
  Functions functions{};
#define FOOTHOLD_FIND(function) library.Find("de265_" #function, &functions.function);
  FOOTHOLD_DE265_FUNCTIONS(FOOTHOLD_FIND)
#undef FOOTHOLD_FIND
  return functions;
}

class De265Decoder final : public CodecDecoder {
 public:
  De265Decoder() : de265_(FindFunctions()) {
    de265_.set_verbosity(0);
    Open();
  }
  ~De265Decoder() override { de265_.free_decoder(decoder_); }
  De265Decoder(const De265Decoder&) = delete;
  De265Decoder& operator=(const De265Decoder&) = delete;

  // False for what is hopeless; pictures with faults are just not shown.
  bool Push(StreamBytes packet, std::uint64_t index) override {
    failed_ = false;
    if (ended_) StartAgain();
    Remember(packet);
    const auto pushed = de265_.push_data(decoder_, packet.data(), static_cast<int>(packet.size()),
                                         static_cast<de265_PTS>(index), nullptr);
    if (pushed != DE265_OK) return false;
    // The end of a frame would empty the library's buffer of pictures to be shown later.
    at_once_ ? de265_.push_end_of_frame(decoder_) : de265_.push_end_of_NAL(decoder_);
    more_ = true;
    while (more_ && de265_.peek_next_picture(decoder_) == nullptr)
      Decode();
    return !failed_;
  }

  bool Pull(DecodedPicture* picture) override {
    for (;;) {
      const de265_image* image = de265_.get_next_picture(decoder_);
      if (image != nullptr && de265_.get_chroma_format(image) == de265_chroma_420) {
        *picture = Describe(image);
        return true;
      }
      if (image == nullptr && !more_) return false;
      if (image == nullptr) Decode();
    }
  }

  void Flush() override {
    de265_.flush_data(decoder_);
    more_ = ended_ = true;
  }

  void ShowAtOnce() override { at_once_ = true; }

 private:
  void Open() {
    de265_decoder_context* opened = de265_.new_decoder();
    if (opened == nullptr) Fail(kBadAlloc, "libde265 could not make a decoder");
    de265_.set_parameter_bool(opened, DE265_DECODER_PARAM_SUPPRESS_FAULTY_PICTURES, 1);
    if (decoder_ != nullptr) de265_.free_decoder(decoder_);
    decoder_ = opened;
  }

  // A decoder that came to the end of its stream goes on as if every picture were the last. Another one has
  // to know the parameter sets, which streams need not repeat.
  void StartAgain() {
    Open();
    ended_ = false;
    for (const std::vector<std::uint8_t>& unit : parameters_)
      de265_.push_NAL(decoder_, unit.data(), static_cast<int>(unit.size()), 0, nullptr);
  }

  void Remember(StreamBytes packet) {
    ForEachUnit(packet, [this](StreamBytes unit) {
      if (unit[0] >> 1 < 32 || unit[0] >> 1 > 34) return;
      std::vector<std::uint8_t> copy(unit.begin(), unit.end());
      const auto known = std::find(parameters_.begin(), parameters_.end(), copy);
      if (known != parameters_.end()) parameters_.erase(known);
      parameters_.push_back(std::move(copy));
      if (parameters_.size() > kMostParameters) parameters_.erase(parameters_.begin());
    });
  }

  // One step. It must not be asked for the next while a picture can be had: it would never come to an end.
  void Decode() {
    int more = 0;
    const de265_error error = de265_.decode(decoder_, &more);
    failed_ |= error != DE265_OK && error != DE265_ERROR_WAITING_FOR_INPUT_DATA;
    more_ = more != 0 && error == DE265_OK;
  }

  DecodedPicture Describe(const de265_image* image) const {
    DecodedPicture picture;
    picture.width = static_cast<std::uint32_t>(de265_.get_image_width(image, 0));
    picture.height = static_cast<std::uint32_t>(de265_.get_image_height(image, 0));
    picture.bits = de265_.get_bits_per_pixel(image, 0);
    picture.index = static_cast<std::uint64_t>(de265_.get_image_PTS(image));
    for (int plane = 0; plane < 3; ++plane) {
      int stride = 0;
      picture.planes[plane] = de265_.get_image_plane(image, plane, &stride);
      picture.strides[plane] = static_cast<std::size_t>(stride);
    }
    return picture;
  }

  static constexpr std::size_t kMostParameters = 96;  // as many as may have different numbers

  const Functions de265_;
  std::vector<std::vector<std::uint8_t>> parameters_;  // in the order they came
  de265_decoder_context* decoder_ = nullptr;
  bool more_ = false;
  bool failed_ = false;
  bool at_once_ = false;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<CodecDecoder> OpenH265Decoder() {
  return std::make_unique<De265Decoder>();
}

}  // namespace foothold
