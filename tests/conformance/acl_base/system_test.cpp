// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>

#include "acl/acl.h"
#include "conformance/config_file.h"
#include "conformance/in_fork.h"
#include "conformance/library.h"

namespace {

using testing::HasSubstr;
using testing::Not;

TEST(aclrtGetVersion, IsThatOfTheHeader) {
  int32_t major = -1, minor = -1, patch = -1;
  EXPECT_EQ(aclrtGetVersion(&major, &minor, &patch), ACL_SUCCESS);
  EXPECT_EQ(major, ACL_MAJOR_VERSION);
  EXPECT_EQ(minor, ACL_MINOR_VERSION);
  EXPECT_EQ(patch, ACL_PATCH_VERSION);
}

TEST(aclsysGetVersionStr, KnowsThePackagesThatAreHere) {
  for (const char* name : {"cann", "runtime", "compiler", "toolkit", "opp", "opp_kernel", "hccl", "ops_math",
                           "ops_nn", "ops_cv", "ops_legacy", "ops_transformer"}) {
    char text[ACL_PKG_VERSION_MAX_SIZE] = {};
    std::string package = name;
    EXPECT_EQ(aclsysGetVersionStr(package.data(), text), ACL_SUCCESS);
    EXPECT_STREQ(text, "8.5.0");
    int32_t number = 0;
    EXPECT_EQ(aclsysGetVersionNum(package.data(), &number), ACL_SUCCESS);
    EXPECT_EQ(number, 80500000);
  }
}

TEST(aclsysGetVersionStr, KnowsTheDriverOfItsRelease) {
  for (const char* name : {"driver", "firmware"}) {
    char text[ACL_PKG_VERSION_MAX_SIZE] = {};
    std::string package = name;
    EXPECT_EQ(aclsysGetVersionStr(package.data(), text), ACL_SUCCESS);
    EXPECT_STREQ(text, "25.5.0");
  }
}

TEST(aclsysGetVersionStr, LeavesNoTextForLaterErrors) {
  std::string package = "no such package";
  char text[ACL_PKG_VERSION_MAX_SIZE] = {};
  RecentError();
  EXPECT_NE(aclsysGetVersionStr(package.data(), text), ACL_SUCCESS);
  EXPECT_NE(aclrtMemset(nullptr, 1, 0, 1), ACL_SUCCESS);
  aclDestroyTensorDesc(nullptr);
  const std::string error = RecentError();
  EXPECT_THAT(error, HasSubstr("aclrtMemset"));
  EXPECT_THAT(error, Not(HasSubstr("no such package")));
  EXPECT_THAT(error, Not(HasSubstr("aclDestroyTensorDesc")));
}

TEST(aclsysGetVersionStr, DoesNotKnowOthers) {
  for (const char* name : {"", "Runtime", "no such package"}) {
    char text[ACL_PKG_VERSION_MAX_SIZE] = "untouched";
    std::string package = name;
    int32_t number = 55;
    EXPECT_EQ(aclsysGetVersionStr(package.data(), text), ACL_ERROR_INVALID_PARAM);
    EXPECT_STREQ(text, "untouched");
    EXPECT_EQ(aclsysGetVersionNum(package.data(), &number), ACL_ERROR_INVALID_PARAM);
    EXPECT_EQ(number, 55);
    EXPECT_NE(RecentError(), "");
  }
}

TEST(aclsysGetCANNVersion, FillsEveryPart) {
  for (const aclCANNPackageName name :
       {ACL_PKG_NAME_CANN, ACL_PKG_NAME_RUNTIME, ACL_PKG_NAME_COMPILER, ACL_PKG_NAME_HCCL,
        ACL_PKG_NAME_TOOLKIT, ACL_PKG_NAME_OPP, ACL_PKG_NAME_OPP_KERNEL}) {
    aclCANNPackageVersion version;
    std::memset(&version, 'x', sizeof(version));
    EXPECT_EQ(aclsysGetCANNVersion(name, &version), ACL_SUCCESS);
    EXPECT_STREQ(version.version, "8.5.0");
    EXPECT_STREQ(version.majorVersion, "8");
    EXPECT_STREQ(version.minorVersion, "5");
    EXPECT_STREQ(version.releaseVersion, "0");
    EXPECT_STREQ(version.patchVersion, "");
  }
}

TEST(aclsysGetCANNVersion, TellsTheDriverOfItsRelease) {
  aclCANNPackageVersion version = {};
  EXPECT_EQ(aclsysGetCANNVersion(ACL_PKG_NAME_DRIVER, &version), ACL_SUCCESS);
  EXPECT_STREQ(version.version, "25.5.0");
}

TEST(aclsysGetCANNVersion, FailsForWhatIsNoPackage) {
  for (const int name : {8, -1}) {
    aclCANNPackageVersion version = {};
    EXPECT_EQ(aclsysGetCANNVersion(static_cast<aclCANNPackageName>(name), &version), ACL_ERROR_INVALID_PARAM);
  }
}

TEST(aclGetCannAttributeList, HasOneAnswerForEachAttribute) {
  const aclCannAttr* list = nullptr;
  size_t count = 0;
  ASSERT_EQ(aclGetCannAttributeList(&list, &count), ACL_SUCCESS);
  EXPECT_EQ(std::set<aclCannAttr>(list, list + count),
            std::set<aclCannAttr>({ACL_CANN_ATTR_INF_NAN, ACL_CANN_ATTR_BF16, ACL_CANN_ATTR_JIT_COMPILE}));
  for (size_t i = 0; i < count; ++i) {
    int32_t value = -1;
    EXPECT_EQ(aclGetCannAttribute(list[i], &value), ACL_SUCCESS);
    EXPECT_EQ(value, 1);
  }
  int32_t value = 55;
  EXPECT_EQ(aclGetCannAttribute(ACL_CANN_ATTR_UNDEFINED, &value), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclGetCannAttribute(static_cast<aclCannAttr>(99), &value), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(value, 55);
}

TEST(aclAppLog, DISABLED_WritesRecords) {
  ACL_APP_LOG(ACL_DEBUG, "too quiet");
  ACL_APP_LOG(ACL_WARNING, "number %d and %s", 42, "text");
  ACL_APP_LOG(ACL_ERROR, "%s", std::string(5000, 'z').c_str());
  aclAppLog(ACL_ERROR, nullptr, nullptr, 7, "no place");
  aclAppLog(ACL_ERROR, "function", "file", 7, nullptr);
  aclAppLog(static_cast<aclLogLevel>(17), "function", "file", 7, "level of the future");
  aclAppLog(ACL_ERROR, std::string(3000, 'f').c_str(), "file", 7, "long name");
}

TEST(aclAppLog, WritesRecordsOfTheWantedLevelAndCutsLongOnes) {
  const TemporaryDirectory logs;
  EXPECT_EQ(
      InNewProgram("aclAppLog.DISABLED_WritesRecords", {{"ASCEND_SLOG_PRINT_TO_STDOUT", "0"},
                                                        {"ASCEND_PROCESS_LOG_PATH", logs.path().c_str()},
                                                        {"ASCEND_GLOBAL_LOG_LEVEL", "2"}}),
      0);
  const std::string text = logs.AllText();
  EXPECT_THAT(text, HasSubstr("number 42 and text"));
  EXPECT_THAT(text, HasSubstr("system_test.cpp:"));
  EXPECT_THAT(text, HasSubstr("no place"));
  EXPECT_THAT(text, HasSubstr("level of the future"));
  EXPECT_THAT(text, Not(HasSubstr("too quiet")));
  EXPECT_THAT(text, HasSubstr(std::string(500, 'z')));
  EXPECT_THAT(text, Not(HasSubstr(std::string(1025, 'z'))));
}

}  // namespace
