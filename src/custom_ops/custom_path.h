// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// From ASCEND_CUSTOM_OPP_PATH to the files that may hold operators for this CPU.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace foothold {

struct CustomPath {
  std::vector<std::string> files;     // in the order they are loaded
  std::vector<std::string> problems;  // entries nothing comes from, each with the reason
};

// Entries are separated by colons: files, or folders whose *.so and foothold/*.so count, by name. A folder
// that has only operators for an NPU is a problem; an empty entry is none.
CustomPath FindCustomFiles(std::string_view path);

}  // namespace foothold
