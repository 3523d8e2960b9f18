// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "acl/acl.h"
#include "conformance/config_file.h"
#include "conformance/library.h"

namespace {

// What the callbacks saw, in order.
using Calls = std::vector<std::string>;

aclError NoteInit(const char* config, size_t length, void* calls) {
  static_cast<Calls*>(calls)->push_back("init " + std::string(config, length));
  return ACL_SUCCESS;
}
aclError NoteFinalize(void* calls) {
  static_cast<Calls*>(calls)->push_back("finalize");
  return ACL_SUCCESS;
}
aclError RefuseInit(const char*, size_t, void*) {
  return ACL_ERROR_FAILURE;
}
aclError RefuseFinalize(void*) {
  return ACL_ERROR_FAILURE;
}
aclError InitInside(const char*, size_t, void* result) {
  *static_cast<aclError*>(result) = aclInit(nullptr);
  return ACL_SUCCESS;
}
aclError SetDeviceInside(const char*, size_t, void* result) {
  *static_cast<aclError*>(result) = aclrtSetDevice(0);
  return ACL_SUCCESS;
}
aclError ThrowInFinalize(void*) {
  throw std::string("not a std::exception");
}

TEST(aclInitCallbackRegister, CallsTheFunctionWithTheConfigurationOncePerRound) {
  Calls calls;
  ASSERT_EQ(aclInitCallbackRegister(ACL_REG_TYPE_OTHER, NoteInit, &calls), ACL_SUCCESS);
  ASSERT_EQ(aclFinalizeCallbackRegister(ACL_REG_TYPE_OTHER, NoteFinalize, &calls), ACL_SUCCESS);
  const ConfigFile file(R"({"err_msg_mode": "0"})");
  {
    const Library library(file.path());
    EXPECT_EQ(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
  }
  EXPECT_THAT(calls, testing::ElementsAre(R"(init {"err_msg_mode": "0"})", "finalize"));
  EXPECT_EQ(aclInitCallbackUnRegister(ACL_REG_TYPE_OTHER, NoteInit), ACL_SUCCESS);
  EXPECT_EQ(aclFinalizeCallbackUnRegister(ACL_REG_TYPE_OTHER, NoteFinalize), ACL_SUCCESS);
  { const Library library; }
  EXPECT_EQ(calls.size(), 2u) << "no calls after unregistering";
}

TEST(aclInitCallbackRegister, CallsTheFunctionAtOnceIfInitialised) {
  Calls calls;
  const Library library;
  ASSERT_EQ(aclInitCallbackRegister(ACL_REG_TYPE_ACL_DVPP, NoteInit, &calls), ACL_SUCCESS);
  EXPECT_EQ(calls.size(), 1u);
  EXPECT_EQ(aclInitCallbackUnRegister(ACL_REG_TYPE_ACL_DVPP, NoteInit), ACL_SUCCESS);
}

TEST(aclInitCallbackRegister, KeepsOneEntryPerTypeAndFunction) {
  Calls first, second;
  ASSERT_EQ(aclInitCallbackRegister(ACL_REG_TYPE_ACL_RETR, NoteInit, &first), ACL_SUCCESS);
  ASSERT_EQ(aclInitCallbackRegister(ACL_REG_TYPE_ACL_RETR, NoteInit, &second), ACL_SUCCESS);
  { const Library library; }
  EXPECT_EQ(first.size(), 0u);
  EXPECT_EQ(second.size(), 1u);
  EXPECT_EQ(aclInitCallbackUnRegister(ACL_REG_TYPE_ACL_MODEL, NoteInit), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclInitCallbackUnRegister(ACL_REG_TYPE_ACL_RETR, NoteInit), ACL_SUCCESS);
  EXPECT_EQ(aclInitCallbackUnRegister(ACL_REG_TYPE_ACL_RETR, NoteInit), ACL_ERROR_INVALID_PARAM);
}

TEST(aclInitCallbackRegister, MakesInitFailWithWhatTheFunctionAnswers) {
  ASSERT_EQ(aclInitCallbackRegister(ACL_REG_TYPE_ACL_MODEL, RefuseInit, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclInit(nullptr), ACL_ERROR_FAILURE);
  EXPECT_EQ(aclmdlInitDump(), ACL_ERROR_UNINITIALIZE);
  EXPECT_EQ(aclInitCallbackUnRegister(ACL_REG_TYPE_ACL_MODEL, RefuseInit), ACL_SUCCESS);
  const Library library;
  EXPECT_EQ(aclInitCallbackRegister(ACL_REG_TYPE_ACL_MODEL, RefuseInit, nullptr), ACL_ERROR_FAILURE);
  EXPECT_EQ(aclInitCallbackUnRegister(ACL_REG_TYPE_ACL_MODEL, RefuseInit), ACL_ERROR_INVALID_PARAM);
}

TEST(aclInitCallbackRegister, LetsTheFunctionUseTheLibraryButNotInitialiseIt) {
  aclError init = ACL_SUCCESS;
  aclError set_device = ACL_ERROR_FAILURE;
  ASSERT_EQ(aclInitCallbackRegister(ACL_REG_TYPE_OTHER, InitInside, &init), ACL_SUCCESS);
  ASSERT_EQ(aclInitCallbackRegister(ACL_REG_TYPE_OTHER, SetDeviceInside, &set_device), ACL_SUCCESS);
  { const Library library; }
  EXPECT_EQ(init, ACL_ERROR_FAILURE);
  EXPECT_EQ(set_device, ACL_SUCCESS);
  EXPECT_EQ(aclInitCallbackUnRegister(ACL_REG_TYPE_OTHER, InitInside), ACL_SUCCESS);
  EXPECT_EQ(aclInitCallbackUnRegister(ACL_REG_TYPE_OTHER, SetDeviceInside), ACL_SUCCESS);
}

TEST(aclFinalizeCallbackRegister, CannotKeepTheLibraryFromFinalising) {
  for (const aclFinalizeCallbackFunc function : {RefuseFinalize, ThrowInFinalize}) {
    ASSERT_EQ(aclFinalizeCallbackRegister(ACL_REG_TYPE_ACL_MODEL, function, nullptr), ACL_SUCCESS);
    ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
    EXPECT_EQ(aclFinalize(), ACL_ERROR_FAILURE);
    EXPECT_EQ(aclFinalizeCallbackUnRegister(ACL_REG_TYPE_ACL_MODEL, function), ACL_SUCCESS);
    EXPECT_EQ(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE);
  }
}

}  // namespace
