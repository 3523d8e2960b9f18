// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <cstdlib>

#include "conformance/acl_dvpp/dvpp_fixture.h"

namespace {

using dvpp::Bytes;
using dvpp::Channel;
using dvpp::kSmall;
using dvpp::Memory;
using dvpp::Picture;
using dvpp::SmallPicture;

// 35 x 26 pixels of grey and alpha.
const Bytes kPng = {0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48,
                    0x44, 0x52, 0x00, 0x00, 0x00, 0x23, 0x00, 0x00, 0x00, 0x1a, 0x08, 0x04, 0x00, 0x00,
                    0x00, 0x97, 0xa5, 0x2d, 0xb7, 0x00, 0x00, 0x00, 0x23, 0x49, 0x44, 0x41, 0x54, 0x38,
                    0x8d, 0x63, 0x64, 0xb0, 0x61, 0xa7, 0x02, 0x60, 0x62, 0x62, 0xa5, 0x0a, 0x1c, 0x35,
                    0x66, 0xd4, 0x98, 0x51, 0x63, 0x46, 0x8d, 0x19, 0x35, 0x66, 0xd4, 0x98, 0x41, 0x6c,
                    0x0c, 0x00, 0x8a, 0x2b, 0x1a, 0x39, 0x86, 0xf6, 0x30, 0x4a, 0x00, 0x00, 0x00, 0x00,
                    0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

struct Level {
  explicit Level(uint32_t level) : get(acldvppCreateJpegeConfig()) {
    EXPECT_OK(acldvppSetJpegeConfigLevel(get, level));
  }
  ~Level() { EXPECT_OK(acldvppDestroyJpegeConfig(get)); }
  acldvppJpegeConfig* const get;
};

Bytes Encoded(const Channel& channel, uint32_t level = 95) {
  const Picture in(kSmall, SmallPicture());
  const Level config(level);
  uint32_t size = 0;
  EXPECT_OK(acldvppJpegPredictEncSize(in.desc, config.get, &size));
  const Memory out(size);
  EXPECT_OK(acldvppJpegEncodeAsync(channel.desc, in.desc, out.get(), &size, config.get, channel.stream));
  EXPECT_OK(aclrtSynchronizeStream(channel.stream));
  EXPECT_LT(size, out.size());
  return out.Read(size);
}

TEST(acldvppJpegEncodeAsync, WritesAFileAndItsSize) {
  const Channel channel;
  const Bytes file = Encoded(channel), small = Encoded(channel, 5);
  ASSERT_GT(file.size(), 100u);
  EXPECT_EQ(file[0], 0xFF);
  EXPECT_EQ(file[1], 0xD8);
  EXPECT_LT(small.size(), file.size());
}

TEST(acldvppJpegEncodeAsync, FailsWhereTheMemoryIsTooSmall) {
  const Channel channel;
  const Picture in(kSmall, SmallPicture());
  const Level config(95);
  const Memory out(64);
  uint32_t size = 64;
  ASSERT_OK(acldvppJpegEncodeAsync(channel.desc, in.desc, out.get(), &size, config.get, channel.stream));
  EXPECT_NE(aclrtSynchronizeStream(channel.stream), ACL_SUCCESS);
  EXPECT_EQ(size, 64u);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               acldvppJpegEncodeAsync(channel.desc, in.desc, nullptr, &size, config.get, channel.stream));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               acldvppJpegEncodeAsync(channel.desc, in.desc, out.get(), nullptr, config.get, channel.stream));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               acldvppJpegEncodeAsync(channel.desc, in.desc, out.get(), &size, nullptr, channel.stream));
}

TEST(acldvppJpegPredictEncSize, IsAnUpperBound) {
  const Channel channel;
  const Picture in(kSmall, SmallPicture());
  const Level config(100);
  uint32_t size = 0;
  ASSERT_OK(acldvppJpegPredictEncSize(in.desc, config.get, &size));
  EXPECT_EQ(size, 64u * 48 * 3 + 2048);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppJpegPredictEncSize(nullptr, config.get, &size));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppJpegPredictEncSize(in.desc, nullptr, &size));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppJpegPredictEncSize(in.desc, config.get, nullptr));
}

