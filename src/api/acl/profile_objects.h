// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Objects of profiling that a program holds by pointer: configurations, stamps, steps. Any thread.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "base/error.h"

namespace foothold {

template <typename T>
class ProfileObjects {
 public:
  static ProfileObjects& Get() {
    static auto* const objects = new ProfileObjects;
    return *objects;
  }

  void* Add(T object) {
    auto made = std::make_shared<T>(std::move(object));
    std::lock_guard<std::mutex> lock(mutex_);
    void* const key = made.get();
    objects_.emplace(key, std::move(made));
    return key;
  }
  // Throws kInvalidParam for what was never made or is gone.
  std::shared_ptr<T> Find(const void* key, const char* name) const {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto found = objects_.find(key);
    if (found == objects_.end()) Fail(kInvalidParam, "{} {} was not created, or is destroyed", name, key);
    return found->second;
  }
  void Remove(const void* key, const char* name) {
    const std::shared_ptr<T> last = Find(key, name);
    std::lock_guard<std::mutex> lock(mutex_);
    objects_.erase(key);
  }

 private:
  mutable std::mutex mutex_;  // guards the objects
  std::map<const void*, std::shared_ptr<T>> objects_;
};

}  // namespace foothold
