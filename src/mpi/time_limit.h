// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Waiting with the time limits of the hi_mpi family: -1 is for ever, 0 does not wait.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace foothold::mpi {

// True as soon as `ready()`, which is asked under the lock.
template <typename Ready>
bool WaitFor(std::condition_variable& changed, std::unique_lock<std::mutex>& lock, int milliseconds,
             Ready&& ready) {
  if (milliseconds < 0) {
    changed.wait(lock, ready);
    return true;
  }
  return changed.wait_for(lock, std::chrono::milliseconds(milliseconds), std::forward<Ready>(ready));
}

}  // namespace foothold::mpi
