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

namespace thread_id_detail {
inline thread_local std::uint32_t kernel_id = 0;
}

inline std::uint32_t KernelThreadId() noexcept {
  std::uint32_t& id = thread_id_detail::kernel_id;
  if (id == 0) id = static_cast<std::uint32_t>(syscall(SYS_gettid));
  return id;
}

// For the one thread of a forked child, which is another one to the kernel.
inline void ForgetKernelThreadId() noexcept {
  thread_id_detail::kernel_id = 0;
}

}  // namespace foothold
