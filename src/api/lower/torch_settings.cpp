// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Allocators of PyTorch state the names of their settings while they are loaded, each name once in a process.
// From 2.14 on torch's build for CUDA, which is the one the package index has, and torch_npu state two of
// them alike: the second ends the process before any of its functions could run. torch_npu links this
// library, so what stands here runs between the two. No CUDA is used then, and torch_npu states the names
// again.
#include <dlfcn.h>

#include <string>
#include <unordered_set>

namespace foothold {
namespace {

using Names = std::unordered_set<std::string>;

constexpr const char* kStatedTwice[] = {"per_process_memory_fraction", "pinned_reserve_segment_size_mb"};
// c10::CachingAllocator::AcceleratorAllocatorConfig::getMutableKeys()
constexpr const char* kNames =
    "_ZN3c1016CachingAllocator26AcceleratorAllocatorConfig14getMutableKeysB5cxx11Ev";

[[gnu::constructor]] void MakeRoomForTorchNpu() {
  void* const torch = dlopen("libc10.so", RTLD_LAZY | RTLD_NOLOAD);
  if (torch == nullptr) return;
  if (const auto names = reinterpret_cast<Names& (*)()>(dlsym(torch, kNames)); names != nullptr)
    for (const char* name : kStatedTwice)
      names().erase(name);
  dlclose(torch);
}

}  // namespace
}  // namespace foothold
