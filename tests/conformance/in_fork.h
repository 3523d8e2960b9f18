// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Runs a part of a test in a process of its own: forked, where nobody has used the library yet, or started
// anew, where it is loaded with another environment too.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <utility>

using Environment = std::initializer_list<std::pair<const char*, const char*>>;

// The child's exit code; 1000 and the number if a signal ended it.
inline int ExitStatusOf(pid_t child) {
  int status = 0;
  if (waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

// For tests whose forked child starts threads: the thread sanitizer ends it when one of them gets an id that
// a thread of its parent had ("dup thread with used id").
#ifdef __SANITIZE_THREAD__
#define SKIP_WHERE_FORKS_HAVE_NO_THREADS() GTEST_SKIP() << "no threads in a fork with the thread sanitizer"
#else
#define SKIP_WHERE_FORKS_HAVE_NO_THREADS() static_cast<void>(0)
#endif

// For tests that fork while another thread allocates: the address sanitizer of this compiler does not unlock
// its allocator in the child, which then waits for a thread that it does not have.
#ifdef __SANITIZE_ADDRESS__
#define SKIP_WHERE_FORKS_KEEP_ALLOCATORS_LOCKED() \
  GTEST_SKIP() << "the address sanitizer's allocator may be locked for ever in a forked child"
#else
#define SKIP_WHERE_FORKS_KEEP_ALLOCATORS_LOCKED() static_cast<void>(0)
#endif

// 0 if no expectation of `body` failed in the child. A child that hangs is ended by a signal.
template <typename Body>
int InFork(Environment environment, Body body) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    alarm(120);
    for (const auto& [name, value] : environment)
      setenv(name, value, 1);
    body();
    std::fflush(nullptr);
    _exit(testing::Test::HasFailure() ? 1 : 0);
  }
  return ExitStatusOf(child);
}

// The same for a test of this program that is disabled everywhere else ("Group.DISABLED_Name"): settings that
// are read when the library is loaded need a new program.
inline int InNewProgram(const char* disabled_test, Environment environment) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    alarm(120);
    for (const auto& [name, value] : environment)
      setenv(name, value, 1);
    const std::string filter = std::string("--gtest_filter=") + disabled_test;
    execl("/proc/self/exe", "conformance_tests", filter.c_str(), "--gtest_also_run_disabled_tests",
          "--gtest_brief=1", nullptr);
    _exit(127);
  }
  return ExitStatusOf(child);
}
