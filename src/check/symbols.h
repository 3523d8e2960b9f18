// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What stands at an address of the program: function, file and line. Names come from the tables the program
// and its libraries carry, lines from addr2line where it is installed. Slow, for reports. Any thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "check/stacks.h"

namespace foothold::check {

struct Frame {
  std::string function;  // may be empty
  std::string module;    // path
  std::uint64_t offset = 0;
  std::string file;  // empty where it is not known
  int line = 0;

  // The last part of the module's path.
  std::string library() const;
  // "Pool::Grow  pool.cpp:40", or as much of it as is known.
  std::string Name() const;
  std::string Place() const;
};

// The program's part of a stack, innermost first; functions that were inlined stand for themselves.
std::vector<Frame> ResolveStack(StackId stack);
// Its name, or its address where it has none.
std::string NameOfFunction(const void* function);

}  // namespace foothold::check
