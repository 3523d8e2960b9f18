// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <vector>

#include "conformance/acl_dvpp/dvpp_fixture.h"

namespace {

TEST(acldvppCreatePicDesc, KeepsWhatIsSet) {
  acldvppPicDesc* const desc = acldvppCreatePicDesc();
  ASSERT_NE(desc, nullptr);
  int place = 0;
  dvpp::Describe(desc, {PIXEL_FORMAT_BGR_888, 1, 2, 3, 4}, &place, 5);
  EXPECT_OK(acldvppSetPicDescRetCode(desc, 6));
  EXPECT_EQ(acldvppGetPicDescData(desc), &place);
  EXPECT_EQ(acldvppGetPicDescSize(desc), 5u);
  EXPECT_EQ(acldvppGetPicDescFormat(desc), PIXEL_FORMAT_BGR_888);
  EXPECT_EQ(acldvppGetPicDescWidth(desc), 1u);
  EXPECT_EQ(acldvppGetPicDescHeight(desc), 2u);
  EXPECT_EQ(acldvppGetPicDescWidthStride(desc), 3u);
  EXPECT_EQ(acldvppGetPicDescHeightStride(desc), 4u);
  EXPECT_EQ(acldvppGetPicDescRetCode(desc), 6u);
  EXPECT_OK(acldvppDestroyPicDesc(desc));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppDestroyPicDesc(desc));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppSetPicDescWidth(desc, 1));
}

TEST(acldvppCreatePicDesc, NullAndStrangersAreRefused) {
  acldvppRoiConfig* const region = acldvppCreateRoiConfig(0, 1, 0, 1);
  for (auto* const stranger :
       {static_cast<acldvppPicDesc*>(nullptr), reinterpret_cast<acldvppPicDesc*>(region)}) {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppSetPicDescData(stranger, nullptr));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppSetPicDescSize(stranger, 1));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppSetPicDescFormat(stranger, PIXEL_FORMAT_RGB_888));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppSetPicDescHeight(stranger, 1));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppSetPicDescWidthStride(stranger, 1));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppSetPicDescHeightStride(stranger, 1));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppSetPicDescRetCode(stranger, 1));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppDestroyPicDesc(stranger));
    EXPECT_EQ(acldvppGetPicDescData(stranger), nullptr);
    EXPECT_EQ(acldvppGetPicDescSize(stranger), 0u);
    EXPECT_EQ(acldvppGetPicDescWidth(stranger), 0u);
    EXPECT_EQ(acldvppGetPicDescFormat(stranger), PIXEL_FORMAT_UNKNOWN);
  }
  EXPECT_OK(acldvppDestroyRoiConfig(region));
}

TEST(acldvppCreateBatchPicDesc, LendsItsPictures) {
  acldvppBatchPicDesc* const batch = acldvppCreateBatchPicDesc(3);
  ASSERT_NE(batch, nullptr);
  acldvppPicDesc* const second = acldvppGetPicDesc(batch, 1);
  ASSERT_NE(second, nullptr);
  EXPECT_OK(acldvppSetPicDescWidth(second, 77));
  EXPECT_EQ(acldvppGetPicDescWidth(acldvppGetPicDesc(batch, 1)), 77u);
  EXPECT_EQ(acldvppGetPicDesc(batch, 3), nullptr);
  EXPECT_EQ(acldvppGetPicDesc(nullptr, 0), nullptr);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppDestroyPicDesc(second));
  EXPECT_OK(acldvppDestroyBatchPicDesc(batch));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppSetPicDescWidth(second, 1));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppDestroyBatchPicDesc(batch));
  EXPECT_EQ(acldvppCreateBatchPicDesc(0), nullptr);
  EXPECT_EQ(acldvppCreateBatchPicDesc(UINT32_MAX), nullptr);
  RecentError();
}

TEST(acldvppCreateStreamDesc, KeepsWhatIsSet) {
  acldvppStreamDesc* const desc = acldvppCreateStreamDesc();
  ASSERT_NE(desc, nullptr);
  int place = 0;
  EXPECT_OK(acldvppSetStreamDescData(desc, &place));
  EXPECT_OK(acldvppSetStreamDescSize(desc, 9));
  EXPECT_OK(acldvppSetStreamDescFormat(desc, H264_MAIN_LEVEL));
  EXPECT_OK(acldvppSetStreamDescTimestamp(desc, uint64_t{1} << 40));
  EXPECT_OK(acldvppSetStreamDescRetCode(desc, 4));
  EXPECT_OK(acldvppSetStreamDescEos(desc, 1));
  EXPECT_EQ(acldvppGetStreamDescData(desc), &place);
  EXPECT_EQ(acldvppGetStreamDescSize(desc), 9u);
  EXPECT_EQ(acldvppGetStreamDescFormat(desc), H264_MAIN_LEVEL);
  EXPECT_EQ(acldvppGetStreamDescTimestamp(desc), uint64_t{1} << 40);
  EXPECT_EQ(acldvppGetStreamDescRetCode(desc), 4u);
  EXPECT_EQ(acldvppGetStreamDescEos(desc), 1);
  EXPECT_OK(acldvppDestroyStreamDesc(desc));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppDestroyStreamDesc(desc));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppSetStreamDescEos(nullptr, 1));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppSetStreamDescData(desc, nullptr));
  EXPECT_EQ(acldvppGetStreamDescData(nullptr), nullptr);
  EXPECT_EQ(acldvppGetStreamDescTimestamp(nullptr), 0u);
}

