// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A program run with the checking mode on, and what it and its children have reported.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace foothold {

struct CheckedRun {
  int status = 0;                                     // of waitpid
  std::string cannot_start;                           // why, if it could not
  std::size_t processes = 0;                          // with the library in them
  bool took_too_long = false;                         // and was ended
  std::size_t injected = 0;                           // faults
  std::vector<std::vector<std::string>> allocations;  // places of a process, one after the other, if watched
  std::vector<nlohmann::ordered_json> findings;
  std::string text;      // of all processes, one after the other
  std::string sections;  // of a page, if one is wanted

  std::size_t Count(const std::string& severity) const;
  // What another run found comes behind; the status is that one's.
  void Add(CheckedRun other);
};

// `words` is the program, found as the shell does, and its arguments; `variables` are set for it, on top of
// those that make it report.
// The whole group of processes is ended after `time_limit` seconds; 0: never.
CheckedRun RunChecked(const std::vector<std::string>& words,
                      const std::vector<std::pair<std::string, std::string>>& variables, bool page,
                      int time_limit);

}  // namespace foothold
