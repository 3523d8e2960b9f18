// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How much memory of the machine this process takes, in MiB.
#pragma once

#include <cstdlib>
#include <fstream>
#include <string>

namespace bench {

inline double ResidentMegabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("VmRSS:", 0) == 0) return std::atof(line.c_str() + 6) / 1024;
  return 0;
}

}  // namespace bench
