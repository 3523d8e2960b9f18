// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Texts that know how much room there is (libc_sec): what does not fit leaves an empty text. No header has
// these; prebuilt programs import them.
#include <cstdio>
#include <cstring>

#include "api/lower/bounded.h"

using namespace foothold::bounded;

namespace {

constexpr std::size_t kAll = SIZE_MAX;

// Puts at most `count` characters of `src` behind the `used` ones that are in `dest`.
errno_t PutText(char* dest, std::size_t room, std::size_t used, const char* src, std::size_t count) {
  const std::size_t length = strnlen(src, count < room ? count : room);
  if (length >= room - used) return ClearText(dest, room, kOutOfRange);
  if (length != 0 && Overlap(dest, used + length + 1, src, length)) return ClearText(dest, room, kOverlap);
  std::memcpy(dest + used, src, length);
  dest[used + length] = '\0';
  return kOk;
}

errno_t Copy(char* dest, std::size_t room, const char* src, std::size_t count) {
  const errno_t fault = CopyFault(dest, room, src, 0);
  if (fault != kOk) return ClearText(dest, room, fault);
  if (count != kAll && count > 0x7fffffff) return ClearText(dest, room, kOutOfRange);
  if (dest == src && strnlen(dest, room) < room && count >= strnlen(dest, room)) return kOk;
  return PutText(dest, room, 0, src, count);
}

errno_t Append(char* dest, std::size_t room, const char* src, std::size_t count) {
  const errno_t fault = CopyFault(dest, room, src, 0);
  if (fault != kOk) return ClearText(dest, room, fault);
  if (count != kAll && count > 0x7fffffff) return ClearText(dest, room, kOutOfRange);
  const std::size_t used = strnlen(dest, room);
  if (used == room) return ClearText(dest, room, kInvalid);
  return PutText(dest, room, used, src, count);
}

int NoText(char* dest, std::size_t room) {
  ClearText(dest, room, kInvalid);
  return -1;
}

enum class Long { kLeavesNothing, kIsCut };
constexpr int kCut = -2;  // there is a text, which fills the room

// The number of characters, kCut, or -1 for none.
int Print(char* dest, std::size_t room, Long too_long, const char* format, va_list arguments) {
  if (dest == nullptr || format == nullptr || !IsRoom(room)) return NoText(dest, room);
  const int length = std::vsnprintf(dest, room, format, arguments);
  if (length >= 0 && static_cast<std::size_t>(length) < room) return length;
  if (length >= 0 && too_long == Long::kIsCut) return kCut;
  *dest = '\0';
  return -1;
}

}  // namespace

errno_t strcpy_s(char* strDest, size_t destMax, const char* strSrc) {
  return Copy(strDest, destMax, strSrc, kAll);
}

errno_t strncpy_s(char* strDest, size_t destMax, const char* strSrc, size_t count) {
  return Copy(strDest, destMax, strSrc, count);
}

errno_t strcat_s(char* strDest, size_t destMax, const char* strSrc) {
  return Append(strDest, destMax, strSrc, kAll);
}

errno_t strncat_s(char* strDest, size_t destMax, const char* strSrc, size_t count) {
  return Append(strDest, destMax, strSrc, count);
}

char* strtok_s(char* strToken, const char* strDelimit, char** context) {
  if (context == nullptr || strDelimit == nullptr || (strToken == nullptr && *context == nullptr))
    return nullptr;
  return strtok_r(strToken, strDelimit, context);
}

int vsprintf_s(char* strDest, size_t destMax, const char* format, va_list argList) {
  return Print(strDest, destMax, Long::kLeavesNothing, format, argList);
}

int sprintf_s(char* strDest, size_t destMax, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = vsprintf_s(strDest, destMax, format, arguments);
  va_end(arguments);
  return length;
}

// More than `count` characters are cut off; where they do not fit into the room there is no text.
int vsnprintf_s(char* strDest, size_t destMax, size_t count, const char* format, va_list argList) {
  if (count != kAll && count >= 0x7fffffff) return NoText(strDest, destMax);
  if (!IsRoom(destMax) || count >= destMax)
    return Print(strDest, destMax, Long::kLeavesNothing, format, argList);
  const int length = Print(strDest, count + 1, Long::kIsCut, format, argList);
  return length == kCut ? -1 : length;
}

int snprintf_s(char* strDest, size_t destMax, size_t count, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf_s(strDest, destMax, count, format, arguments);
  va_end(arguments);
  return length;
}

// A text that was cut is an answer too: its length.
int vsnprintf_truncated_s(char* strDest, size_t destMax, const char* format, va_list argList) {
  const int length = Print(strDest, destMax, Long::kIsCut, format, argList);
  return length == kCut ? static_cast<int>(destMax) - 1 : length;
}

int snprintf_truncated_s(char* strDest, size_t destMax, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf_truncated_s(strDest, destMax, format, arguments);
  va_end(arguments);
  return length;
}
