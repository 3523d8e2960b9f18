// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Functions a file of the linker lists without exporting them. Any thread.
#pragma once

#include <cstdint>
#include <string>

namespace foothold::check {

// The mangled name of the function that holds the address, which counts as the file does; empty if there is
// none, or the file cannot be read.
std::string FunctionAt(const std::string& path, std::uint64_t address);

}  // namespace foothold::check
