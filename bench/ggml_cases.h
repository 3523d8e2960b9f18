// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Nodes to be compared: one row for each case, made with functions of ggml found by their names.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "ggml_node.h"
#include "ggml_peer.h"

namespace bench {

using Ne = std::vector<std::int64_t>;

// What an input holds.
struct Contents {
  float low = -1, high = 1;
  std::vector<std::int64_t> indices = {};  // instead, for whole numbers
};

class CaseGraph {
 public:
  CaseGraph(Ggml& ggml, GgmlGraph& graph) : ggml_(ggml), graph_(graph) {}

  GgmlTensor* Input(llama::Type type, Ne ne, Contents contents = {});
  GgmlTensor* F32(Ne ne) { return Input(llama::Type::kF32, std::move(ne)); }
  // A node of the library: its arguments have to have the types of its parameters.
  template <typename... Args>
  GgmlTensor* Node(const char* function, Args... args) {
    using Make = GgmlTensor* (*)(void*, Args...);
    return reinterpret_cast<Make>(ggml_.Function(function))(graph_.context(), args...);
  }
  GgmlTensor* Permuted(GgmlTensor* x, const std::array<int, 4>& places) {
    return Node("ggml_permute", x, places[0], places[1], places[2], places[3]);
  }
  // Every second element of each dimension named, of a tensor with these dimensions.
  GgmlTensor* Spaced(llama::Type type, Ne ne, const std::vector<int>& doubled, Contents contents = {});

  const std::map<GgmlTensor*, Contents>& inputs() const { return inputs_; }

 private:
  Ggml& ggml_;
  GgmlGraph& graph_;
  std::map<GgmlTensor*, Contents> inputs_;
};

struct Case {
  std::string name;
  double limit;  // of the squared error over the squared result; 0: the same bits
  std::function<GgmlTensor*(CaseGraph&)> make;
};

std::vector<Case> AllCases();

}  // namespace bench
