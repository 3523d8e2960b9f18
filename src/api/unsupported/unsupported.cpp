// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "api/unsupported/unsupported.h"

#include "api/guard.h"

namespace foothold {

int ReportUnsupported(const char* name, Code code) noexcept {
  return Guard(MakeApiCall(name, ""),
               [&] { Fail(code, "{} is declared but not supported by this version of Foothold", name); });
}

}  // namespace foothold
