// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>
#include <memory>

#include "conformance/acl_dvpp/dvpp_fixture.h"

namespace {

using dvpp::Bytes;
using dvpp::Channel;
using dvpp::kSmall;
using dvpp::Picture;
using dvpp::Shape;
using dvpp::SmallPicture;

constexpr size_t kSmallBytes = 64 * 48 * 3 / 2;

// Regions and configurations that destroy themselves.
struct Region {
  Region(uint32_t left, uint32_t right, uint32_t top, uint32_t bottom)
      : get(acldvppCreateRoiConfig(left, right, top, bottom)) {}
  ~Region() { EXPECT_OK(acldvppDestroyRoiConfig(get)); }
  acldvppRoiConfig* const get;
};
struct Interpolation {
  explicit Interpolation(uint32_t number = 0) : get(acldvppCreateResizeConfig()) {
    EXPECT_OK(acldvppSetResizeConfigInterpolation(get, number));
  }
  ~Interpolation() { EXPECT_OK(acldvppDestroyResizeConfig(get)); }
  acldvppResizeConfig* const get;
};

uint8_t LumaAt(const Bytes& bytes, uint32_t stride, uint32_t x, uint32_t y) {
  return bytes[y * stride + x];
}

TEST(acldvppVpcResizeAsync, HalvesAPicture) {
  const Channel channel;
  const Picture in(kSmall, SmallPicture()),
      out({PIXEL_FORMAT_YUV_SEMIPLANAR_420, 32, 24, 48, 26}, 48 * 26 * 3 / 2);
  for (const uint32_t number : {0u, 1u, 3u}) {
    const Interpolation bilinear(number);
    ASSERT_OK(acldvppSetPicDescRetCode(out.desc, 7));
    ASSERT_OK(acldvppVpcResizeAsync(channel.desc, in.desc, out.desc, bilinear.get, channel.stream));
    ASSERT_OK(aclrtSynchronizeStream(channel.stream));
    EXPECT_EQ(acldvppGetPicDescRetCode(out.desc), 0u);
    const Bytes from = SmallPicture(), to = out.memory.Read();
    for (uint32_t y = 0; y < 24; ++y)
      for (uint32_t x = 0; x < 32; ++x) {
        const int sum = LumaAt(from, 64, 2 * x, 2 * y) + LumaAt(from, 64, 2 * x + 1, 2 * y) +
                        LumaAt(from, 64, 2 * x, 2 * y + 1) + LumaAt(from, 64, 2 * x + 1, 2 * y + 1);
        ASSERT_EQ(LumaAt(to, 48, x, y), (sum + 2) / 4);
      }
    EXPECT_EQ(to[40], 0) << "beyond the visible width nothing is written";
  }
  const Interpolation nearest(2);
  ASSERT_OK(acldvppVpcResizeAsync(channel.desc, in.desc, out.desc, nearest.get, channel.stream));
  ASSERT_OK(aclrtSynchronizeStream(channel.stream));
  EXPECT_EQ(LumaAt(out.memory.Read(), 48, 5, 7), LumaAt(SmallPicture(), 64, 10, 14));
}

TEST(acldvppVpcResizeAsync, RefusesWhatCannotBe) {
  const Channel channel;
  const Picture in(kSmall, SmallPicture()), out(kSmall, kSmallBytes);
  const Interpolation bilinear, unknown(6);
  const auto resize = [&](acldvppPicDesc* from, acldvppPicDesc* to, acldvppResizeConfig* config) {
    return acldvppVpcResizeAsync(channel.desc, from, to, config, channel.stream);
  };
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, resize(nullptr, out.desc, bilinear.get));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, resize(in.desc, nullptr, bilinear.get));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, resize(in.desc, out.desc, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, resize(in.desc, out.desc, unknown.get));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               acldvppVpcResizeAsync(nullptr, in.desc, out.desc, bilinear.get, channel.stream));
  const Shape wrong[] = {{PIXEL_FORMAT_YUV_SEMIPLANAR_420, 64, 48, 63, 48},
                         {PIXEL_FORMAT_YUV_SEMIPLANAR_420, 64, 48, 64, 47},
                         {PIXEL_FORMAT_YUV_SEMIPLANAR_420, 0, 48, 64, 48},
                         {PIXEL_FORMAT_YUV_SEMIPLANAR_420, 64, 60000, 64, 60000},
                         {PIXEL_FORMAT_YUV_SEMIPLANAR_420, 64, 48, UINT32_MAX, UINT32_MAX},
                         {PIXEL_FORMAT_RGB_888, 64, 48, 192, 48},
                         {PIXEL_FORMAT_RGB_BAYER_16BPP, 64, 48, 128, 48}};
  for (const Shape& shape : wrong) {
    dvpp::Describe(out.desc, shape, out.memory.get(), out.memory.size());
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, resize(in.desc, out.desc, bilinear.get));
  }
  dvpp::Describe(out.desc, kSmall, out.memory.get(), out.memory.size() - 1);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, resize(in.desc, out.desc, bilinear.get));
  dvpp::Describe(out.desc, kSmall, nullptr, out.memory.size());
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, resize(in.desc, out.desc, bilinear.get));
  // More than the allocation has, whatever the description says.
  dvpp::Describe(out.desc, {PIXEL_FORMAT_RGB_888, 4000, 4000, 12000, 4000}, out.memory.get(), UINT32_MAX);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, resize(in.desc, out.desc, bilinear.get));
}

