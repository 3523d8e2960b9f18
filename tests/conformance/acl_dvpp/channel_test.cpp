// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "conformance/acl_dvpp/dvpp_fixture.h"

namespace {

TEST(acldvppCreateChannel, GivesTheChannelANumber) {
  Session session;
  acldvppChannelDesc* const first = acldvppCreateChannelDesc();
  acldvppChannelDesc* const second = acldvppCreateChannelDesc();
  EXPECT_OK(acldvppCreateChannel(first));
  EXPECT_OK(acldvppCreateChannel(second));
  EXPECT_NE(acldvppGetChannelDescChannelId(first), acldvppGetChannelDescChannelId(second));
  uint64_t id = 0;
  size_t written = 0;
  EXPECT_OK(acldvppGetChannelDescParam(first, ACL_DVPP_CHANNEL_ID_UINT64, sizeof id, &written, &id));
  EXPECT_EQ(id, acldvppGetChannelDescChannelId(first));
  EXPECT_EQ(written, sizeof id);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppCreateChannel(first));
  EXPECT_OK(acldvppDestroyChannel(first));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppDestroyChannel(first));
  EXPECT_OK(acldvppCreateChannel(first));
  EXPECT_OK(acldvppDestroyChannel(first));
  EXPECT_OK(acldvppDestroyChannel(second));
  EXPECT_OK(acldvppDestroyChannelDesc(first));
  EXPECT_OK(acldvppDestroyChannelDesc(second));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppCreateChannel(second));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppDestroyChannel(nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppDestroyChannelDesc(nullptr));
  EXPECT_EQ(acldvppGetChannelDescChannelId(nullptr), 0u);
}

TEST(acldvppCreateChannel, NeedsAContext) {
  acldvppChannelDesc* const desc = acldvppCreateChannelDesc();
  EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, acldvppCreateChannel(desc));
  EXPECT_OK(acldvppDestroyChannelDesc(desc));
}

TEST(acldvppSetChannelDescParam, KeepsWhatIsSet) {
  acldvppChannelDesc* const desc = acldvppCreateChannelDesc();
  const std::pair<acldvppChannelDescParamType, uint32_t> settings[] = {
      {ACL_DVPP_CSC_MATRIX_UINT32, ACL_DVPP_CSC_MATRIX_BT709_NARROW},
      {ACL_DVPP_MODE_UINT32, DVPP_CHNMODE_JPEGE},
      {ACL_DVPP_CHANNEL_WIDTH_UINT32, 4000},
      {ACL_DVPP_CHANNEL_HEIGHT_UINT32, 3000},
      {ACL_DVPP_JPEGD_PRECISION_MODE_ENUM, ACL_YUVOUT_ALIGN_UP}};
  for (const auto& [type, value] : settings) {
    EXPECT_OK(acldvppSetChannelDescParam(desc, type, sizeof value, &value));
    uint32_t found = 0;
    size_t written = 0;
    EXPECT_OK(acldvppGetChannelDescParam(desc, type, sizeof found, &written, &found));
    EXPECT_EQ(found, value);
    EXPECT_EQ(written, sizeof found);
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppSetChannelDescParam(desc, type, 8, &value));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppSetChannelDescParam(desc, type, 4, nullptr));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppGetChannelDescParam(desc, type, 3, &written, &found));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppGetChannelDescParam(desc, type, 4, nullptr, &found));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppGetChannelDescParam(desc, type, 4, &written, nullptr));
  }
  const uint32_t wrong = 99;
  for (const auto type : {ACL_DVPP_CSC_MATRIX_UINT32, ACL_DVPP_MODE_UINT32,
                          ACL_DVPP_JPEGD_PRECISION_MODE_ENUM, static_cast<acldvppChannelDescParamType>(77)})
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppSetChannelDescParam(desc, type, sizeof wrong, &wrong));
  EXPECT_OK(acldvppDestroyChannelDesc(desc));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppSetChannelDescMode(desc, 1));
}

TEST(acldvppSetChannelDescMode, SaysWhichEnginesThereAre) {
  Session session;
  const aclrtStream stream = session.Stream();
  acldvppChannelDesc* const desc = acldvppCreateChannelDesc();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppSetChannelDescMode(desc, 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppSetChannelDescMode(desc, 16));
  EXPECT_OK(acldvppSetChannelDescMode(desc, DVPP_CHNMODE_VPC));
  const dvpp::Picture in(dvpp::kSmall, dvpp::SmallPicture()), out(dvpp::kSmall, 64 * 48 * 3 / 2);
  acldvppResizeConfig* const config = acldvppCreateResizeConfig();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppVpcResizeAsync(desc, in.desc, out.desc, config, stream));
  EXPECT_OK(acldvppCreateChannel(desc));
  EXPECT_OK(acldvppVpcResizeAsync(desc, in.desc, out.desc, config, stream));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppJpegDecodeAsync(desc, in.memory.get(), 100, out.desc, stream));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acldvppPngDecodeAsync(desc, in.memory.get(), 100, out.desc, stream));
  EXPECT_OK(acldvppDestroyChannel(desc));
  EXPECT_EQ(out.memory.Read(), dvpp::SmallPicture()) << "what was queued is done when the channel is gone";
  EXPECT_OK(acldvppDestroyChannelDesc(desc));
  EXPECT_OK(acldvppDestroyResizeConfig(config));
}

TEST(acldvppDestroyChannel, LeavesNothingBehindTenThousandTimes) {
  Session session;
  for (int i = 0; i < 10000; ++i) {
    acldvppChannelDesc* const desc = acldvppCreateChannelDesc();
    ASSERT_EQ(acldvppCreateChannel(desc), ACL_SUCCESS);
    ASSERT_EQ(acldvppDestroyChannel(desc), ACL_SUCCESS);
    ASSERT_EQ(acldvppDestroyChannelDesc(desc), ACL_SUCCESS);
  }
}

}  // namespace
