// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What most tests start with: an initialised library, and the errors that calls left behind.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "acl/acl.h"

// Initialised from here to the end of the scope.
class Library {
 public:
  explicit Library(const char* config = nullptr) {
    EXPECT_EQ(aclInit(config), ACL_SUCCESS);
    aclGetRecentErrMsg();
    aclrtGetLastError(ACL_RT_THREAD_LEVEL);
  }
  ~Library() { EXPECT_EQ(aclFinalize(), ACL_SUCCESS); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
};

// The texts of failed calls since the last question; "" if there are none.
inline std::string RecentErrors() {
  const char* text = aclGetRecentErrMsg();
  return text == nullptr ? "" : text;
}
