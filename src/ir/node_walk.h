// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Walks through nodes and asks memory for those that come next: the nodes of a large graph are in no cache,
// and a walk mostly waits for them. No node may be added or leave meanwhile. One thread at a time, like the
// graph.
#pragma once

#include <cstddef>
#include <vector>

#include "ir/node.h"

namespace foothold {

// Ports mostly lie behind their node, where a node of two inputs and an output ends.
inline void FetchPorts(const Node& node) {
  constexpr std::size_t kLine = 64, kBytes = sizeof(Node) + 2 * sizeof(Input) + sizeof(Output);
  for (std::size_t at = 0; at < kBytes; at += kLine)
    __builtin_prefetch(reinterpret_cast<const char*>(&node) + at);
}
inline void FetchType(const Node& node) {
  __builtin_prefetch(&node.type());
}

// How many nodes before their turn: early enough for memory to answer, late enough for the first cache.
inline constexpr std::size_t kNodesAhead = 8;

enum class Looks { kAtTypes, kAtPorts };

template <Looks looks>
class NodeWalk {
 public:
  explicit NodeWalk(const std::vector<Node*>& nodes)
      : begin_(nodes.data()), end_(nodes.data() + nodes.size()) {}

  class Iterator {
   public:
    Iterator(Node* const* at, Node* const* end) : at_(at), end_(end) {}
    Node* operator*() const {
      if (end_ - at_ > kAhead) looks == Looks::kAtTypes ? FetchType(*at_[kAhead]) : FetchPorts(*at_[kAhead]);
      return *at_;
    }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return at_ != other.at_; }

   private:
    Node* const* at_;
    Node* const* end_;
  };

  Iterator begin() const { return {begin_, end_}; }
  Iterator end() const { return {end_, end_}; }

 private:
  static constexpr std::ptrdiff_t kAhead = looks == Looks::kAtTypes ? 2 * kNodesAhead : kNodesAhead;

  Node* const* begin_;
  Node* const* end_;
};

using TypeWalk = NodeWalk<Looks::kAtTypes>;
using PortWalk = NodeWalk<Looks::kAtPorts>;

}  // namespace foothold
