// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The weights file, and its matrices on the device as float16, INT8 or INT4.
#ifndef ACLNN_CHAT_WEIGHTS_H
#define ACLNN_CHAT_WEIGHTS_H

#include <memory>
#include <string>
#include <vector>

#include "device.h"

// Numbers of the network, in the order of the file.
struct Sizes {
  int32_t vocabulary, width, layers, heads, kv_heads, head, hidden, context;
};

using Halves = std::vector<aclFloat16>;

struct LayerWeights {
  Halves attention_norm, query, key, value, output, unit_norm, gate_up, down;
};

struct WeightsFile {
  Sizes sizes;
  std::vector<std::string> pieces;
  Halves embedding, norm;
  std::vector<LayerWeights> layers;
};

WeightsFile ReadWeights(const std::string& path);

enum class WeightType { kFloat16, kInt8, kInt4 };

// A matrix [outputs, inputs], row after row. Of INT8 and INT4 weights 32 in a row share a scale.
class Matrix {
 public:
  static const int64_t kGroup = 32;

  Matrix(const Halves& values, int64_t outputs, int64_t inputs, WeightType type);

  // rows [n, inputs] times the transposed matrix: out [n, outputs].
  void Multiply(Device& device, const Tensor& rows, const Tensor& out) const;
  size_t bytes() const { return weights_->bytes() + (scales_ ? scales_->bytes() : 0); }

 private:
  void Quantise(const Halves& values);

  int64_t outputs_, inputs_;
  WeightType type_;
  std::unique_ptr<Buffer> weights_, scales_;
};

#endif  // ACLNN_CHAT_WEIGHTS_H
