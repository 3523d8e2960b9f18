// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The numbers by which a thread is known: pthread_self() as programs pass it to aclrtSubscribeReport, and the
// kernel's id as messages show it.
#pragma once

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace foothold {

inline std::uint64_t SelfThread() noexcept {
  return static_cast<std::uint64_t>(pthread_self());
}

inline std::uint32_t KernelThreadId() noexcept {
  static thread_local const auto id = static_cast<std::uint32_t>(syscall(SYS_gettid));
  return id;
}

}  // namespace foothold
