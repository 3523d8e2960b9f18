// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "session/load_options.h"

#include "options/option_text.h"

namespace foothold {
namespace {

constexpr const char* kHostInputs = "ge.exec.hostInputIndexes";
constexpr std::string_view kBetween = ",;| \t[]";

}  // namespace

std::vector<std::size_t> HostInputsOf(const OptionMap& options) {
  std::vector<std::size_t> inputs;
  const auto found = options.find(kHostInputs);
  const std::string_view text = found == options.end() ? std::string_view() : found->second;
  for (auto begin = text.find_first_not_of(kBetween); begin != std::string_view::npos;) {
    const auto end = text.find_first_of(kBetween, begin);
    const std::string_view part = text.substr(begin, end - begin);
    const auto number = ParseInteger(part);
    if (!number || *number < 0) RefuseOption(kHostInputs, part, "is no number of an input");
    inputs.push_back(static_cast<std::size_t>(*number));
    begin = text.find_first_not_of(kBetween, end);
  }
  return inputs;
}

}  // namespace foothold
