// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Doing something in a process of its own, which may die of it.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace foothold::doctor {

struct ChildResult {
  bool fine = false;   // it left with 0
  std::string output;  // standard output and errors
};

// Runs a program of PATH, at most `seconds` long.
ChildResult RunProgram(const std::vector<std::string>& words, unsigned seconds);
// Runs a function in a copy of this process; what it throws is its output. No thread may have been started.
ChildResult RunInChild(const std::function<void()>& function, unsigned seconds);

}  // namespace foothold::doctor
