// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What tests start with that choose devices themselves: an initialised library, and no errors of calls
// before.
#pragma once

#include "conformance/device_fixture.h"

// Initialised from here to the end of the scope.
class Library {
 public:
  explicit Library(const char* config = nullptr) {
    EXPECT_OK(aclInit(config));
    RecentError();
    aclrtGetLastError(ACL_RT_THREAD_LEVEL);
  }
  ~Library() { EXPECT_OK(aclFinalize()); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
};
