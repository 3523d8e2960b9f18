// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// An in-order queue of host functions as the benchmarks see it: Foothold's streams and their peers.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace bench {

using Function = void (*)(void*);

class Queue {
 public:
  virtual ~Queue() = default;
  virtual void Enqueue(Function function, void* argument) = 0;
  virtual void Synchronize() = 0;
};

struct QueueKind {
  std::string name;
  bool ours;
  long tasks;  // for one throughput measurement: slower peers get fewer
  std::function<std::unique_ptr<Queue>()> make;
};

void AddFoothold(std::vector<QueueKind>& kinds);
void AddMutex(std::vector<QueueKind>& kinds);
void AddAsio(std::vector<QueueKind>& kinds);
void AddTbb(std::vector<QueueKind>& kinds);
void AddPocl(std::vector<QueueKind>& kinds);

}  // namespace bench
