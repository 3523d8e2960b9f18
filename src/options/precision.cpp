// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "options/precision.h"

#include <algorithm>
#include <string_view>

namespace foothold {
namespace {

constexpr std::string_view kKeys[] = {"ge.exec.precision_mode", "ge.exec.precision_mode_v2", "precision_mode",
                                      "precision_mode_v2", "PRECISION_MODE"};
// Of either version.
constexpr std::string_view kHalving[] = {
    "force_fp16", "allow_fp32_to_fp16", "allow_mix_precision",     "cube_fp16in_fp32out",
    "fp16",       "mixed_float16",      "allow_mix_precision_fp16"};

}  // namespace

bool AllowsHalfWeights(const OptionMap& options) {
  return std::any_of(std::begin(kKeys), std::end(kKeys), [&](std::string_view key) {
    const auto found = options.find(key);
    return found != options.end() &&
           std::find(std::begin(kHalving), std::end(kHalving), found->second) != std::end(kHalving);
  });
}

}  // namespace foothold
