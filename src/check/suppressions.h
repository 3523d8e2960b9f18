// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Findings a project has looked at and does not want to see again. A line of a file is
//
//   rule:frame[:frame of what was before]
//
// where a frame is the name of a function or of a library (libtorch_npu.so), '*' stands for anything and '#'
// begins a comment. A frame may be anywhere on the stack. Used by one thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "check/symbols.h"

namespace foothold::check {

class Suppressions {
 public:
  struct Line {
    std::string rule, frame, before;  // before: empty for any
    std::string text;
    std::uint64_t used = 0;
  };

  // Adds the lines of a text; `problems` gets those that cannot be understood.
  void Add(std::string_view text, std::vector<std::string>& problems);

  bool Matches(std::string_view rule, const std::vector<Frame>& now, const std::vector<Frame>& before);
  const std::vector<Line>& lines() const { return lines_; }

 private:
  std::vector<Line> lines_;
};

// Whether the text is what the pattern says: '*' is any number of any characters.
bool MatchesPattern(std::string_view pattern, std::string_view text);

// The line that would suppress this finding.
std::string SuppressionFor(std::string_view rule, const std::vector<Frame>& now,
                           const std::vector<Frame>& before);

}  // namespace foothold::check