TEST(acldvppCreateRoiConfig, TakesAnyBounds) {
  acldvppRoiConfig* const region = acldvppCreateRoiConfig(5, 1, 9, 3);
  ASSERT_NE(region, nullptr);
  EXPECT_OK(acldvppSetRoiConfig(region, 0, 3, 0, 3));
  EXPECT_OK(acldvppSetRoiConfigLeft(region, 1));
  EXPECT_OK(acldvppSetRoiConfigRight(region, 2));
  EXPECT_OK(acldvppSetRoiConfigTop(region, 1));
  EXPECT_OK(acldvppSetRoiConfigBottom(region, 2));
  EXPECT_OK(acldvppDestroyRoiConfig(region));
  for (acldvppRoiConfig* const gone : {region, static_cast<acldvppRoiConfig*>(nullptr)}) {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppSetRoiConfig(gone, 0, 3, 0, 3));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppSetRoiConfigLeft(gone, 1));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppSetRoiConfigRight(gone, 1));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppSetRoiConfigTop(gone, 1));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppSetRoiConfigBottom(gone, 1));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppDestroyRoiConfig(gone));
  }
}

TEST(acldvppCreateResizeConfig, KeepsItsInterpolation) {
  acldvppResizeConfig* const config = acldvppCreateResizeConfig();
  EXPECT_EQ(acldvppGetResizeConfigInterpolation(config), 0u);
  EXPECT_OK(acldvppSetResizeConfigInterpolation(config, 2));
  EXPECT_EQ(acldvppGetResizeConfigInterpolation(config), 2u);
  EXPECT_OK(acldvppDestroyResizeConfig(config));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppSetResizeConfigInterpolation(config, 1));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppDestroyResizeConfig(nullptr));
  EXPECT_EQ(acldvppGetResizeConfigInterpolation(nullptr), 0u);
}

TEST(acldvppCreateJpegeConfig, KeepsItsLevel) {
  acldvppJpegeConfig* const config = acldvppCreateJpegeConfig();
  EXPECT_OK(acldvppSetJpegeConfigLevel(config, 70));
  EXPECT_EQ(acldvppGetJpegeConfigLevel(config), 70u);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppSetJpegeConfigLevel(config, 101));
  EXPECT_OK(acldvppDestroyJpegeConfig(config));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppSetJpegeConfigLevel(config, 1));
  EXPECT_EQ(acldvppGetJpegeConfigLevel(nullptr), 0u);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppDestroyJpegeConfig(nullptr));
}

TEST(acldvppCreateBorderConfig, KeepsWhatIsSet) {
  acldvppBorderConfig* const config = acldvppCreateBorderConfig();
  EXPECT_OK(acldvppSetBorderConfigBorderType(config, BORDER_REFLECT));
  EXPECT_OK(acldvppSetBorderConfigTop(config, 1));
  EXPECT_OK(acldvppSetBorderConfigBottom(config, 2));
  EXPECT_OK(acldvppSetBorderConfigLeft(config, 3));
  EXPECT_OK(acldvppSetBorderConfigRight(config, 4));
  EXPECT_OK(acldvppSetBorderConfigValue(config, 3, 1.5));
  EXPECT_EQ(acldvppGetBorderConfigBorderType(config), BORDER_REFLECT);
  EXPECT_EQ(acldvppGetBorderConfigTop(config), 1u);
  EXPECT_EQ(acldvppGetBorderConfigBottom(config), 2u);
  EXPECT_EQ(acldvppGetBorderConfigLeft(config), 3u);
  EXPECT_EQ(acldvppGetBorderConfigRight(config), 4u);
  EXPECT_EQ(acldvppGetBorderConfigValue(config, 3), 1.5);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppSetBorderConfigValue(config, 4, 1));
  EXPECT_EQ(acldvppGetBorderConfigValue(config, 4), 0);
  EXPECT_OK(acldvppDestroyBorderConfig(config));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppSetBorderConfigTop(config, 1));
  EXPECT_EQ(acldvppGetBorderConfigLeft(nullptr), 0u);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppDestroyBorderConfig(nullptr));
}

TEST(acldvppCreateLutMap, HasThreeTablesOf256Bytes) {
  acldvppLutMap* const map = acldvppCreateLutMap();
  EXPECT_EQ(acldvppGetLutMapDims(map), 3u);
  uint8_t* data = nullptr;
  uint32_t length = 0;
  ASSERT_OK(acldvppGetLutMapData(map, 2, &data, &length));
  EXPECT_EQ(length, 256u);
  data[255] = 1;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppGetLutMapData(map, 3, &data, &length));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppGetLutMapData(map, 0, nullptr, &length));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppGetLutMapData(map, 0, &data, nullptr));
  EXPECT_OK(acldvppDestroyLutMap(map));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppDestroyLutMap(map));
  EXPECT_EQ(acldvppGetLutMapDims(nullptr), 0u);
}

TEST(acldvppCreateHist, HasThreeTablesOf256Counts) {
  acldvppHist* const hist = acldvppCreateHist();
  EXPECT_EQ(acldvppGetHistDims(hist), 3u);
  EXPECT_EQ(acldvppGetHistRetCode(hist), 0u);
  uint32_t* data = nullptr;
  uint16_t length = 0;
  ASSERT_OK(acldvppGetHistData(hist, 0, &data, &length));
  EXPECT_EQ(length, 256u);
  data[0] = 5;
  EXPECT_OK(acldvppClearHist(hist));
  EXPECT_EQ(data[0], 0u);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppGetHistData(hist, 3, &data, &length));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppGetHistData(hist, 0, nullptr, &length));
  EXPECT_OK(acldvppDestroyHist(hist));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppClearHist(hist));
  EXPECT_EQ(acldvppGetHistDims(nullptr), 0u);
  EXPECT_EQ(acldvppGetHistRetCode(nullptr), 0u);
}

}  // namespace
