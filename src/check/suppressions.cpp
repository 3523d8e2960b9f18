// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/suppressions.h"

#include <fmt/format.h>

#include <algorithm>

namespace foothold::check {
namespace {

bool AnyFrame(const std::string& pattern, const std::vector<Frame>& frames) {
  if (pattern == "*") return true;
  return std::any_of(frames.begin(), frames.end(), [&](const Frame& frame) {
    return MatchesPattern(pattern, frame.Name()) || MatchesPattern(pattern, frame.library());
  });
}

std::string_view Trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// At single colons: names of functions have double ones.
std::vector<std::string> SplitParts(std::string_view line) {
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool is_double = line[i] == ':' && i + 1 < line.size() && line[i + 1] == ':';
    if (is_double) {
      parts.back() += "::";
      ++i;
    } else if (line[i] == ':') {
      parts.emplace_back();
    } else {
      parts.back() += line[i];
    }
  }
  return parts;
}

}  // namespace

bool MatchesPattern(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p, ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

void Suppressions::Add(std::string_view text, std::vector<std::string>& problems) {
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view whole = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string_view line = Trimmed(whole.substr(0, whole.find('#')));
    if (line.empty()) continue;
    const std::vector<std::string> parts = SplitParts(line);
    if (parts.size() < 2 || parts.size() > 3 || parts[0].empty() || parts[1].empty()) {
      problems.push_back(fmt::format("\"{}\" is not rule:frame or rule:frame:frame", line));
      continue;
    }
    lines_.push_back({parts[0], parts[1], parts.size() == 3 ? parts[2] : "", std::string(line)});
  }
}

bool Suppressions::Matches(std::string_view rule, const std::vector<Frame>& now,
                           const std::vector<Frame>& before) {
  for (Line& line : lines_) {
    if (!MatchesPattern(line.rule, rule) || !AnyFrame(line.frame, now)) continue;
    if (!line.before.empty() && !AnyFrame(line.before, before)) continue;
    ++line.used;
    return true;
  }
  return false;
}

std::string SuppressionFor(std::string_view rule, const std::vector<Frame>& now,
                           const std::vector<Frame>& before) {
  std::string line = fmt::format("{}:{}", rule, now.empty() ? "*" : now.front().Name());
  if (!before.empty()) line += fmt::format(":{}", before.front().Name());
  return line;
}

}  // namespace foothold::check
