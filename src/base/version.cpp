// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/version.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"

namespace foothold {
namespace {

constexpr std::array<std::string_view, 12> kPackages = {
    "cann", "toolkit",  "runtime", "compiler", "opp",        "opp_kernel",
    "hccl", "ops_math", "ops_nn",  "ops_cv",   "ops_legacy", "ops_transformer"};
constexpr std::array<std::string_view, 2> kDriverPackages = {"driver", "firmware"};

bool IsOneOf(const auto& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::string Version::Text() const {
  return fmt::format("{}.{}.{}", major_number, minor_number, patch_number);
}

int Version::Number() const {
  return major_number * 10'000'000 + minor_number * 100'000 + patch_number * 1'000;
}

Version PackageVersion(std::string_view package) {
  if (IsOneOf(kPackages, package)) return kInterfaceVersion;
  if (IsOneOf(kDriverPackages, package)) return kDriverVersion;
  Fail(kInvalidParam, "package \"{}\" is not installed; there are {}, {}", package,
       fmt::join(kPackages, ", "), fmt::join(kDriverPackages, ", "));
}

}  // namespace foothold