TEST(acldvppJpegGetImageInfo, TellsSizeAndSampling) {
  const Channel channel;
  const Bytes file = Encoded(channel);
  const auto bytes = static_cast<uint32_t>(file.size());
  uint32_t width = 9, height = 9, size = 0;
  int32_t components = 9;
  acldvppJpegFormat format = ACL_JPEG_CSS_UNKNOWN;
  ASSERT_OK(acldvppJpegGetImageInfo(file.data(), bytes, &width, &height, &components));
  EXPECT_EQ(width, 64u);
  EXPECT_EQ(height, 48u);
  EXPECT_EQ(components, 3);
  ASSERT_OK(acldvppJpegGetImageInfoV2(file.data(), bytes, &width, &height, &components, &format));
  EXPECT_EQ(format, ACL_JPEG_CSS_420);
  ASSERT_OK(acldvppJpegPredictDecSize(file.data(), bytes, PIXEL_FORMAT_YUV_SEMIPLANAR_420, &size));
  EXPECT_EQ(size, 128u * 48 * 3 / 2);
  EXPECT_FAILS(ACL_ERROR_UNSUPPORTED_JPEG,
               acldvppJpegGetImageInfo(kPng.data(), 92, &width, &height, &components));
  EXPECT_EQ(width, 0u) << "programs look here";
  EXPECT_EQ(height, 0u);
  EXPECT_EQ(components, 0);
  EXPECT_FAILS(ACL_ERROR_UNSUPPORTED_JPEG,
               acldvppJpegGetImageInfoV2(kPng.data(), 92, &width, &height, &components, &format));
  EXPECT_FAILS(ACL_ERROR_UNSUPPORTED_JPEG,
               acldvppJpegPredictDecSize(kPng.data(), 92, PIXEL_FORMAT_YUV_SEMIPLANAR_420, &size));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               acldvppJpegPredictDecSize(file.data(), bytes, PIXEL_FORMAT_RGB_BAYER_8BPP, &size));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               acldvppJpegGetImageInfo(nullptr, bytes, &width, &height, &components));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               acldvppJpegGetImageInfo(file.data(), 0, &width, &height, &components));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               acldvppJpegGetImageInfo(file.data(), bytes, nullptr, &height, &components));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               acldvppJpegPredictDecSize(file.data(), bytes, PIXEL_FORMAT_YUV_SEMIPLANAR_420, nullptr));
}

TEST(acldvppJpegDecodeAsync, FillsInWhatWasLeftOpen) {
  const Channel channel;
  const Memory file(Encoded(channel, 100));
  const Picture out({PIXEL_FORMAT_UNKNOWN, 0, 0, 0, 0}, 128 * 48 * 3 / 2);
  ASSERT_OK(acldvppJpegDecodeAsync(channel.desc, file.get(), file.size(), out.desc, channel.stream));
  ASSERT_OK(aclrtSynchronizeStream(channel.stream));
  EXPECT_EQ(acldvppGetPicDescFormat(out.desc), PIXEL_FORMAT_YVU_SEMIPLANAR_420);
  EXPECT_EQ(acldvppGetPicDescWidth(out.desc), 64u);
  EXPECT_EQ(acldvppGetPicDescHeight(out.desc), 48u);
  EXPECT_EQ(acldvppGetPicDescWidthStride(out.desc), 128u);
  EXPECT_EQ(acldvppGetPicDescHeightStride(out.desc), 48u);
  EXPECT_EQ(acldvppGetPicDescRetCode(out.desc), 0u);
  const Bytes from = SmallPicture(), to = out.memory.Read();
  for (uint32_t y = 0; y < 48; ++y)
    for (uint32_t x = 0; x < 64; ++x)
      ASSERT_NEAR(to[y * 128 + x], from[y * 64 + x], 6);
  EXPECT_NEAR(to[128 * 48], from[64 * 48 + 1], 8) << "V comes first";
}

TEST(acldvppJpegDecodeAsync, TellsAFailureTwice) {
  const Channel channel;
  Bytes cut = Encoded(channel);
  cut.resize(cut.size() / 2);
  const Memory file(cut);
  const Picture out(kSmall, 64 * 48 * 3 / 2);
  ASSERT_OK(acldvppJpegDecodeAsync(channel.desc, file.get(), file.size(), out.desc, channel.stream));
  EXPECT_EQ(aclrtSynchronizeStream(channel.stream), ACL_ERROR_RT_AICPU_EXCEPTION);
  EXPECT_EQ(acldvppGetPicDescRetCode(out.desc), static_cast<uint32_t>(ACL_ERROR_UNSUPPORTED_JPEG));
  // The next picture is a new one.
  const Memory good(Encoded(channel));
  ASSERT_OK(acldvppJpegDecodeAsync(channel.desc, good.get(), good.size(), out.desc, channel.stream));
  EXPECT_OK(aclrtSynchronizeStream(channel.stream));
  EXPECT_EQ(acldvppGetPicDescRetCode(out.desc), 0u);
  // Too small for what the file turns out to be.
  dvpp::Describe(out.desc, {PIXEL_FORMAT_YUV_SEMIPLANAR_420, 0, 0, 0, 0}, out.memory.get(), 100);
  ASSERT_OK(acldvppJpegDecodeAsync(channel.desc, good.get(), good.size(), out.desc, channel.stream));
  EXPECT_NE(aclrtSynchronizeStream(channel.stream), ACL_SUCCESS);
  EXPECT_EQ(acldvppGetPicDescRetCode(out.desc), static_cast<uint32_t>(ACL_ERROR_INVALID_PARAM));
}

