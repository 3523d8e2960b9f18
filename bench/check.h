// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Benchmarks stop at the first failed call.
#pragma once

#include <acl/acl.h>

#include <cstdio>
#include <cstdlib>

namespace bench {

inline void Check(aclError code) {
  if (code == ACL_SUCCESS) return;
  const char* text = aclGetRecentErrMsg();
  std::fprintf(stderr, "error %d: %s\n", code, text != nullptr ? text : "");
  std::exit(1);
}

}  // namespace bench
