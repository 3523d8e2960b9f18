// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/exception_callbacks.h"

#include <algorithm>
#include <new>

#include "base/error.h"
#include "base/log.h"

namespace foothold {

void ExceptionCallbacks::SetSlot(Callback callback) {
  std::lock_guard<std::mutex> lock(mutex_);
  slot_ = callback;
}

void ExceptionCallbacks::Add(Callback callback) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (std::find(list_.begin(), list_.end(), callback) == list_.end()) list_.push_back(callback);
}

void ExceptionCallbacks::Remove(Callback callback) {
  std::lock_guard<std::mutex> lock(mutex_);
  list_.erase(std::remove(list_.begin(), list_.end(), callback), list_.end());
}

void ExceptionCallbacks::Clear() {
  std::lock_guard<std::mutex> lock(mutex_);
  slot_ = nullptr;
  list_.clear();
}

std::vector<ExceptionCallbacks::Callback> ExceptionCallbacks::All() {
  std::lock_guard<std::mutex> lock(mutex_);
  std::vector<Callback> all = list_;
  if (slot_ != nullptr) all.insert(all.begin(), slot_);
  return all;
}

void ExceptionCallbacks::Notify(rtExceptionInfo info) {
  std::vector<Callback> all;
  try {
    all = All();
  } catch (const std::bad_alloc&) {  // the failure itself is still reported
  }
  for (Callback callback : all) {
    try {
      callback(&info);
    } catch (...) {
      Log(LogLevel::kError, "an exception callback threw: {}", CurrentError().message());
    }
  }
}

}  // namespace foothold
