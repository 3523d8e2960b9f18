// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Numbers that change when bytes do, at the speed of reading them: whether a program has changed what a
// queued copy will read, and about where. They tell accidents, not forgeries, and are others on other
// processors. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foothold {

// A number for each `piece` bytes, the last of which may be shorter: of all of them, or of one strip of
// `every` ones: the first, or another by `phase`, which is less than `every`. Strips have at most 256 bytes.
void SumBytes(const void* bytes, std::size_t count, std::size_t piece, std::size_t every, std::size_t phase,
              std::uint32_t* sums);

}  // namespace foothold
