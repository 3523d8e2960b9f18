// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Nodes to be compared: one row for each case, made with functions of ggml found by their names.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "ggml_node.h"
#include "ggml_peer.h"

namespace bench {

using llama::Type;
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

using Cases = std::vector<Case>;
Cases AllCases();

// By families.
void AddBinary(Cases& cases);
void AddUnary(Cases& cases);
void AddGlu(Cases& cases);
void AddCopies(Cases& cases);
void AddRows(Cases& cases);
void AddShapes(Cases& cases);
void AddNorms(Cases& cases);
void AddSoftMax(Cases& cases);
void AddReductions(Cases& cases);
void AddProducts(Cases& cases);
void AddImages(Cases& cases);
void AddAttention(Cases& cases);
void AddRope(Cases& cases);

constexpr double kUsual = 1e-7, kProducts = 5e-4, kSoftMax = 1e-6;
constexpr llama::Type kFloats[] = {llama::Type::kF32, llama::Type::kF16, llama::Type::kBf16};

std::string Text(const Ne& ne);
const char* Text(llama::Type type);
Ne Times(const Ne& ne, const Ne& times);

}  // namespace bench
