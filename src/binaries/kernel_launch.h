// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Launches of kernels of the program. A launch is put together on the calling thread, checked, and queued as
// a task that holds all it needs, the code too. It never changes, so copies of the task share it. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "binaries/argument_block.h"
#include "binaries/binary.h"
#include "device/access.h"

namespace foothold {

struct ArgumentList;
struct StreamRef;

struct LaunchSettings {
  std::uint32_t blocks = 1;
  std::uint32_t first_block = 0;
  std::size_t local_bytes = 0;
};
constexpr std::size_t kMostLocalBytes = std::size_t{16} << 20;

// Data inside an argument block, and the pointer to it.
struct DataPointer {
  std::size_t slot;
  std::size_t offset;
};

struct KernelLaunch {
  KernelLaunch(std::shared_ptr<KernelFunction> kernel, const LaunchSettings& chosen, const char* call,
               std::size_t bytes)
      : function(std::move(kernel)), settings(chosen), api(call), block(bytes) {}

  const std::shared_ptr<KernelFunction> function;
  const LaunchSettings settings;
  const char* const api;
  ArgumentBlock block;
  // Arguments the program keeps in memory of a device, read when the kernel runs; then the block is empty.
  const void* given = nullptr;
  std::size_t given_size = 0;
  std::uint64_t given_serial = 0;
  std::vector<Access> accesses = {};  // declared ones
};

// A launch with its arguments, for whoever queues it. What a kernel declares to touch is checked: throws
// 107000 for memory that is not there. `known` are accesses the caller has checked.
std::shared_ptr<const KernelLaunch> MakeLaunch(std::shared_ptr<KernelFunction> function,
                                               const LaunchSettings& settings, const char* api,
                                               const void* bytes, std::size_t size,
                                               const std::vector<DataPointer>& pointers,
                                               std::vector<Access> known = {});
std::shared_ptr<const KernelLaunch> MakeLaunch(std::shared_ptr<KernelFunction> function,
                                               const LaunchSettings& settings, const char* api,
                                               const ArgumentList& list);
// Arguments behind a pointer: in memory of a device they are read when the kernel runs, elsewhere now.
std::shared_ptr<const KernelLaunch> MakeLaunchFrom(std::shared_ptr<KernelFunction> function,
                                                   const LaunchSettings& settings, const char* api,
                                                   const void* arguments, std::size_t size);
// One pointer for each declared parameter.
std::shared_ptr<const KernelLaunch> MakeLaunchOf(std::shared_ptr<KernelFunction> function,
                                                 const LaunchSettings& settings, const char* api,
                                                 void* const* values);

void Queue(const StreamRef& stream, std::shared_ptr<const KernelLaunch> launch);

}  // namespace foothold
