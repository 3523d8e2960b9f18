// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A pooled object behind a handle that only points at shared state, so that queued work keeps the state alive
// after the handle is gone. Any thread.
#pragma once

#include <memory>
#include <mutex>

#include "base/handle_pool.h"
#include "base/spin.h"

namespace foothold {

template <typename State>
class HandledState : public Handled {
 public:
  std::shared_ptr<State> state() const {
    std::lock_guard<SpinLock> lock(lock_);
    return state_;
  }
  void set_state(std::shared_ptr<State> state) {
    std::lock_guard<SpinLock> lock(lock_);
    state_.swap(state);
  }

 private:
  mutable SpinLock lock_;
  std::shared_ptr<State> state_;
};

}  // namespace foothold
