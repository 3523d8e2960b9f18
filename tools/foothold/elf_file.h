// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the loader reads of a program or library: which libraries it needs and where it says they are.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace foothold::doctor {

struct ElfFile {
  int machine = 0;
  bool dynamic = false;  // needs the loader
  std::string soname;
  std::vector<std::string> needed;
  std::string rpath, runpath;  // as written: with $ORIGIN, separated by colons
};

// Nothing if it cannot be read or is no 64-bit program or library of this byte order.
std::optional<ElfFile> ReadElf(const std::string& path);

}  // namespace foothold::doctor
