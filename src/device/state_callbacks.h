// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Functions of the program that are told when devices are set and reset, streams created and destroyed, and
// tasks aborted, each under a name of its own. Called with no lock held; what they throw is logged. Any
// thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "base/error.h"
#include "base/held_locks.h"
#include "base/log.h"

namespace foothold {

template <typename... Args>
class NamedCallbacks {
 public:
  using Function = std::function<void(Args...)>;

  // An empty function removes the name. False if the name is taken.
  bool Set(const std::string& name, Function function) {
    std::lock_guard<std::mutex> lock(mutex_);
    auto changed = functions_ ? std::make_shared<Functions>(*functions_) : std::make_shared<Functions>();
    bool done = true;
    if (function) {
      done = changed->try_emplace(name, std::make_shared<Function>(std::move(function))).second;
    } else {
      changed->erase(name);
    }
    functions_ = std::move(changed);
    return done;
  }

  // Needs no memory of its own.
  void Call(Args... args) const {
    const auto functions = this->functions();
    if (!functions) return;
    for (const auto& [name, function] : *functions) {
      EnterProgram("a state callback");
      try {
        (*function)(args...);
      } catch (const Error&) {  // the answer of a callback that may refuse
        throw;
      } catch (...) {
        Log(LogLevel::kError, "a state callback threw: {}", CurrentError().message());
      }
    }
  }

  void Clear() {
    std::lock_guard<std::mutex> lock(mutex_);
    functions_.reset();
  }

 private:
  using Functions = std::map<std::string, std::shared_ptr<Function>>;

  std::shared_ptr<const Functions> functions() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return functions_;
  }

  mutable std::mutex mutex_;                    // guards functions_
  std::shared_ptr<const Functions> functions_;  // never changed, but replaced; null: none
};

enum class DeviceState { kSetBefore, kSetAfter, kResetBefore, kResetAfter };
enum class StreamState { kCreated = 1, kDestroying = 2 };
enum class AbortStage { kBefore, kAfter };

struct StateCallbacks {
  NamedCallbacks<int, DeviceState> device;
  NamedCallbacks<void*, StreamState> stream;
  NamedCallbacks<int, AbortStage, unsigned> abort;
};

}  // namespace foothold
