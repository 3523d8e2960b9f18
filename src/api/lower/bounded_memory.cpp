// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Copies that know how much room there is (libc_sec). What does not fit changes nothing beyond the room,
// which is cleared, and is told by the number that comes back. No header has these; prebuilt programs import
// them.
#include "api/lower/bounded.h"

#include <cstring>

using namespace foothold::bounded;

errno_t memset_s(void* dest, size_t destMax, int c, size_t count) {
  if (!IsRoom(destMax)) return kOutOfRange;
  if (dest == nullptr) return kInvalid;
  std::memset(dest, c, count > destMax ? destMax : count);
  return count > destMax ? kOutOfRange | kCleared : kOk;
}

errno_t memcpy_s(void* dest, size_t destMax, const void* src, size_t count) {
  const errno_t fault = CopyFault(dest, destMax, src, count);
  if (fault != kOk) return ClearBytes(dest, destMax, fault);
  if (dest == src || count == 0) return kOk;
  if (Overlap(dest, count, src, count)) return ClearBytes(dest, destMax, kOverlap);
  std::memcpy(dest, src, count);
  return kOk;
}

errno_t memmove_s(void* dest, size_t destMax, const void* src, size_t count) {
  const errno_t fault = CopyFault(dest, destMax, src, count);
  if (fault != kOk) return ClearBytes(dest, destMax, fault);
  if (count != 0) std::memmove(dest, src, count);
  return kOk;
}
