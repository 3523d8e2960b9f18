// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What a task touches of the program's memory, as every task says of itself (task.h). Plain values: they stay
// true after the task is gone.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/memory_role.h"

namespace foothold {

enum class Use { kRead, kWrite };

// kPartial: may touch less than it says. Only an exact write replaces all that was there before.
enum class Extent { kExact, kPartial };

struct Access {
  const void* address;  // as the program gave it
  std::size_t bytes;    // may be 0
  Use use;
  Extent extent;
  std::uint64_t serial;  // of the allocation; 0 for pageable memory
  MemoryRole role = MemoryRole::kData;

  bool operator==(const Access&) const = default;
};

}  // namespace foothold
