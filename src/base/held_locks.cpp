// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/held_locks.h"

#ifdef FOOTHOLD_LOCKS_CHECK

#include <execinfo.h>
#include <pthread.h>

#include <cstdio>
#include <cstdlib>

namespace foothold {
namespace {

constexpr int kFrames = 12;
constexpr int kMost = 128;  // held at once: those around a fork are one for each kind of object

struct Held {
  const void* lock;
  void* frames[kFrames];
  int depth;
};
constinit thread_local Held held[kMost] = {};
constinit thread_local int count = 0;

}  // namespace

void NoteLocked(const void* lock) noexcept {
  if (count == kMost) std::abort();
  held[count].lock = lock;
  held[count].depth = backtrace(held[count].frames, kFrames);
  ++count;
}

// A lock taken before this library was loaded, or by the parent of a forked child, is not there.
void NoteUnlocked(const void* lock) noexcept {
  for (int i = count - 1; i >= 0; --i) {
    if (held[i].lock != lock) continue;
    for (--count; i < count; ++i)
      held[i] = held[i + 1];
    return;
  }
}

void EnterProgram(const char* what) noexcept {
  if (count == 0) return;
  std::fprintf(stderr, "locks-check: %s is called with %d locks held; the last was taken here:\n", what,
               count);
  backtrace_symbols_fd(held[count - 1].frames, held[count - 1].depth, 2);
  std::abort();
}

}  // namespace foothold

// The linker sends the library's calls of these functions here (--wrap).
extern "C" {

#define FOOTHOLD_COUNTED(function, lock_type)    \
  int __real_##function(lock_type* lock);        \
  int __wrap_##function(lock_type* lock) {       \
    const int result = __real_##function(lock);  \
    if (result == 0) foothold::NoteLocked(lock); \
    return result;                               \
  }
#define FOOTHOLD_UNCOUNTED(function, lock_type) \
  int __real_##function(lock_type* lock);       \
  int __wrap_##function(lock_type* lock) {      \
    foothold::NoteUnlocked(lock);               \
    return __real_##function(lock);             \
  }

FOOTHOLD_COUNTED(pthread_mutex_lock, pthread_mutex_t)
FOOTHOLD_COUNTED(pthread_mutex_trylock, pthread_mutex_t)
FOOTHOLD_COUNTED(pthread_rwlock_rdlock, pthread_rwlock_t)
FOOTHOLD_COUNTED(pthread_rwlock_wrlock, pthread_rwlock_t)
FOOTHOLD_COUNTED(pthread_rwlock_tryrdlock, pthread_rwlock_t)
FOOTHOLD_COUNTED(pthread_rwlock_trywrlock, pthread_rwlock_t)
FOOTHOLD_UNCOUNTED(pthread_mutex_unlock, pthread_mutex_t)
FOOTHOLD_UNCOUNTED(pthread_rwlock_unlock, pthread_rwlock_t)
}

#endif
