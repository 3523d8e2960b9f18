// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What is accepted without effect says so in the log, once in a process, under its own name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "acl/acl.h"
#include "acl/acl_op_compiler.h"
#include "acl/acl_prof.h"
#include "conformance/config_file.h"
#include "conformance/device_fixture.h"
#include "conformance/in_fork.h"

namespace {

void CallAll() {
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCreateStreamWithConfig(&stream, 0, ACL_STREAM_FAST_SYNC | 0x40000100u));
  uint32_t flags = 0;
  EXPECT_OK(aclrtStreamGetFlags(stream, &flags));
  EXPECT_EQ(flags, uint32_t{ACL_STREAM_FAST_SYNC}) << "one unknown bit does not take the known ones along";
  aclrtStreamAttrValue value = {};
  value.cacheOpInfoSwitch = 1;
  EXPECT_OK(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_CACHE_OP_INFO, &value));
  aclrtStreamConfigHandle* stream_config = aclrtCreateStreamConfigHandle();
  const size_t bytes = 64;
  EXPECT_OK(aclrtSetStreamConfigOpt(stream_config, ACL_RT_STREAM_WORK_SIZE, &bytes, sizeof(bytes)));
  EXPECT_OK(aclrtDestroyStreamConfigHandle(stream_config));
  EXPECT_OK(aclrtSetTsDevice(ACL_TS_ID_AIVECTOR));
  EXPECT_OK(aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1));
  EXPECT_OK(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1));
  EXPECT_OK(aclrtSetOpExecuteTimeOut(3));
  EXPECT_OK(aclSetCompileopt(ACL_OP_DEBUG_LEVEL, "1"));
  EXPECT_OK(aclopSetCompileFlag(ACL_OP_COMPILE_FUZZ));
  EXPECT_OK(aclprofSetConfig(ACL_PROF_STORAGE_LIMIT, "1GB", 3));
  aclmdlConfigHandle* config = aclmdlCreateConfigHandle();
  const size_t optimize = ACL_WORKSPACE_MEM_OPTIMIZE_INPUTOUTPUT;
  EXPECT_OK(aclmdlSetConfigOpt(config, ACL_MDL_WORKSPACE_MEM_OPTIMIZE, &optimize, sizeof(optimize)));
  EXPECT_OK(aclmdlDestroyConfigHandle(config));
  aclTensorDesc* desc = aclCreateTensorDesc(ACL_FLOAT, 0, nullptr, ACL_FORMAT_ND);
  int64_t ranges[1][2] = {{0, 1}};
  EXPECT_OK(aclSetTensorValueRange(desc, 1, ranges));
  aclDestroyTensorDesc(desc);
}

TEST(WithoutEffect, DISABLED_Twice) {
  const Session session;
  CallAll();
  CallAll();
  EXPECT_OK(aclopSetCompileFlag(ACL_OP_COMPILE_DEFAULT));
}

TEST(WithoutEffect, IsSaidOnceInTheLog) {
  const TemporaryDirectory logs;
  EXPECT_EQ(InNewProgram("WithoutEffect.DISABLED_Twice", {{"ASCEND_SLOG_PRINT_TO_STDOUT", "0"},
                                                          {"ASCEND_PROCESS_LOG_PATH", logs.path().c_str()},
                                                          {"ASCEND_GLOBAL_LOG_LEVEL", "2"}}),
            0);
  const std::string text = logs.AllText();
  for (const std::string said :
       {"has bits that mean nothing here, 0x40000100", "ACL_STREAM_ATTR_CACHE_OP_INFO has no effect",
        "ACL_RT_STREAM_WORK_SIZE have no effect", "aclrtSetTsDevice has no effect",
        "option 0 of aclrtSetSysParamOpt has no effect", "option 0 of aclrtCtxSetSysParamOpt has no effect",
        "aclrtSetOpExecuteTimeOut and its relatives have no effect", "ACL_OP_DEBUG_LEVEL has no effect",
        "aclopSetCompileFlag has no effect", "aclprofSetConfig has no effect",
        "ACL_MDL_WORKSPACE_MEM_OPTIMIZE has no effect", "aclSetTensorValueRange has no effect"}) {
    const auto first = text.find(said);
    ASSERT_NE(first, std::string::npos) << said << " is not in\n" << text;
    EXPECT_EQ(text.find(said, first + 1), std::string::npos) << said << " was said twice";
  }
}

}  // namespace