TEST(acldvppVpcCropAsync, CutsAndScalesToTheOutput) {
  const Channel channel;
  const Picture in(kSmall, SmallPicture()), out({PIXEL_FORMAT_YUV_400, 20, 10, 20, 10}, 200);
  const Region area(4, 23, 6, 15), outside(60, 64, 0, 3), reversed(9, 8, 0, 3);
  ASSERT_OK(acldvppVpcCropAsync(channel.desc, in.desc, out.desc, area.get, channel.stream));
  ASSERT_OK(aclrtSynchronizeStream(channel.stream));
  const Bytes from = SmallPicture(), to = out.memory.Read();
  for (uint32_t y = 0; y < 10; ++y)
    for (uint32_t x = 0; x < 20; ++x)
      ASSERT_EQ(LumaAt(to, 20, x, y), LumaAt(from, 64, x + 4, y + 6));
  for (acldvppRoiConfig* const wrong : {outside.get, reversed.get, static_cast<acldvppRoiConfig*>(nullptr)})
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
                 acldvppVpcCropAsync(channel.desc, in.desc, out.desc, wrong, channel.stream));
}

TEST(acldvppVpcCropResizeAsync, TakesAnInterpolation) {
  const Channel channel;
  const Picture in(kSmall, SmallPicture()), out({PIXEL_FORMAT_YUV_400, 40, 20, 40, 20}, 800);
  const Region area(4, 23, 6, 15);
  const Interpolation nearest(4);
  ASSERT_OK(
      acldvppVpcCropResizeAsync(channel.desc, in.desc, out.desc, area.get, nearest.get, channel.stream));
  ASSERT_OK(aclrtSynchronizeStream(channel.stream));
  EXPECT_EQ(LumaAt(out.memory.Read(), 40, 39, 19), LumaAt(SmallPicture(), 64, 23, 15));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppVpcCropResizeAsync(channel.desc, in.desc, out.desc, nullptr,
                                                                  nearest.get, channel.stream));
}

