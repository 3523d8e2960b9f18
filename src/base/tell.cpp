// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/tell.h"

#include <cstdio>

namespace foothold {

void Tell(LogLevel level, std::string_view text) noexcept {
  WriteLog(level, text);
  std::fprintf(stderr, "foothold: %.*s\n", static_cast<int>(text.size()), text.data());
}

}  // namespace foothold
