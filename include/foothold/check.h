// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
/*
 * For programs with pools of their own: tells `foothold check` where the blocks inside of an allocation are,
 * so that writes behind a block and blocks handed to another stream too early are found (ACL-MEM-007,
 * ACL-RACE-006). Nothing has to be linked: without Foothold, and with programs that are not being checked,
 * each of these does nothing. C and C++, no other header is needed; a client may carry a copy of this one.
 *
 *   void* Pool::Take(size_t bytes, aclrtStream stream) {
 *     void* block = ...;
 *     FootholdBlockTaken(block, bytes, stream, "activations");
 *     return block;
 *   }
 */
#ifndef FOOTHOLD_CHECK_H_
#define FOOTHOLD_CHECK_H_

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The library's side; null where it is not there. Not to be called directly. */
void FootholdCheckBlockTaken(void* address, size_t bytes, const void* stream, const char* name)
    __attribute__((weak, visibility("default")));
void FootholdCheckBlockGiven(void* address, const void* stream) __attribute__((weak, visibility("default")));
void FootholdCheckWritten(void* address, size_t bytes) __attribute__((weak, visibility("default")));
void FootholdCheckIgnore(int begins) __attribute__((weak, visibility("default")));

#ifdef __cplusplus
}
#endif

/* The pool hands out `bytes` of an allocation, to be used on `stream` first. `name` is copied; may be null.
 */
static inline void FootholdBlockTaken(void* address, size_t bytes, const void* stream, const char* name) {
  if (FootholdCheckBlockTaken) FootholdCheckBlockTaken(address, bytes, stream, name);
}

/* The block that begins there goes back to the pool; tasks that use it may still be queued on `stream`. */
static inline void FootholdBlockGiven(void* address, const void* stream) {
  if (FootholdCheckBlockGiven) FootholdCheckBlockGiven(address, stream);
}

/* These bytes of device memory were written in a way the library cannot see: by a kernel that does not say
 * what it touches, by another process. */
static inline void FootholdWritten(void* address, size_t bytes) {
  if (FootholdCheckWritten) FootholdCheckWritten(address, bytes);
}

/* What this thread does in between is not looked at. Pairs may be nested. */
static inline void FootholdIgnoreBegin(void) {
  if (FootholdCheckIgnore) FootholdCheckIgnore(1);
}
static inline void FootholdIgnoreEnd(void) {
  if (FootholdCheckIgnore) FootholdCheckIgnore(0);
}

#endif /* FOOTHOLD_CHECK_H_ */
