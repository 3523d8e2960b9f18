// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What has been done with a graph and what may follow: building, compiling, loading, and one way of running.
// Refusals throw E10062. Any thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace foothold {

// ge::Session and ge::GeSession differ in what may follow what.
enum class Generation { kFirst, kSecond };
enum class RunMode { kNone, kSync, kAsync, kStream };

class GraphOrder {
 public:
  enum class Prepared { kNothing, kBuilt, kCompiled };

  GraphOrder(std::uint32_t graph, Generation generation) : graph_(graph), generation_(generation) {}

  Generation generation() const { return generation_; }
  bool is_prepared() const { return prepared() != Prepared::kNothing; }
  bool was_run() const;

  // BuildGraph or CompileGraph: asked before the work, and settled after it, which another thread may have
  // done otherwise meanwhile.
  void CheckPrepare(Prepared wanted) const;
  void SetPrepared(Prepared done);
  // `api`, a literal, is for messages.
  void RequireCompiled(const char* api) const;
  // Before a run, when the graph was read.
  void EnterRun(RunMode mode, const char* api);

  // Inputs that come from the host in runs on streams, as LoadGraph was told.
  void SetHostInputs(std::vector<std::size_t> inputs);
  bool TakesFromHost(std::size_t input) const {
    return has_host_inputs_.load(std::memory_order_acquire) && IsHostInput(input);
  }

  // `rule`: of docs/rules.md, if one was broken.
  [[noreturn]] void Refuse(const char* api, const std::string& why, const char* rule = nullptr) const;

 private:
  Prepared prepared() const;
  bool IsHostInput(std::size_t input) const;
  void CheckOrder(Prepared wanted) const;               // with the lock
  void CheckMode(RunMode mode, const char* api) const;  // with the lock

  const std::uint32_t graph_;
  const Generation generation_;
  std::atomic<bool> has_host_inputs_{false};

  mutable std::mutex mutex_;  // guards all below
  Prepared prepared_ = Prepared::kNothing;
  RunMode mode_ = RunMode::kNone;
  const char* mode_api_ = "";
  std::vector<std::size_t> host_inputs_;
};

}  // namespace foothold