// Both ways to paste: into the middle, and everything else stays.
TEST(acldvppVpcCropAndPasteAsync, LeavesTheRestUntouched) {
  const Channel channel;
  const Region crop(0, 15, 0, 15), paste(16, 31, 8, 23), beyond(50, 64, 0, 15);
  const Interpolation nearest(2);
  for (const bool resizing : {false, true}) {
    const Picture in(kSmall, SmallPicture()), out(kSmall, Bytes(kSmallBytes, 9));
    const auto run = [&](acldvppRoiConfig* to) {
      return resizing
                 ? acldvppVpcCropResizePasteAsync(channel.desc, in.desc, out.desc, crop.get, to, nearest.get,
                                                  channel.stream)
                 : acldvppVpcCropAndPasteAsync(channel.desc, in.desc, out.desc, crop.get, to, channel.stream);
    };
    ASSERT_OK(run(paste.get));
    ASSERT_OK(aclrtSynchronizeStream(channel.stream));
    const Bytes from = SmallPicture(), to = out.memory.Read();
    for (uint32_t y = 0; y < 48; ++y)
      for (uint32_t x = 0; x < 64; ++x) {
        const bool inside = x >= 16 && x < 32 && y >= 8 && y < 24;
        ASSERT_EQ(LumaAt(to, 64, x, y), inside ? LumaAt(from, 64, x - 16, y - 8) : 9);
      }
    EXPECT_EQ(to[64 * (48 + 4) + 16], from[64 * 48]);
    EXPECT_EQ(to[64 * (48 + 4) + 15], 9);
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, run(beyond.get));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, run(nullptr));
  }
}

TEST(acldvppVpcConvertColorAsync, UsesTheChannelsMatrix) {
  Session session;
  const aclrtStream stream = session.Stream();
  const Picture in({PIXEL_FORMAT_YUV_SEMIPLANAR_420, 2, 2, 2, 2}, Bytes{81, 81, 81, 81, 90, 240});
  const Picture out({PIXEL_FORMAT_RGB_888, 2, 2, 6, 2}, 12);
  for (const auto& [matrix, expected] :
       {std::pair<uint32_t, Bytes>{ACL_DVPP_CSC_MATRIX_BT601_WIDE, {238, 14, 14}},
        {ACL_DVPP_CSC_MATRIX_BT601_NARROW, {254, 0, 0}}}) {
    acldvppChannelDesc* const channel = acldvppCreateChannelDesc();
    ASSERT_OK(acldvppSetChannelDescParam(channel, ACL_DVPP_CSC_MATRIX_UINT32, sizeof matrix, &matrix));
    ASSERT_OK(acldvppCreateChannel(channel));
    ASSERT_OK(acldvppVpcConvertColorAsync(channel, in.desc, out.desc, stream));
    ASSERT_OK(aclrtSynchronizeStream(stream));
    const Bytes found = out.memory.Read();
    for (size_t c = 0; c < 3; ++c)
      EXPECT_NEAR(found[9 + c], expected[c], 1) << matrix;
    const Picture other({PIXEL_FORMAT_RGB_888, 2, 1, 6, 1}, 6);
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppVpcConvertColorAsync(channel, in.desc, other.desc, stream));
    EXPECT_OK(acldvppDestroyChannel(channel));
    EXPECT_OK(acldvppDestroyChannelDesc(channel));
  }
}

TEST(acldvppVpcMakeBorderAsync, SurroundsThePicture) {
  const Channel channel;
  const Picture in({PIXEL_FORMAT_YUV_400, 2, 2, 2, 2}, Bytes{1, 2, 3, 4}),
      out({PIXEL_FORMAT_YUV_400, 4, 4, 4, 4}, 16);
  acldvppBorderConfig* const border = acldvppCreateBorderConfig();
  for (auto* const set : {acldvppSetBorderConfigTop, acldvppSetBorderConfigBottom, acldvppSetBorderConfigLeft,
                          acldvppSetBorderConfigRight})
    EXPECT_OK(set(border, 1));
  EXPECT_OK(acldvppSetBorderConfigValue(border, 0, 9));
  ASSERT_OK(acldvppVpcMakeBorderAsync(channel.desc, in.desc, out.desc, border, channel.stream));
  ASSERT_OK(aclrtSynchronizeStream(channel.stream));
  EXPECT_EQ(out.memory.Read(), (Bytes{9, 9, 9, 9, 9, 1, 2, 9, 9, 3, 4, 9, 9, 9, 9, 9}));
  EXPECT_OK(acldvppSetBorderConfigBorderType(border, BORDER_REPLICATE));
  ASSERT_OK(acldvppVpcMakeBorderAsync(channel.desc, in.desc, out.desc, border, channel.stream));
  ASSERT_OK(aclrtSynchronizeStream(channel.stream));
  EXPECT_EQ(out.memory.Read(), (Bytes{1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4}));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               acldvppVpcMakeBorderAsync(channel.desc, in.desc, out.desc, nullptr, channel.stream));
  EXPECT_OK(acldvppDestroyBorderConfig(border));
}

