// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Makes use of uninitialised and of freed memory show. Debug builds, and all while programs are checked, fill
// fresh and freed blocks with bytes that are easy to recognise and make poor numbers; builds with the address
// sanitizer report every access to freed blocks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

namespace foothold {

constexpr unsigned char kFreshByte = 0xCB;
constexpr unsigned char kFreedByte = 0xDB;
#ifdef NDEBUG
constexpr bool kFillsAlways = false;
#else
constexpr bool kFillsAlways = true;
#endif

inline void Poison([[maybe_unused]] std::uintptr_t at, [[maybe_unused]] std::size_t bytes) {
#ifdef __SANITIZE_ADDRESS__
  __asan_poison_memory_region(reinterpret_cast<void*>(at), bytes);
#endif
}

inline void Unpoison([[maybe_unused]] std::uintptr_t at, [[maybe_unused]] std::size_t bytes) {
#ifdef __SANITIZE_ADDRESS__
  __asan_unpoison_memory_region(reinterpret_cast<void*>(at), bytes);
#endif
}

// Of very large blocks only both ends, so that reserving much and using little stays cheap.
inline void FillEnds(std::uintptr_t at, std::size_t bytes, unsigned char value) {
  const std::size_t end = std::min(bytes, std::size_t{8} << 20);
  std::memset(reinterpret_cast<void*>(at), value, end);
  std::memset(reinterpret_cast<void*>(at + bytes - end), value, std::min(end, bytes - end));
}

}  // namespace foothold
