// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How kernels of the program look, as include/foothold/kernel.h says to those who write them.
// api/codes/kernel_form_check.cpp holds the two together.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foothold {

struct KernelBlock {
  std::size_t struct_size;
  std::uint32_t index;
  std::uint32_t count;
  std::size_t args_size;
  void* local;
  std::size_t local_size;
  void (*fail)(const KernelBlock* block, const char* text);
  void* library;
};

struct KernelAccess {
  const void* address;
  std::size_t bytes;
  std::uint32_t use;
  std::uint32_t partial;
};
constexpr std::uint32_t kKernelReads = 1;
constexpr std::uint32_t kKernelWrites = 2;

using KernelEntry = void (*)(const KernelBlock*, const void* args);
using KernelAccesses = std::size_t (*)(const KernelBlock*, const void* args, KernelAccess*, std::size_t room);

}  // namespace foothold