TEST(acldvppVpcPyrDownAsync, HalvesAGreyPicture) {
  const Channel channel;
  const Picture in({PIXEL_FORMAT_YUV_400, 20, 12, 20, 12}, Bytes(240, 55)),
      out({PIXEL_FORMAT_YUV_400, 10, 6, 10, 6}, 60);
  ASSERT_OK(acldvppVpcPyrDownAsync(channel.desc, in.desc, out.desc, nullptr, channel.stream));
  ASSERT_OK(aclrtSynchronizeStream(channel.stream));
  EXPECT_EQ(out.memory.Read(), Bytes(60, 55));
}

TEST(acldvppVpcCalcHistAsync, CountsSamplesAndTheTableMapsThem) {
  const Channel channel;
  const Picture in({PIXEL_FORMAT_RGB_888, 2, 1, 6, 1}, Bytes{1, 2, 3, 1, 5, 6}),
      out({PIXEL_FORMAT_RGB_888, 2, 1, 6, 1}, 6);
  acldvppHist* const hist = acldvppCreateHist();
  acldvppLutMap* const map = acldvppCreateLutMap();
  ASSERT_OK(acldvppVpcCalcHistAsync(channel.desc, in.desc, hist, nullptr, channel.stream));
  for (uint32_t dim = 0; dim < 3; ++dim) {
    uint8_t* table = nullptr;
    uint32_t length = 0;
    ASSERT_OK(acldvppGetLutMapData(map, dim, &table, &length));
    for (uint32_t i = 0; i < length; ++i)
      table[i] = static_cast<uint8_t>(i * 2 + dim);
  }
  ASSERT_OK(acldvppVpcEqualizeHistAsync(channel.desc, in.desc, out.desc, map, channel.stream));
  ASSERT_OK(aclrtSynchronizeStream(channel.stream));
  EXPECT_EQ(out.memory.Read(), (Bytes{2, 5, 8, 2, 11, 14}));
  EXPECT_EQ(acldvppGetHistRetCode(hist), 0u);
  uint32_t* counts = nullptr;
  uint16_t length = 0;
  ASSERT_OK(acldvppGetHistData(hist, 0, &counts, &length));
  EXPECT_EQ(counts[1], 2u);
  ASSERT_OK(acldvppGetHistData(hist, 2, &counts, &length));
  EXPECT_EQ(counts[3], 1u);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               acldvppVpcCalcHistAsync(channel.desc, in.desc, nullptr, nullptr, channel.stream));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               acldvppVpcEqualizeHistAsync(channel.desc, in.desc, out.desc, nullptr, channel.stream));
  EXPECT_OK(acldvppDestroyHist(hist));
  EXPECT_OK(acldvppDestroyLutMap(map));
}

