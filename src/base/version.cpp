// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/version.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"

namespace foothold {
namespace {

constexpr std::array<std::string_view, 5> kPackages = {"cann", "toolkit", "runtime", "compiler", "opp"};

}  // namespace

std::string Version::Text() const {
  return fmt::format("{}.{}.{}", major_number, minor_number, patch_number);
}

int Version::Number() const {
  return major_number * 10'000'000 + minor_number * 100'000 + patch_number * 1'000;
}

Version PackageVersion(std::string_view package) {
  if (std::find(kPackages.begin(), kPackages.end(), package) != kPackages.end()) return kInterfaceVersion;
  Fail(kInvalidParam, "package \"{}\" is not installed; there are {}", package, fmt::join(kPackages, ", "));
}

}  // namespace foothold
