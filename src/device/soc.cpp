// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/soc.h"

#include <algorithm>
#include <iterator>

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

bool HasBinaryKernels(std::string_view name) {
  constexpr std::string_view kCompiled[] = {"Ascend310",     "Ascend310P",       "Ascend310B",
                                            "Ascend910",     "Ascend910A",       "Ascend910ProA",
                                            "Ascend910ProB", "Ascend910PremiumA"};
  return std::find(std::begin(kCompiled), std::end(kCompiled), Family(name)) == std::end(kCompiled) &&
         name != "Ascend910B";
}

bool SameSocFamily(std::string_view one, std::string_view other) {
  return Family(one) == Family(other);
}

}  // namespace foothold