// Two sources, three outputs: the second source has two regions.
class Batch {
 public:
  Batch() : sources(acldvppCreateBatchPicDesc(2)), outputs(acldvppCreateBatchPicDesc(3)) {
    const Bytes bytes = SmallPicture();
    for (uint32_t i = 0; i < 2; ++i) {
      in.push_back(std::make_unique<dvpp::Memory>(bytes));
      dvpp::Describe(acldvppGetPicDesc(sources, i), kSmall, in.back()->get(), in.back()->size());
    }
    for (uint32_t i = 0; i < 3; ++i) {
      out.push_back(std::make_unique<dvpp::Memory>(Bytes(kSmallBytes, 9)));
      dvpp::Describe(acldvppGetPicDesc(outputs, i), {PIXEL_FORMAT_YUV_400, 16, 16, 16, 16}, out.back()->get(),
                     256);
      regions[i] = acldvppCreateRoiConfig(8 * i, 8 * i + 15, 4 * i, 4 * i + 15);
      places[i] = acldvppCreateRoiConfig(0, 7, 0, 7);
      borders[i] = acldvppCreateBorderConfig();
      EXPECT_OK(acldvppSetBorderConfigLeft(borders[i], 4));
      EXPECT_OK(acldvppSetBorderConfigValue(borders[i], 0, 1));
    }
  }
  ~Batch() {
    for (int i = 0; i < 3; ++i) {
      EXPECT_OK(acldvppDestroyRoiConfig(regions[i]));
      EXPECT_OK(acldvppDestroyRoiConfig(places[i]));
      EXPECT_OK(acldvppDestroyBorderConfig(borders[i]));
    }
    EXPECT_OK(acldvppDestroyBatchPicDesc(sources));
    EXPECT_OK(acldvppDestroyBatchPicDesc(outputs));
  }
  uint8_t Luma(size_t picture, uint32_t x, uint32_t y) const { return out[picture]->Read()[y * 16 + x]; }

  acldvppBatchPicDesc *sources, *outputs;
  std::vector<std::unique_ptr<dvpp::Memory>> in, out;
  acldvppRoiConfig *regions[3], *places[3];
  acldvppBorderConfig* borders[3];
  uint32_t numbers[2] = {1, 2};
};

TEST(acldvppVpcBatchCropAsync, CutsRegionsOfSeveralPictures) {
  const Channel channel;
  Batch batch;
  const Bytes from = SmallPicture();
  for (const bool resizing : {false, true}) {
    const Interpolation bilinear;
    ASSERT_OK(resizing
                  ? acldvppVpcBatchCropResizeAsync(channel.desc, batch.sources, batch.numbers, 2,
                                                   batch.outputs, batch.regions, bilinear.get, channel.stream)
                  : acldvppVpcBatchCropAsync(channel.desc, batch.sources, batch.numbers, 2, batch.outputs,
                                             batch.regions, channel.stream));
    ASSERT_OK(aclrtSynchronizeStream(channel.stream));
    for (uint32_t i = 0; i < 3; ++i) {
      EXPECT_EQ(batch.Luma(i, 3, 5), LumaAt(from, 64, 8 * i + 3, 4 * i + 5));
      EXPECT_EQ(acldvppGetPicDescRetCode(acldvppGetPicDesc(batch.outputs, i)), 0u);
    }
  }
}

TEST(acldvppVpcBatchCropAndPasteAsync, PastesRegionsOfSeveralPictures) {
  const Channel channel;
  const Interpolation nearest(2);
  for (const bool resizing : {false, true}) {
    Batch batch;
    ASSERT_OK(resizing ? acldvppVpcBatchCropResizePasteAsync(channel.desc, batch.sources, batch.numbers, 2,
                                                             batch.outputs, batch.regions, batch.places,
                                                             nearest.get, channel.stream)
                       : acldvppVpcBatchCropAndPasteAsync(channel.desc, batch.sources, batch.numbers, 2,
                                                          batch.outputs, batch.regions, batch.places,
                                                          channel.stream));
    ASSERT_OK(aclrtSynchronizeStream(channel.stream));
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_NE(batch.Luma(i, 7, 7), 9);
      EXPECT_EQ(batch.Luma(i, 8, 8), 9);
    }
  }
}

