// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A small language model of one layer, made of noise. Numbers are what the types of the weights leave of
// them.
#pragma once

#include <cstdint>
#include <vector>

#include "llama/tensor.h"

namespace llama {

struct Weight {
  Type type;
  std::int64_t depth, columns;
  std::vector<double> values;  // column by column, `depth` numbers each
  std::vector<char> bytes;     // the same as they lie on the device
};

// Of weights [depth, columns]; quantised ones in groups of 32, as the backend of llama.cpp repacks them.
Weight Pack(Type type, std::int64_t depth, std::int64_t columns, const std::vector<float>& values);
std::vector<float> Noise(std::size_t count, std::uint32_t seed, float size);

struct Model {
  static constexpr std::int64_t kWidth = 128, kHeads = 4, kKvHeads = 2, kDepth = 32, kInner = 192,
                                kTokens = 80, kContext = 48;
  Model();
  Weight embedding, query, key, value, joined, gate_up, down, head;
  Weight norm, inner_norm, last_norm;
};

// The model in double: takes tokens, remembers keys and values, answers numbers for the last token.
class Reference {
 public:
  explicit Reference(const Model& model) : model_(model) {}
  std::vector<double> Next(const std::vector<std::int32_t>& tokens);

 private:
  std::vector<double> Step(std::int32_t token);
  std::vector<double> Attend(const std::vector<double>& query) const;

  const Model& model_;
  std::vector<std::vector<double>> keys_, values_;
};

}  // namespace llama
