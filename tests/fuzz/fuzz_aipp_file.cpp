// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <cstddef>
#include <cstdint>

#include "fuzz/aipp_file_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  foothold::FuzzAippFile(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
