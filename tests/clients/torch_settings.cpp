// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A stand-in for libc10.so of a torch for CUDA (torch_cuda_build.cpp is the program): it has the names of
// settings.
#include <string>
#include <unordered_set>

namespace c10::CachingAllocator {

struct AcceleratorAllocatorConfig {
  static std::unordered_set<std::string>& getMutableKeys();
};

std::unordered_set<std::string>& AcceleratorAllocatorConfig::getMutableKeys() {
  static std::unordered_set<std::string> names = {"expandable_segments", "per_process_memory_fraction",
                                                  "pinned_reserve_segment_size_mb"};
  return names;
}

}  // namespace c10::CachingAllocator

extern "C" bool StatedAlready(const char* name) {
  return c10::CachingAllocator::AcceleratorAllocatorConfig::getMutableKeys().count(name) != 0;
}
