// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Which single operators a program runs, and with what (aclopStartDumpArgs): one small file for each
// operator, set of shapes and attributes that is met. Any thread.
#pragma once

#include <atomic>
#include <mutex>
#include <set>
#include <string>

namespace foothold {

template <typename T>
class PerProcess;

class OperatorArguments {
 public:
  static OperatorArguments& Get();

  // Makes the directory. Throws kDumpAlreadyRun if it goes on already, kInvalidFile with what the system
  // said.
  void Start(const std::string& directory);
  // Throws kDumpNotRun.
  void Stop();
  bool active() const { return active_.load(std::memory_order_relaxed); }

  // Writes `text` to <directory>/<type>.<number>.txt, unless the same was noted before. What goes wrong goes
  // to the log.
  void Note(const std::string& type, const std::string& text) noexcept;

 private:
  friend class PerProcess<OperatorArguments>;
  OperatorArguments() = default;

  std::atomic<bool> active_{false};
  std::mutex mutex_;  // guards both below
  std::string directory_;
  std::set<std::string> noted_;
};

}  // namespace foothold
