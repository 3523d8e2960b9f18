// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The operators of the program: what ASCEND_CUSTOM_OPP_PATH names, loaded when a lookup of a prototype or an
// operator first finds nothing. What is wrong with a file is told on standard error and in the log; the
// others work. Any thread.
#pragma once

#include <string>
#include <vector>

namespace foothold {

struct CustomFile {
  std::string path;
  std::string problem;                 // empty if all is well
  std::vector<std::string> operators;  // types that can be used
};

struct CustomOperatorReport {
  std::vector<CustomFile> files;
  std::vector<std::string> path_problems;
};

// Loads them if that has not happened yet.
const CustomOperatorReport& CustomOperators();

}  // namespace foothold
