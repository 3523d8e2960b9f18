// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// aclmdlInitDump, aclmdlSetDump, aclmdlFinalizeDump and acldumpGetPath: what may follow what, and for how
// long it holds.
#include "conformance/acl_dump/dump_fixture.h"

namespace {

TEST(DumpLifecycle, WritesFilesFromSetDumpToFinalizeDump) {
  Session session;
  const DumpFile first(R"("dump_list": [{}])"), second(R"("dump_list": [{}])");
  const ge::ModelBufferData bytes = DoubleModel();
  const LoadedModel early(bytes);
  ASSERT_OK(aclmdlInitDump());
  ASSERT_OK(aclmdlSetDump(first.path()));
  {
    const LoadedModel model(bytes);
    RunOnce(model, 1);
    RunOnce(early, 1);
    EXPECT_EQ(first.Files().size(), 2u) << "what was loaded before is not dumped";
    ASSERT_OK(aclmdlSetDump(second.path()));
    RunOnce(model, 1);
    EXPECT_EQ(first.Files().size(), 4u) << "it keeps what held when it was loaded";
    const LoadedModel later(bytes);
    RunOnce(later, 1);
    EXPECT_EQ(second.Files().size(), 2u);
    ASSERT_OK(aclmdlFinalizeDump());
    EXPECT_EQ(RunOnce(model, 1), Floats(kCount, 4));
    EXPECT_EQ(RunOnce(later, 1), Floats(kCount, 4));
  }
  EXPECT_EQ(first.Files().size(), 4u);
  EXPECT_EQ(second.Files().size(), 2u);
  ASSERT_OK(aclmdlInitDump());
  ASSERT_OK(aclmdlSetDump(second.path()));
  {
    const LoadedModel model(bytes);
    RunOnce(model, 1);
  }
  EXPECT_EQ(second.Files().size(), 4u);
  EXPECT_OK(aclmdlFinalizeDump());
}

TEST(DumpLifecycle, HasItsOrder) {
  EXPECT_FAILS(ACL_ERROR_UNINITIALIZE, aclmdlInitDump());
  Session session;
  const DumpFile config(R"("dump_list": [{}])");
  EXPECT_FAILS_WITH(ACL_ERROR_DUMP_NOT_RUN, "aclmdlInitDump", aclmdlSetDump(config.path()));
  EXPECT_FAILS_WITH(ACL_ERROR_DUMP_NOT_RUN, "aclmdlInitDump", aclmdlFinalizeDump());
  ASSERT_OK(aclmdlInitDump());
  EXPECT_FAILS_WITH(ACL_ERROR_DUMP_ALREADY_RUN, "already", aclmdlInitDump());
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlSetDump(nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_FILE, aclmdlSetDump("/no/such/file.json"));
  const DumpFile wrong(R"("dump_list": [{}], "dump_mode": "inputs")");
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_DUMP_CONFIG, "dump_mode", aclmdlSetDump(wrong.path()));
  const ConfigFile nothing("{}");
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_DUMP_CONFIG, "\"dump\"", aclmdlSetDump(nothing.path()));
  EXPECT_OK(aclmdlFinalizeDump());
}

TEST(DumpLifecycle, LeavesTheConfigurationOfAclInitAlone) {
  const DumpFile config(R"("dump_list": [{}])");
  ASSERT_OK(aclInit(config.path()));
  EXPECT_FAILS_WITH(ACL_ERROR_DUMP_ALREADY_RUN, "aclInit", aclmdlInitDump());
  EXPECT_FAILS_WITH(ACL_ERROR_DUMP_ALREADY_RUN, "aclInit", aclmdlSetDump(config.path()));
  EXPECT_FAILS_WITH(ACL_ERROR_DUMP_ALREADY_RUN, "aclInit", aclmdlFinalizeDump());
  EXPECT_OK(aclFinalize());
  ASSERT_OK(aclInit(nullptr));
  EXPECT_OK(aclmdlInitDump()) << "the next round has no dump section";
  EXPECT_OK(aclFinalize());
}

TEST(DumpPath, IsThatOfTheKindThatIsConfigured) {
  const DumpFile data(R"("dump_list": [{}])");
  ASSERT_OK(aclInit(data.path()));
  EXPECT_STREQ(acldumpGetPath(DATA_DUMP), data.directory().c_str());
  EXPECT_EQ(acldumpGetPath(OVERFLOW_DUMP), nullptr);
  EXPECT_EQ(acldumpGetPath(AIC_ERR_NORM_DUMP), nullptr);
  EXPECT_OK(aclFinalize());
  EXPECT_EQ(acldumpGetPath(DATA_DUMP), nullptr);
  const DumpFile overflow(R"("dump_debug": "on")");
  ASSERT_OK(aclInit(overflow.path()));
  EXPECT_STREQ(acldumpGetPath(OVERFLOW_DUMP), overflow.directory().c_str());
  EXPECT_EQ(acldumpGetPath(DATA_DUMP), nullptr);
  EXPECT_OK(aclFinalize());
  const DumpFile exception(R"("dump_scene": "aic_err_norm_dump")");
  ASSERT_OK(aclInit(exception.path()));
  EXPECT_STREQ(acldumpGetPath(AIC_ERR_NORM_DUMP), exception.directory().c_str());
  EXPECT_EQ(acldumpGetPath(AIC_ERR_BRIEF_DUMP), nullptr);
  EXPECT_OK(aclFinalize());
  EXPECT_EQ(acldumpGetPath(static_cast<acldumpType>(9)), nullptr);
  RecentError();
}

}  // namespace
