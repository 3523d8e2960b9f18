// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Waking a sleeping thread costs more than most tasks, and the kernel tends to put the woken thread on the
// waker's core: a thread that has just woken another must not spin for its result but sleep at once.
#pragma once

namespace foothold {

namespace wake_cost_detail {
inline thread_local bool woke_somebody = false;
}

inline void NoteWakeUp() noexcept {
  wake_cost_detail::woke_somebody = true;
}

// Whether this thread woke another since the last call.
inline bool TookWakeUp() noexcept {
  const bool woke = wake_cost_detail::woke_somebody;
  wake_cost_detail::woke_somebody = false;
  return woke;
}

}  // namespace foothold