TEST(acldvppJpegDecodeAsync, RefusesWhatCannotBe) {
  const Channel channel;
  const Memory file(Encoded(channel));
  const Picture out(kSmall, 64 * 48 * 3 / 2);
  const auto decode = [&](const void* data, uint32_t size, acldvppPicDesc* desc) {
    return acldvppJpegDecodeAsync(channel.desc, data, size, desc, channel.stream);
  };
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, decode(nullptr, 10, out.desc));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, decode(file.get(), 0, out.desc));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, decode(file.get(), 1 << 30, out.desc));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, decode(file.get(), file.size(), nullptr));
  EXPECT_OK(acldvppSetPicDescData(out.desc, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, decode(file.get(), file.size(), out.desc));
}

TEST(acldvppPngDecodeAsync, DecodesToRgbWithAndWithoutAlpha) {
  const Channel channel;
  uint32_t width = 0, height = 0, size = 0;
  int32_t components = 0;
  ASSERT_OK(acldvppPngGetImageInfo(kPng.data(), 92, &width, &height, &components));
  EXPECT_EQ(width, 35u);
  EXPECT_EQ(height, 26u);
  EXPECT_EQ(components, 2);
  ASSERT_OK(acldvppPngPredictDecSize(kPng.data(), 92, PIXEL_FORMAT_RGB_888, &size));
  EXPECT_EQ(size, 128u * 3 * 32);
  const Memory file(kPng);
  for (const acldvppPixelFormat format : {PIXEL_FORMAT_RGB_888, PIXEL_FORMAT_UNKNOWN}) {
    ASSERT_OK(acldvppPngPredictDecSize(kPng.data(), 92, format, &size));
    const Picture out({format, 0, 0, 0, 0}, size);
    ASSERT_OK(acldvppPngDecodeAsync(channel.desc, file.get(), file.size(), out.desc, channel.stream));
    ASSERT_OK(aclrtSynchronizeStream(channel.stream));
    const uint32_t bytes = format == PIXEL_FORMAT_RGB_888 ? 3 : 4;
    EXPECT_EQ(acldvppGetPicDescWidthStride(out.desc), 128 * bytes);
    EXPECT_EQ(acldvppGetPicDescWidth(out.desc), 35u);
    const Bytes found = out.memory.Read();
    const uint32_t at = 4 * 128 * bytes + 6 * bytes;
    EXPECT_EQ(found[at], 6 * 7 + 4 * 2);
    EXPECT_EQ(found[at + 2], 6 * 7 + 4 * 2);
    if (bytes == 4) {
      EXPECT_EQ(found[at + 3], 6 * 7 + 4 * 5 + 60);
    }
  }
}

TEST(acldvppPngDecodeAsync, RefusesWhatIsNoPng) {
  const Channel channel;
  const Bytes file = Encoded(channel);
  uint32_t width = 1, height = 1, size = 1;
  int32_t components = 1;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               acldvppPngGetImageInfo(file.data(), 92, &width, &height, &components));
  EXPECT_EQ(width, 0u);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               acldvppPngGetImageInfo(kPng.data(), 20, &width, &height, &components));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppPngGetImageInfo(nullptr, 92, &width, &height, &components));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppPngGetImageInfo(kPng.data(), 92, &width, &height, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               acldvppPngPredictDecSize(kPng.data(), 92, PIXEL_FORMAT_YUV_400, &size));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               acldvppPngPredictDecSize(kPng.data(), 92, PIXEL_FORMAT_RGB_888, nullptr));
  Bytes cut = kPng;
  cut.resize(60);
  const Memory broken(cut);
  const Picture out({PIXEL_FORMAT_RGB_888, 0, 0, 0, 0}, 128 * 3 * 32);
  ASSERT_OK(acldvppPngDecodeAsync(channel.desc, broken.get(), broken.size(), out.desc, channel.stream));
  EXPECT_NE(aclrtSynchronizeStream(channel.stream), ACL_SUCCESS);
  EXPECT_NE(acldvppGetPicDescRetCode(out.desc), 0u);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               acldvppPngDecodeAsync(channel.desc, nullptr, 92, out.desc, channel.stream));
}

}  // namespace
