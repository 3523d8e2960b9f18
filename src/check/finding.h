// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What a report is made from: plain values, gathered where the rule was seen to be broken.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "check/rules.h"
#include "check/stacks.h"

namespace foothold::check {

// Something the program did, or had done: a call, a task.
struct Act {
  std::string call;
  std::string arguments;
  std::string does;                                  // "writes bytes 0-4095"; may be empty
  std::string agent;                                 // "stream 2"; empty: the host
  std::optional<std::uint32_t> task = std::nullopt;  // its number in the stream
  std::int32_t stream = 0;                           // that of the task
  std::string how = "called by";                     // "queued by"
  Site site;
};

// An object that matters here, and who made it.
struct Object {
  std::string label;  // "memory", "stream": at most 7 letters
  std::string text;
  std::vector<std::pair<std::string, Site>> history;  // "made by", "freed by", ...
};

struct Finding {
  const Rule* rule = nullptr;
  std::optional<Severity> severity;  // where it is not the rule's own
  std::string headline;              // what happened, in one line
  Act now;
  std::optional<Act> before;
  std::vector<Object> objects;
  std::string order;                                     // what one agent knows of the other; may be empty
  std::string fix;                                       // empty: the rule's
  std::vector<std::pair<std::string, std::string>> key;  // beside rule, now and before
  bool leaks = false;                                    // what it is about is left for good
  std::uint64_t places = 1;                              // how many objects it is about

  Severity weight() const { return severity.value_or(rule->severity); }
};

}  // namespace foothold::check
