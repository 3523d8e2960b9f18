// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "capture/end_callbacks.h"

#include <algorithm>

#include "base/error.h"
#include "base/log.h"
#include "device/user_code.h"

namespace foothold {
namespace {

void CallAll(const std::vector<std::pair<UserFunction, void*>>& callbacks) {
  for (const auto& [function, argument] : callbacks) {
    try {
      function(argument);
    } catch (...) {
      Log(LogLevel::kError, "a callback for the end of a model instance threw: {}", CurrentError().message());
    }
  }
}

}  // namespace

EndCallbacks::~EndCallbacks() {
  if (!callbacks_.empty()) CallBesides([callbacks = std::move(callbacks_)] { CallAll(callbacks); });
}

void EndCallbacks::Add(UserFunction function, void* argument) {
  std::lock_guard<std::mutex> lock(mutex_);
  const Callback added(function, argument);
  if (std::find(callbacks_.begin(), callbacks_.end(), added) == callbacks_.end()) callbacks_.push_back(added);
}

void EndCallbacks::Remove(UserFunction function) {
  std::lock_guard<std::mutex> lock(mutex_);
  std::erase_if(callbacks_, [&](const Callback& callback) { return callback.first == function; });
}

void EndCallbacks::Call() {
  std::vector<Callback> callbacks;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    callbacks.swap(callbacks_);
  }
  CallAll(callbacks);
}

}  // namespace foothold
