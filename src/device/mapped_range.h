// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Whether host memory of the program can be read from its first to its last byte, so that a copy past the end
// of a buffer becomes an error and not a fault. The system is asked, which costs as much as copying some
// kilobytes; each thread remembers what it was told last and asks again from time to time. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foothold {

// Memory within one page counts as there: its start was somebody's pointer. `bytes` is not 0, and the range
// does not wrap around.
bool IsMapped(std::uintptr_t address, std::size_t bytes) noexcept;

// For messages: how many of the bytes are there, up to the first that is not. 0 if it is the start.
std::size_t MappedBytes(std::uintptr_t address, std::size_t bytes) noexcept;

}  // namespace foothold
