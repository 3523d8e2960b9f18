// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Lines of source, asked of addr2line, a program of binutils that need not be there. It runs in a process
// that the checked program cannot notice: it gets no signal of it and does not find it among its children.
// Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace foothold::check {

struct SourceLine {
  std::string function;  // demangled; empty where it is not known
  std::string file;      // likewise
  int line = 0;
};

// For each address of the file, the functions that were inlined there, innermost first, and at last the one
// they are in. Empty for all if addr2line is missing or takes too long.
std::vector<std::vector<SourceLine>> FindSourceLines(const std::string& path,
                                                     const std::vector<std::uint64_t>& addresses);

}  // namespace foothold::check
