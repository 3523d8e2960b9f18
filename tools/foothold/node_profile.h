// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Where the time of runs goes, node by node: what `foothold run --profile` prints. Any number of threads.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "program/run_observer.h"

namespace foothold::run {

class NodeProfile final : public RunObserver {
 public:
  void OnNodeBegin(const NodeRun& node) override;
  void OnNodeEnd(const NodeRun& node) override;

  struct Row {
    std::string name;  // empty in a row of a whole type
    std::string type;
    std::size_t calls = 0;
    double seconds = 0;  // without the nodes it ran itself
  };
  // Slowest first.
  std::vector<Row> Nodes() const;
  std::vector<Row> Types() const;

  // Both tables. `runs` and `seconds` are those of the runs it has seen; of the nodes at most `rows`.
  std::string Text(std::size_t runs, double seconds, std::size_t rows) const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Open {
    Clock::time_point start;
    Clock::duration inner{};  // of nodes that ran inside
  };

  mutable std::mutex mutex_;  // guards both
  std::map<std::thread::id, std::vector<Open>> open_;
  std::map<std::string, Row> nodes_;
};

}  // namespace foothold::run
