// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/sync_use.h"

#include <fmt/format.h>

namespace foothold {

std::string SyncUse::Name() const {
  switch (what) {
    case What::kEvent:
      return fmt::format("event {}", id);
    case What::kNotify:
      return fmt::format("notify {}", id);
    case What::kCountNotify:
      return fmt::format("counted notify {}", id);
    case What::kValue:
      return fmt::format("the value at {}", point);
    case What::kOther:
      break;
  }
  return "something";
}

}  // namespace foothold
