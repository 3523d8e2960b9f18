// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// For threads of the library, which begin with the signal mask of whoever started them: a program may have
// blocked all signals there, and a fault of a thread that blocks SIGSEGV ends the process, whatever a handler
// would have said (device/memory/held_writers.h).
#pragma once

#include <pthread.h>
#include <signal.h>

namespace foothold {

inline void AcceptFaults() noexcept {
  sigset_t faults;
  sigemptyset(&faults);
  sigaddset(&faults, SIGSEGV);
  pthread_sigmask(SIG_UNBLOCK, &faults, nullptr);
}

}  // namespace foothold
