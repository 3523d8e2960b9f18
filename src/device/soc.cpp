// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/soc.h"

#include "base/environment.h"

namespace foothold {
namespace {

std::string_view Family(std::string_view name) {
  const auto last = name.find_last_not_of("0123456789");
  // "Ascend910": the number is the chip itself, not a variant.
  if (last == std::string_view::npos || name.substr(0, last + 1) == "Ascend") return name;
  return name.substr(0, last + 1);
}

}  // namespace

std::string SocNameFromEnvironment() {
  const std::string name = GetEnv("FOOTHOLD_SOC_NAME").value_or("");
  return name.empty() ? kDefaultSocName : name;
}

bool SameSocFamily(std::string_view one, std::string_view other) {
  return Family(one) == Family(other);
}

}  // namespace foothold
