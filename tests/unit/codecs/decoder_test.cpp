// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>
#include <libde265/de265.h>
#include <wels/codec_api.h>

#include <map>
#include <numeric>
#include <random>

#include "base/error.h"
#include "codecs/openh264.h"
#include "codecs/video_decoder.h"
#include "codecs/video_encoder.h"
#include "unit/codecs/clip.h"
#include "unit/media/guarded_bytes.h"
#include "video/decoded_output.h"

namespace foothold {
namespace {

using video_test::Packet;
using Planes = std::vector<std::uint8_t>;
using Result = VideoDecoder::Result;

template <typename Row>
void AppendPlane(Planes& out, int width, int height, Row&& row) {
  for (int y = 0; y < height; ++y)
    out.insert(out.end(), row(y), row(y) + width);
}

Planes Copy(const DecodedPicture& picture) {
  Planes out;
  for (int plane = 0; plane < 3; ++plane) {
    const int shift = plane == 0 ? 0 : 1;
    AppendPlane(out, static_cast<int>(picture.width) >> shift, static_cast<int>(picture.height) >> shift,
                [&](int y) { return picture.planes[plane] + y * picture.strides[plane]; });
  }
  return out;
}

struct Shown {
  std::vector<std::uint64_t> order;
  std::vector<Planes> pictures;
};

void Pull(VideoDecoder& decoder, Shown& shown) {
  DecodedPicture picture;
  while (decoder.Pull(&picture)) {
    shown.order.push_back(picture.index);
    shown.pictures.push_back(Copy(picture));
  }
}

Shown DecodeAll(VideoDecoder& decoder, const std::vector<Packet>& packets, std::uint64_t first = 0) {
  Shown shown;
  for (const Packet& packet : packets) {
    EXPECT_EQ(decoder.Push(packet, first++), Result::kTaken) << decoder.problem();
    Pull(decoder, shown);
  }
  decoder.Flush();
  Pull(decoder, shown);
  return shown;
}

std::vector<std::uint64_t> Numbers(std::uint64_t count, std::uint64_t first = 0) {
  std::vector<std::uint64_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

// The library alone, as its own documentation calls it.
std::vector<Planes> OpenH264Alone(const std::vector<Packet>& packets) {
  decltype(&WelsCreateDecoder) create;
  decltype(&WelsDestroyDecoder) destroy;
  openh264.Find("WelsCreateDecoder", &create);
  openh264.Find("WelsDestroyDecoder", &destroy);
  ISVCDecoder* decoder = nullptr;
  EXPECT_EQ(create(&decoder), 0);
  SDecodingParam settings{};
  settings.sVideoProperty.eVideoBsType = VIDEO_BITSTREAM_AVC;
  EXPECT_EQ(decoder->Initialize(&settings), 0);
  std::vector<Planes> pictures;
  const auto keep = [&](unsigned char** planes, const SBufferInfo& info) {
    if (info.iBufferStatus != 1) return;
    const SSysMEMBuffer& memory = info.UsrData.sSystemBuffer;
    Planes out;
    for (int plane = 0; plane < 3; ++plane) {
      const int shift = plane == 0 ? 0 : 1;
      AppendPlane(out, memory.iWidth >> shift, memory.iHeight >> shift,
                  [&](int y) { return planes[plane] + y * memory.iStride[plane == 0 ? 0 : 1]; });
    }
    pictures.push_back(out);
  };
  for (const Packet& packet : packets) {
    unsigned char* planes[3] = {};
    SBufferInfo info{};
    decoder->DecodeFrameNoDelay(packet.data(), static_cast<int>(packet.size()), planes, &info);
    keep(planes, info);
  }
  int ended = 1, left = 0;
  decoder->SetOption(DECODER_OPTION_END_OF_STREAM, &ended);
  decoder->GetOption(DECODER_OPTION_NUM_OF_FRAMES_REMAINING_IN_BUFFER, &left);
  for (; left > 0; --left) {
    unsigned char* planes[3] = {};
    SBufferInfo info{};
    decoder->FlushFrame(planes, &info);
    keep(planes, info);
  }
  decoder->Uninitialize();
  destroy(decoder);
  return pictures;
}

std::vector<Planes> De265Alone(const Packet& stream) {
  SystemLibrary library("libde265.so.0", "libde265-0", "H.265 videos");
#define DE265(function)                 \
  decltype(&de265_##function) function; \
  library.Find("de265_" #function, &function)
  DE265(new_decoder);
  DE265(free_decoder);
  DE265(push_data);
  DE265(flush_data);
  DE265(decode);
  DE265(get_next_picture);
  DE265(get_image_width);
  DE265(get_image_height);
  DE265(get_image_plane);
#undef DE265
  de265_decoder_context* decoder = new_decoder();
  EXPECT_EQ(push_data(decoder, stream.data(), static_cast<int>(stream.size()), 0, nullptr), DE265_OK);
  EXPECT_EQ(flush_data(decoder), DE265_OK);
  std::vector<Planes> pictures;
  for (int more = 1; more != 0;) {
    if (decode(decoder, &more) != DE265_OK) break;
    while (const de265_image* image = get_next_picture(decoder)) {
      Planes out;
      for (int plane = 0; plane < 3; ++plane) {
        int stride = 0;
        const std::uint8_t* data = get_image_plane(image, plane, &stride);
        AppendPlane(out, get_image_width(image, plane), get_image_height(image, plane),
                    [&](int y) { return data + y * stride; });
      }
      pictures.push_back(out);
    }
  }
  free_decoder(decoder);
  return pictures;
}

class Codecs : public testing::TestWithParam<VideoCodec> {
 protected:
  static const std::vector<Packet>& Packets() { return ClipPackets(GetParam()); }
  static VideoDecoder Decoder(VideoDecoder::Order order = VideoDecoder::Order::kShown) {
    return VideoDecoder(GetParam(), order);
  }
};

TEST_P(Codecs, PicturesAreThoseOfTheLibrary) {
  ASSERT_EQ(Packets().size(), static_cast<std::size_t>(kClipPictures));
  VideoDecoder decoder = Decoder();
  const Shown shown = DecodeAll(decoder, Packets());
  Packet whole;
  for (const Packet& packet : Packets())
    whole.insert(whole.end(), packet.begin(), packet.end());
  const std::vector<Planes> alone =
      GetParam() == VideoCodec::kH264 ? OpenH264Alone(Packets()) : De265Alone(whole);
  ASSERT_EQ(alone.size(), Packets().size());
  EXPECT_EQ(shown.pictures, alone);
}

TEST_P(Codecs, EveryPacketBecomesOnePictureAndSomeAreShownLater) {
  VideoDecoder decoder = Decoder();
  Shown shown = DecodeAll(decoder, Packets());
  EXPECT_NE(shown.order, Numbers(kClipPictures));
  std::sort(shown.order.begin(), shown.order.end());
  EXPECT_EQ(shown.order, Numbers(kClipPictures));
}

TEST_P(Codecs, DecodedOrderIsOneInOneOut) {
  VideoDecoder decoder = Decoder(VideoDecoder::Order::kDecoded);
  for (std::size_t i = 0; i < Packets().size(); ++i) {
    ASSERT_EQ(decoder.Push(Packets()[i], i), Result::kTaken);
    Shown shown;
    Pull(decoder, shown);
    EXPECT_EQ(shown.order, Numbers(1, i));
  }
}

TEST_P(Codecs, AStreamAfterTheEndIsDecodedLikeTheFirst) {
  VideoDecoder decoder = Decoder();
  const Shown first = DecodeAll(decoder, Packets());
  const Shown second = DecodeAll(decoder, Packets(), 100);
  EXPECT_EQ(first.pictures, second.pictures);
  ASSERT_EQ(first.order.size(), second.order.size());
  for (std::size_t i = 0; i < first.order.size(); ++i)
    EXPECT_EQ(second.order[i], first.order[i] + 100);
}

TEST_P(Codecs, RefuseWhatIsNoStream) {
  VideoDecoder decoder = Decoder();
  for (const Packet& packet :
       {Packet{}, Packet{0, 0}, Packet{1, 2, 3, 4}, Packet(1000, 0), Packet{0, 0, 1}}) {
    EXPECT_NE(decoder.Push(packet, 1), Result::kTaken);
    DecodedPicture picture;
    EXPECT_FALSE(decoder.Pull(&picture));
  }
}

TEST_P(Codecs, RefuseSlicesWithoutParameterSets) {
  VideoDecoder decoder = Decoder();
  EXPECT_EQ(decoder.Push(Packets()[1], 1), Result::kFailed);
  EXPECT_NE(decoder.problem().find("parameter sets"), std::string::npos) << decoder.problem();
}

TEST_P(Codecs, SurviveEveryCutPacket) {
  const Packet& first = Packets()[0];
  for (std::size_t length = 0; length < first.size(); length += 61) {
    VideoDecoder decoder = Decoder();
    const GuardedBytes cut(first.data(), length);
    decoder.Push({cut.data(), length}, 1);
    decoder.Push(Packets()[1], 2);
    decoder.Flush();
    Shown shown;
    Pull(decoder, shown);
    EXPECT_LE(shown.order.size(), 2u);
  }
}

// Nothing is read behind a packet, nor written behind the memory for its picture, however small its strides.
TEST_P(Codecs, StayInTheMemoryTheyAreGiven) {
  VideoDecoder decoder = Decoder();
  std::vector<std::uint8_t> scratch;
  for (std::size_t i = 0; i < 6; ++i) {
    const GuardedBytes packet(Packets()[i].data(), Packets()[i].size());
    EXPECT_EQ(decoder.Push({packet.data(), packet.size()}, i), Result::kTaken);
    for (DecodedPicture picture; decoder.Pull(&picture);) {
      for (const auto format :
           {media::PixelFormat::kNv12, media::PixelFormat::kNv21, media::PixelFormat::kRgb}) {
        const GuardedBytes out(media::TightBytes(format, picture.width, picture.height));
        media::Picture place;
        place.format = format;
        place.data = out.data();
        place.bytes = out.size();
        video::WriteOutput(picture, video::PlanOutput(place, picture.width, picture.height), {}, scratch);
        place.bytes = out.size() - 1;
        EXPECT_THROW(
            video::WriteOutput(picture, video::PlanOutput(place, picture.width, picture.height), {}, scratch),
            Error);
      }
    }
  }
}

TEST_P(Codecs, SurviveChangedBytes) {
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    VideoDecoder decoder = Decoder();
    Shown shown;
    for (std::size_t i = 0; i < 12; ++i) {
      Packet packet = Packets()[i];
      for (int change = 0; change < 3; ++change)
        packet[random() % packet.size()] = static_cast<std::uint8_t>(random());
      decoder.Push(packet, i);
      Pull(decoder, shown);
    }
    decoder.Flush();
    Pull(decoder, shown);
    for (const Planes& picture : shown.pictures)
      EXPECT_LE(picture.size(), std::size_t{kMostPixelsPerSide} * kMostPixelsPerSide * 3 / 2);
  }
}

INSTANTIATE_TEST_SUITE_P(Both, Codecs, testing::Values(VideoCodec::kH264, VideoCodec::kH265),
                         [](const auto& codec) {
                           return codec.param == VideoCodec::kH264 ? "H264" : "H265";
                         });

TEST(SystemLibrary, ThatIsMissingIsNamedWithItsPackage) {
  SystemLibrary missing("libnot_installed.so.1", "libnot-installed-1", "pictures of a test");
  void (*function)() = nullptr;
  try {
    missing.Find("Anything", &function);
    FAIL() << "it was loaded";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kApiNotSupport);
    EXPECT_NE(error.message().find("install the package libnot-installed-1"), std::string::npos)
        << error.message();
  }
}

TEST(SystemLibrary, WithoutAFunctionIsRefused) {
  void (*function)() = nullptr;
  EXPECT_THROW(openh264.Find("NoSuchFunction", &function), Error);
}

EncoderSettings Small(EncoderSettings::Profile profile) {
  EncoderSettings settings;
  settings.width = 64;
  settings.height = 48;
  settings.profile = profile;
  settings.key_interval = 4;
  return settings;
}

PlanarPicture Grey(std::vector<std::uint8_t>& memory, int value) {
  memory.assign(64 * 48 * 3 / 2, static_cast<std::uint8_t>(value));
  return {{memory.data(), memory.data() + 64 * 48, memory.data() + 64 * 48 + 32 * 24}, {64, 32, 32}};
}

TEST(Encoder, MakesAPacketOfEveryPictureThatComesBack) {
  using Profile = EncoderSettings::Profile;
  for (const Profile profile : {Profile::kBaseline, Profile::kMain, Profile::kHigh}) {
    const auto encoder = OpenH264Encoder(Small(profile));
    VideoDecoder decoder(VideoCodec::kH264, VideoDecoder::Order::kShown);
    std::vector<std::uint8_t> memory;
    Shown shown;
    for (int i = 0; i < 12; ++i) {
      const VideoEncoder::Packet packet = encoder->Encode(Grey(memory, 60 + 10 * i), i == 6);
      EXPECT_EQ(packet.key, i == 0 || i == 4 || i == 6 || i == 10) << i;
      EXPECT_EQ(decoder.Push(packet.bytes, i), Result::kTaken) << decoder.problem();
      Pull(decoder, shown);
      ASSERT_EQ(shown.order, Numbers(i + 1)) << "nothing is reordered, so nothing waits";
      EXPECT_NEAR(shown.pictures.back()[0], 60 + 10 * i, 4);
    }
  }
}

TEST(Encoder, RefusesSizesItCannotEncode) {
  for (const auto& [width, height] :
       {std::pair(0u, 48u), {65u, 48u}, {64u, 47u}, {8u, 48u}, {3842u, 64u}, {3840u, 2162u}}) {
    EncoderSettings settings = Small(EncoderSettings::Profile::kMain);
    settings.width = width;
    settings.height = height;
    EXPECT_THROW(OpenH264Encoder(settings), Error) << width << " x " << height;
  }
}

TEST(Encoder, ForH265IsRefusedWithTheReason) {
  try {
    RefuseH265Encoder();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kApiNotSupport);
    EXPECT_NE(error.message().find("H.264"), std::string::npos);
  }
}

}  // namespace
}  // namespace foothold
