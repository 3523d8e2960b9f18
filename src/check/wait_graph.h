// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Who waits for whom: streams for what tasks of other streams tell, for threads that run their callbacks, for
// values; threads of the program for streams. What can go on is found from those that do; the rest never
// will. Any thread.
#pragma once

#include <string>
#include <vector>

#include "check/finding.h"
#include "check/host_wait.h"
#include "check/order_state.h"

namespace foothold::check {

class WaitGraph {
 public:
  // `outside`: threads of the program that wait for nothing here and may make any call.
  WaitGraph(std::vector<Order::Standing> streams, std::vector<StreamFacts> facts,
            std::vector<Waiting> threads, int outside);

  // The wait of this thread can never end.
  bool IsHopeless(std::uint32_t thread) const;
  // From the wait of this thread on, one line for each wait; `circle`: the last leads back to one before.
  struct Chain {
    std::vector<Object> waits;
    bool circle = false;
  };
  Chain ChainFrom(std::uint32_t thread) const;
  // What every stream and thread does.
  std::vector<Object> All() const;

 private:
  struct Node {
    const Order::Standing* stream = nullptr;  // or
    const Waiting* thread = nullptr;
    bool goes_on = false;
  };

  const StreamFacts* FactsOf(const void* key) const;
  const Node* StreamNode(const void* key) const;
  const Node* ThreadNode(std::uint32_t thread) const;
  const Node* ThreadNodeBySelf(std::uint64_t self) const;
  void Settle();
  bool GoesOn(const Node& node) const;
  bool StreamGoesOn(const Order::Standing& stream) const;
  bool ThreadGoesOn(const Waiting& thread) const;
  bool WillBeTold(const SyncUse& wait) const;
  std::vector<const Node*> TellersOf(const SyncUse& wait) const;
  // What it waits for next, or null; and the line about that.
  const Node* Next(const Node& node, Object& line) const;
  std::string Describe(const Node& node) const;

  const std::vector<Order::Standing> streams_;
  const std::vector<StreamFacts> facts_;
  const std::vector<Waiting> threads_;
  const int outside_;
  std::vector<Node> nodes_;
};

}  // namespace foothold::check
