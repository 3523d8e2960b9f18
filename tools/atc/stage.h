// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// One stage of a conversion: says on standard output that it begins, and while it lasts how long it has
// taken.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace foothold::atc {

class Stage {
 public:
  // Speaks again every `seconds`; 0: only once.
  Stage(std::string text, double seconds);
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

 private:
  void Report(double seconds);

  const std::string text_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false;  // guarded by mutex_
  std::thread reporter_;
};

}  // namespace foothold::atc
