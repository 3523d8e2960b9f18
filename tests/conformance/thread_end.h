// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The two ways a function of the program may end the thread it is called on.
#pragma once

#include <pthread.h>

enum class ThreadEnd { kExit, kCancel };

constexpr ThreadEnd kThreadEnds[] = {ThreadEnd::kExit, ThreadEnd::kCancel};

[[noreturn]] inline void EndThread(ThreadEnd end) {
  if (end == ThreadEnd::kCancel) {
    pthread_cancel(pthread_self());
    for (;;)
      pthread_testcancel();
  }
  pthread_exit(nullptr);
}
