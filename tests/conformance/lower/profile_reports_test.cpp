// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What libraries of operators tell the profiler: the Msprof functions and the aclprof functions no header
// has.
#include <gmock/gmock.h>

#include <cstring>

#include "acl/acl_prof.h"
#include "conformance/config_file.h"
#include "conformance/device_fixture.h"
#include "conformance/lower/by_name.h"

namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Report {
  uint16_t magic = 0x5A5A;
  uint16_t level = 10000;
  uint32_t type = 5;
  uint32_t thread = 1;
  uint32_t reserve = 0;
  uint64_t begin = 0;
  uint64_t end = 0;
  uint64_t item = 0;
};
static_assert(sizeof(Report) == 40);

class Profile {
 public:
  Profile() {
    EXPECT_OK(aclprofInit(directory_.path().c_str(), directory_.path().size()));
    uint32_t devices[] = {0};
    config_ = aclprofCreateConfig(devices, 1, ACL_AICORE_NONE, nullptr, ACL_PROF_ACL_API | 0x800);
    EXPECT_OK(aclprofStart(config_));
  }
  std::string Stop() {
    EXPECT_OK(aclprofStop(config_));
    EXPECT_OK(aclprofDestroyConfig(config_));
    EXPECT_OK(aclprofFinalize());
    return directory_.AllText();
  }
  aclprofConfig* config() const { return config_; }

 private:
  TemporaryDirectory directory_;
  aclprofConfig* config_ = nullptr;
};

TEST(MsprofReportApi, LeavesCallsInTheTimeline) {
  const Session session;
  auto* const name = ByName<uint64_t(const char*, size_t)>("MsprofGetHashId");
  auto* const now = ByName<uint64_t()>("MsprofSysCycleTime");
  auto* const report = ByName<int32_t(uint32_t, const Report*)>("MsprofReportApi");
  Profile profile;
  Report call;
  call.item = name("fused_add_of_a_library and more", 24);
  call.begin = now();
  call.end = now();
  EXPECT_GE(call.end, call.begin);
  EXPECT_OK(report(0, &call));
  call.magic = 1;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, report(0, &call));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, report(0, nullptr));
  EXPECT_THAT(profile.Stop(), HasSubstr(R"("fused_add_of_a_library a")"));
}

TEST(MsprofGetHashId, IsTheSameForTheSameText) {
  auto* const name = ByName<uint64_t(const char*, size_t)>("MsprofGetHashId");
  EXPECT_EQ(name("conv", 4), name("conv2d", 4));
  EXPECT_NE(name("conv", 4), name("conv2d", 6));
  EXPECT_NE(name("conv", 4), 0u);
}

TEST(MsprofReports, TakeWholeReportsOnly) {
  for (const auto& [function, bytes] :
       {std::pair("MsprofReportCompactInfo", 64u), {"MsprofReportAdditionalInfo", 256u}}) {
    auto* const report = ByName<int32_t(uint32_t, const void*, uint32_t)>(function);
    uint16_t data[128] = {0x5A5A};
    EXPECT_OK(report(1, data, bytes));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, report(1, data, bytes - 1));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, report(1, nullptr, bytes));
    data[0] = 0;
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, report(1, data, bytes));
  }
}

std::vector<std::pair<uint32_t, uint64_t>> heard;

int32_t Listen(uint32_t type, void* data, uint32_t bytes) {
  EXPECT_EQ(type, 1u);
  EXPECT_EQ(bytes, 5424u);
  uint32_t change = 0;
  uint64_t mask = 0;
  std::memcpy(&mask, data, sizeof mask);
  std::memcpy(&change, static_cast<char*>(data) + 280, sizeof change);
  heard.emplace_back(change, mask);
  return 0;
}

TEST(MsprofRegisterCallback, TellsWhenProfilingBeginsAndEnds) {
  const Session session;
  auto* const listen =
      ByName<int32_t(uint32_t, int32_t(*)(uint32_t, void*, uint32_t))>("MsprofRegisterCallback");
  heard.clear();
  EXPECT_OK(listen(45, &Listen));
  const uint64_t mask = ACL_PROF_ACL_API | 0x800;
  Profile().Stop();
  EXPECT_THAT(heard,
              ElementsAre(std::pair(0u, 0u), std::pair(1u, mask), std::pair(2u, mask), std::pair(3u, 0u)));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, listen(45, nullptr));
}

TEST(aclprofSetStamp, PutsMoreBesideAMark) {
  const Session session;
  Profile profile;
  void* const stamp = aclprofCreateStamp();
  ASSERT_NE(stamp, nullptr);
  EXPECT_OK(aclprofSetStampTraceMessage(stamp, "epoch", 5));
  EXPECT_OK(ByName<aclError(void*, const char*, uint16_t)>("aclprofSetStampTagName")(stamp, "training", 5));
  EXPECT_OK(ByName<aclError(uint32_t, const char*)>("aclprofSetCategoryName")(7, "loader"));
  EXPECT_OK(ByName<aclError(void*, uint32_t)>("aclprofSetStampCategory")(stamp, 7));
  EXPECT_OK(
      ByName<aclError(void*, const char*, uint32_t)>("aclprofSetStampCallStack")(stamp, "main.py:12", 10));
  int64_t payload = 3;
  EXPECT_OK(ByName<aclError(void*, int32_t, void*)>("aclprofSetStampPayload")(stamp, 1, &payload));
  EXPECT_OK(ByName<aclError(bool)>("aclprofMsproftxSwitch")(true));
  EXPECT_OK(aclprofMark(stamp));
  aclprofDestroyStamp(stamp);
  EXPECT_THAT(profile.Stop(), HasSubstr("tag=train, category=loader, from=main.py:12"));
}

TEST(aclprofSetStamp, RefusesWhatIsNoStamp) {
  int cell = 0;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               ByName<aclError(void*, uint32_t)>("aclprofSetStampCategory")(&cell, 7));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               ByName<aclError(void*, const char*, uint16_t)>("aclprofSetStampTagName")(&cell, "x", 1));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               ByName<aclError(void*, const char*, uint32_t)>("aclprofSetStampCallStack")(&cell, nullptr, 1));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               ByName<aclError(uint32_t, const char*)>("aclprofSetCategoryName")(7, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               ByName<aclError(void*, int32_t, void*)>("aclprofSetStampPayload")(&cell, 1, &cell));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, ByName<aclError(const char*, unsigned, unsigned char*, unsigned)>(
                                            "aclprofReportStamp")("torch_op", 8, nullptr, 0));
}

TEST(aclprofGetSupportedFeatures, AreNone) {
  for (const char* const name : {"aclprofGetSupportedFeatures", "aclprofGetSupportedFeaturesV2"}) {
    auto* const ask = ByName<aclError(size_t*, void**)>(name);
    size_t size = 5;
    void* data = nullptr;
    EXPECT_OK(ask(&size, &data));
    EXPECT_EQ(size, 0u);
    EXPECT_EQ(data, nullptr);
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, ask(nullptr, &data));
  }
}

TEST(aclprofWarmup, GoesBeforeStart) {
  const Session session;
  Profile profile;
  EXPECT_OK(ByName<aclError(const aclprofConfig*)>("aclprofWarmup")(profile.config()));
  EXPECT_OK(ByName<aclError()>("aclprofRegisterDeviceCallback")());
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, ByName<aclError(const aclprofConfig*)>("aclprofWarmup")(nullptr));
  profile.Stop();
}

}  // namespace
