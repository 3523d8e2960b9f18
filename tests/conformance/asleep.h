// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// When a thread has come to where it waits: the event of tests about calls that do not return.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <thread>

inline pid_t OwnThread() {
  return static_cast<pid_t>(syscall(SYS_gettid));
}

inline void WaitUntilAsleep(pid_t thread) {
  const std::string path = "/proc/self/task/" + std::to_string(thread) + "/stat";
  for (std::string line; std::getline(std::ifstream(path), line);) {
    const auto name_end = line.rfind(')');
    if (name_end != std::string::npos && line.compare(name_end + 2, 1, "S") == 0) return;
    std::this_thread::yield();
  }
}
