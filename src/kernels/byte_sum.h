// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A number that changes when bytes do, at the speed of reading them: whether a program has changed what a
// queued copy will read. It tells accidents, not forgeries, and is another one on other processors. Any
// thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foothold {

// Of all bytes, or of one piece of `every` ones: the first, or another by `phase`, which is less than
// `every`. Pieces have at most 256 bytes.
std::uint64_t SumOfBytes(const void* bytes, std::size_t count, std::size_t every = 1, std::size_t phase = 0);

}  // namespace foothold
