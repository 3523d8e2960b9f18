// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A library that shares the process with the program that has initialised.
#include <acl/acl.h>

extern "C" __attribute__((visibility("default"))) void UseTheLibrary(bool finalizes) {
  if (aclInit(nullptr) != ACL_ERROR_REPEAT_INITIALIZE) return;
  if (finalizes) {
    aclFinalize();
  } else {
    uint64_t left = 0;
    aclFinalizeReference(&left);
  }
}
