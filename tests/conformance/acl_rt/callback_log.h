// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What callbacks and host functions of these tests leave behind.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

// Callbacks append their number; execution order is the order of numbers.
struct Log {
  struct Entry {
    Log* log;
    int number;
  };
  Entry* Make(int number) {
    std::lock_guard<std::mutex> lock(mutex);
    entries.push_back(std::make_unique<Entry>(Entry{this, number}));
    return entries.back().get();
  }
  static void Append(void* entry) {
    auto* own = static_cast<Entry*>(entry);
    std::lock_guard<std::mutex> lock(own->log->mutex);
    own->log->order.push_back(own->number);
    own->log->threads.push_back(static_cast<uint64_t>(pthread_self()));
  }

  std::mutex mutex;
  std::vector<std::unique_ptr<Entry>> entries;
  std::vector<int> order;
  std::vector<uint64_t> threads;
};

inline std::vector<int> Numbers(int count) {
  std::vector<int> numbers;
  for (int i = 0; i < count; ++i)
    numbers.push_back(i);
  return numbers;
}

inline void CountUp(void* counter) {
  ++*static_cast<std::atomic<int>*>(counter);
}
