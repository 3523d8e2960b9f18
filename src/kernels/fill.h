// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Fills memory with a repeated value, large ranges past the caches and on several threads. Used by the memset
// calls and tasks. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foothold {

void FillBytes(void* dst, std::uint8_t value, std::size_t count);

// `count` values of four bytes; `dst` may have any alignment.
void FillWords(void* dst, std::uint32_t value, std::size_t count);

}  // namespace foothold
