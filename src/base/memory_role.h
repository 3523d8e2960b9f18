// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What memory is to the task that touches it, where that decides what a program has done wrong.
#pragma once

#include <cstdint>

namespace foothold {

enum class MemoryRole : std::uint8_t {
  kData,
  kWorkspace,   // of an operator of aclnn
  kModelWork,   // lent to a model when it was loaded
  kGraphInput,  // of a run of a graph
  kGraphOutput,
  kGraphMemory,  // a base the program has set for a graph
  kPoolBlock,    // of an allocator of the program
};

}  // namespace foothold