TEST(acldvppVpcBatchCropResizeMakeBorderAsync, SurroundsEachOutput) {
  const Channel channel;
  const Interpolation bilinear;
  Batch batch;
  ASSERT_OK(acldvppVpcBatchCropResizeMakeBorderAsync(channel.desc, batch.sources, batch.numbers, 2,
                                                     batch.outputs, batch.regions, batch.borders,
                                                     bilinear.get, channel.stream));
  ASSERT_OK(aclrtSynchronizeStream(channel.stream));
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(batch.Luma(i, 3, 9), 1);
    EXPECT_NE(batch.Luma(i, 15, 9), 9);
  }
}

TEST(acldvppVpcBatchCropAsync, RefusesNumbersThatDoNotAddUp) {
  const Channel channel;
  Batch batch;
  const auto crop = [&](acldvppBatchPicDesc* sources, uint32_t* numbers, uint32_t size,
                        acldvppRoiConfig** regions) {
    return acldvppVpcBatchCropAsync(channel.desc, sources, numbers, size, batch.outputs, regions,
                                    channel.stream);
  };
  uint32_t more[] = {2, 2}, fewer[] = {1, 1}, many[] = {UINT32_MAX, 4};
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, crop(batch.sources, more, 2, batch.regions));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, crop(batch.sources, fewer, 2, batch.regions));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, crop(batch.sources, many, 2, batch.regions));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, crop(batch.sources, batch.numbers, 3, batch.regions));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, crop(batch.sources, nullptr, 2, batch.regions));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, crop(batch.sources, batch.numbers, 2, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, crop(nullptr, batch.numbers, 2, batch.regions));
  acldvppRoiConfig* missing[3] = {batch.regions[0], nullptr, batch.regions[2]};
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, crop(batch.sources, batch.numbers, 2, missing));
}

TEST(acldvppVpcResizeAsync, CopiesDescriptionsAtTheCall) {
  const Channel channel;
  const Interpolation bilinear;
  const Picture out(kSmall, kSmallBytes);
  dvpp::Memory memory(SmallPicture());
  acldvppPicDesc* const in = acldvppCreatePicDesc();
  dvpp::Describe(in, kSmall, memory.get(), memory.size());
  Gate gate;
  gate.Hold(channel.stream);
  ASSERT_OK(acldvppVpcResizeAsync(channel.desc, in, out.desc, bilinear.get, channel.stream));
  dvpp::Describe(in, {}, nullptr, 0);
  ASSERT_OK(acldvppDestroyPicDesc(in));
  gate.Open();
  ASSERT_OK(aclrtSynchronizeStream(channel.stream));
  EXPECT_EQ(out.memory.Read(), SmallPicture());
}

TEST(acldvppVpcResizeAsync, IsSeenByACapture) {
  const Channel channel;
  const Interpolation bilinear;
  const Picture in(kSmall, SmallPicture()), out(kSmall, kSmallBytes);
  ASSERT_OK(aclmdlRICaptureBegin(channel.stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
  ASSERT_OK(acldvppVpcResizeAsync(channel.desc, in.desc, out.desc, bilinear.get, channel.stream));
  aclmdlRI captured = nullptr;
  ASSERT_OK(aclmdlRICaptureEnd(channel.stream, &captured));
  EXPECT_EQ(out.memory.Read(), Bytes(kSmallBytes)) << "nothing ran yet";
  for (int i = 0; i < 2; ++i) {
    ASSERT_OK(aclrtMemset(out.memory.get(), kSmallBytes, 0, kSmallBytes));
    ASSERT_OK(aclmdlRIExecuteAsync(captured, channel.stream));
    ASSERT_OK(aclrtSynchronizeStream(channel.stream));
    EXPECT_EQ(out.memory.Read(), SmallPicture());
  }
  EXPECT_OK(aclmdlRIDestroy(captured));
}

}  // namespace
