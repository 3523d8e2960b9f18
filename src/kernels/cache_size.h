// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The caches of this machine, for kernels that choose how to go through memory. Any thread.
#pragma once

#include <cstddef>

namespace foothold {

// The last cache before memory, as one core sees it; a guess where the system does not tell.
std::size_t SharedCacheBytes();

}  // namespace foothold
