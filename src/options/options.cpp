// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "options/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/graph_codes.h"
#include "options/known_options.h"
#include "options/option_text.h"

namespace foothold {
namespace {

struct Choice {
  std::string_view key;
  std::vector<std::string_view> values;
};

const std::vector<Choice>& Choices() {
  static const auto* choices =
      new std::vector<Choice>{{"ge.graphRunMode", {"0", "1"}},
                              {"ge.exec.enableDump", {"0", "1"}},
                              {"ge.featureBaseRefreshable", {"0", "1"}},
                              {"ge.exec.precision_mode",
                               {"force_fp16", "force_fp32", "allow_fp32_to_fp16", "must_keep_origin_dtype",
                                "allow_mix_precision", "allow_mix_precision_fp16", "allow_mix_precision_bf16",
                                "allow_fp32_to_bf16", "cube_fp16in_fp32out"}}};
  return *choices;
}

[[noreturn]] void Refuse(std::string_view key, std::string_view value, std::string_view expected) {
  throw Error(kGeParamInvalid, fmt::format("option {} is \"{}\"; it must be {}", key, value, expected),
              kBadOption);
}

bool IsDeviceNumber(std::string_view text) {
  return ParseInteger(text).value_or(-2) >= -1;
}

}  // namespace

Options::Options(const Options& outer, const OptionMap& inner) : map_(inner) {
  map_.insert(outer.map_.begin(), outer.map_.end());
}

std::optional<std::string> Options::Find(std::string_view key) const {
  const auto found = map_.find(key);
  return found == map_.end() ? std::nullopt : std::optional<std::string>(found->second);
}

bool Options::IsOn(std::string_view key) const {
  std::string value = Find(key).value_or("");
  for (char& c : value)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return value == "1" || value == "true" || value == "enable" || value == "on";
}

void CheckOptions(const OptionMap& options) {
  for (const Choice& choice : Choices()) {
    const auto found = options.find(choice.key);
    if (found == options.end()) continue;
    if (std::find(choice.values.begin(), choice.values.end(), found->second) == choice.values.end())
      Refuse(choice.key, found->second, fmt::format("one of {}", fmt::join(choice.values, ", ")));
  }
  for (const std::string_view key : {"ge.exec.deviceId", "ge.session_device_id"})
    if (const auto found = options.find(key); found != options.end() && !IsDeviceNumber(found->second))
      Refuse(key, found->second, "the number of a device, or -1");
  const auto both = options.find("ge.exec.precision_mode");
  if (both != options.end() && options.count("ge.exec.precision_mode_v2") != 0)
    Refuse("ge.exec.precision_mode", both->second, "absent where ge.exec.precision_mode_v2 is given");
  WarnAboutOptions(options);
}

}  // namespace foothold
