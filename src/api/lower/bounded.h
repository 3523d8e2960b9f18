// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Functions of libc_sec and what they have in common: the numbers they answer, and what becomes of the room
// when something does not fit. Any thread.
#pragma once

#include <cstdarg>
#include <cstddef>
#include <cstdint>

#include "acl/acl_base.h"

using errno_t = int;

extern "C" {

ACL_FUNC_VISIBILITY errno_t memset_s(void* dest, size_t destMax, int c, size_t count);
ACL_FUNC_VISIBILITY errno_t memcpy_s(void* dest, size_t destMax, const void* src, size_t count);
ACL_FUNC_VISIBILITY errno_t memmove_s(void* dest, size_t destMax, const void* src, size_t count);
ACL_FUNC_VISIBILITY errno_t strcpy_s(char* strDest, size_t destMax, const char* strSrc);
ACL_FUNC_VISIBILITY errno_t strncpy_s(char* strDest, size_t destMax, const char* strSrc, size_t count);
ACL_FUNC_VISIBILITY errno_t strcat_s(char* strDest, size_t destMax, const char* strSrc);
ACL_FUNC_VISIBILITY errno_t strncat_s(char* strDest, size_t destMax, const char* strSrc, size_t count);
ACL_FUNC_VISIBILITY char* strtok_s(char* strToken, const char* strDelimit, char** context);
ACL_FUNC_VISIBILITY int sprintf_s(char* strDest, size_t destMax, const char* format, ...);
ACL_FUNC_VISIBILITY int vsprintf_s(char* strDest, size_t destMax, const char* format, va_list argList);
ACL_FUNC_VISIBILITY int snprintf_s(char* strDest, size_t destMax, size_t count, const char* format, ...);
ACL_FUNC_VISIBILITY int vsnprintf_s(char* strDest, size_t destMax, size_t count, const char* format,
                                    va_list argList);
ACL_FUNC_VISIBILITY int snprintf_truncated_s(char* strDest, size_t destMax, const char* format, ...);
ACL_FUNC_VISIBILITY int vsnprintf_truncated_s(char* strDest, size_t destMax, const char* format,
                                              va_list argList);

}  // extern "C"

namespace foothold::bounded {

constexpr errno_t kOk = 0;
constexpr errno_t kInvalid = 22;
constexpr errno_t kOutOfRange = 34;
constexpr errno_t kOverlap = 54;
constexpr errno_t kCleared = 128;  // added where the room was cleared

inline bool IsRoom(std::size_t size) {
  return size != 0 && size <= 0x7fffffff;
}

inline bool Overlap(const void* one, std::size_t one_bytes, const void* other, std::size_t other_bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(one), second = reinterpret_cast<std::uintptr_t>(other);
  return first < second + other_bytes && second < first + one_bytes;
}

// What is wrong with a copy, places that overlap aside.
inline errno_t CopyFault(const void* dest, std::size_t room, const void* src, std::size_t count) {
  if (!IsRoom(room)) return kOutOfRange;
  if (dest == nullptr || src == nullptr) return kInvalid;
  return count > room ? kOutOfRange : kOk;
}

// Answers the fault, with the room cleared if there is one.
inline errno_t ClearBytes(void* dest, std::size_t room, errno_t fault) {
  if (dest == nullptr || !IsRoom(room)) return fault;
  __builtin_memset(dest, 0, room);
  return fault | kCleared;
}
inline errno_t ClearText(char* dest, std::size_t room, errno_t fault) {
  if (dest == nullptr || !IsRoom(room)) return fault;
  *dest = '\0';
  return fault | kCleared;
}

}  // namespace foothold::bounded
