// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// torch built for CUDA has stated the names of its settings when torch_npu comes, which states two of them
// again; a name that is there ends the process. torch_npu links the library, which is loaded in between.
#include <dlfcn.h>

#include "clients/check.h"

int main(int, char** arguments) {
  void* const torch = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  REQUIRE(torch != nullptr);
  const auto stated = reinterpret_cast<bool (*)(const char*)>(dlsym(torch, "StatedAlready"));
  REQUIRE(stated("per_process_memory_fraction") && stated("pinned_reserve_segment_size_mb"));
  REQUIRE(dlopen("libascendcl.so", RTLD_NOW | RTLD_LOCAL) != nullptr);
  REQUIRE(!stated("per_process_memory_fraction") && !stated("pinned_reserve_segment_size_mb"));
  REQUIRE(stated("expandable_segments"));
  return 0;
}
