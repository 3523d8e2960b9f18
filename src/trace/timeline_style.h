// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What kinds of boxes look like, and how times are written; for the drawings of timelines.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace foothold::timeline {

struct Style {
  std::string_view category, fill, sign, meaning;
};
inline constexpr std::array<Style, 8> kStyles = {{{"api", "#7aa6d8", "─", "call of the API"},
                                                  {"wait", "url(#wait)", "·", "call that waits"},
                                                  {"task", "#8ac48a", "▓", "task of a stream"},
                                                  {"node", "#e3a857", "█", "kernel"},
                                                  {"callback", "#c48ac4", "◆", "function of the program"},
                                                  {"mark", "#d87a7a", "▒", "range of the program"},
                                                  {"collective", "#5bb5b0", "▚", "collective"},
                                                  {"held", "#e8d5c0", "░", "waits for ranks"}}};

inline const Style& StyleOf(const std::string& category) {
  const auto found = std::find_if(kStyles.begin(), kStyles.end(),
                                  [&](const Style& style) { return style.category == category; });
  return found == kStyles.end() ? kStyles.front() : *found;
}

inline std::string Duration(double microseconds) {
  if (microseconds < 1000) return fmt::format("{:.3g} µs", microseconds);
  return microseconds < 1e6 ? fmt::format("{:.3g} ms", microseconds / 1e3)
                            : fmt::format("{:.3g} s", microseconds / 1e6);
}

}  // namespace foothold::timeline
