// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <cstddef>
#include <cstdint>

#include "fuzz/png_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  foothold::FuzzPng(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
