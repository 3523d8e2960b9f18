// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/exception_callbacks.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/held_locks.h"
#include "base/log.h"

namespace foothold {
namespace {

template <typename Function>
void Call(const Function& function) {
  EnterProgram("an exception callback");
  try {
    function();
  } catch (...) {
    Log(LogLevel::kError, "an exception callback threw: {}", CurrentError().message());
  }
}

}  // namespace

void ExceptionCallbacks::SetSlot(Callback callback) {
  std::lock_guard<std::mutex> lock(mutex_);
  Change(callback, list_);
}

void ExceptionCallbacks::Add(Callback callback) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (std::find(list_.begin(), list_.end(), callback) != list_.end()) return;
  std::vector<Callback> list = list_;
  list.push_back(callback);
  Change(slot_, std::move(list));
}

void ExceptionCallbacks::Remove(Callback callback) {
  std::lock_guard<std::mutex> lock(mutex_);
  std::vector<Callback> list = list_;
  list.erase(std::remove(list.begin(), list.end(), callback), list.end());
  Change(slot_, std::move(list));
}

void ExceptionCallbacks::Clear() {
  std::lock_guard<std::mutex> lock(mutex_);
  slot_ = nullptr;
  list_.clear();
  all_.reset();
}

// Precondition: the lock.
void ExceptionCallbacks::Change(Callback slot, std::vector<Callback> list) {
  std::vector<Callback> all = list;
  if (slot != nullptr) all.insert(all.begin(), slot);
  all_ = all.empty() ? nullptr : std::make_shared<const std::vector<Callback>>(std::move(all));
  slot_ = slot;
  list_ = std::move(list);
}

ExceptionCallbacks::All ExceptionCallbacks::all() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return all_;
}

void ExceptionCallbacks::Notify(rtExceptionInfo info) {
  const All all = this->all();
  if (!all) return;
  for (Callback callback : *all)
    Call([&] { callback(&info); });
}

void ExceptionCallbacks::Notify(rtExceptionInfo info, void (*callback)(rtExceptionInfo*, void*),
                                void* user_data) {
  if (callback != nullptr) Call([&] { callback(&info, user_data); });
}

}  // namespace foothold
