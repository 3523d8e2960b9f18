// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/error.h"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>
#include <type_traits>

namespace foothold {
namespace {

template <typename T>
Error Caught(const T& thrown) {
  try {
    throw thrown;
  } catch (...) {
    return CurrentError();
  }
}

TEST(Error, CopiesWithoutThrowing) {
  EXPECT_TRUE(std::is_nothrow_copy_constructible_v<Error>);
}

TEST(Error, KeepsCodeMessageAndTextCode) {
  const Error error = Caught(Error(kRtParamInvalid, "count is 3", "EE1003"));
  EXPECT_EQ(error.code(), kRtParamInvalid);
  EXPECT_EQ(error.message(), "count is 3");
  EXPECT_STREQ(error.what(), "count is 3");
  EXPECT_STREQ(error.text_code(), "EE1003");
}

TEST(Error, FailFormatsItsMessage) {
  try {
    Fail(kRtInvalidDeviceId, "device {} of {}", 7, 2);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kRtInvalidDeviceId);
    EXPECT_EQ(error.message(), "device 7 of 2");
    return;
  }
  FAIL() << "Fail returned";
}

TEST(Error, TellsExhaustedMemoryFromOtherExceptions) {
  EXPECT_EQ(Caught(std::bad_alloc()).code(), kBadAlloc);
  const Error other = Caught(std::runtime_error("odd"));
  EXPECT_EQ(other.code(), kInternalError);
  EXPECT_EQ(other.message(), "odd");
  EXPECT_EQ(Caught(42).code(), kInternalError);
}

TEST(Error, ABrokenInvariantNamesTheCondition) {
  try {
    FOOTHOLD_CHECK(1 + 1 == 3);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kInternalError);
    EXPECT_NE(error.message().find("1 + 1 == 3"), std::string::npos);
    return;
  }
  FAIL() << "the check passed";
}

}  // namespace
}  // namespace foothold
