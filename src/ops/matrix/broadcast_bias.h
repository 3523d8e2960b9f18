// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Adds a bias of any shape that broadcasts to the output of a product. Made while lowering, used by runs on
// any thread.
#pragma once

#include "ir/tensor_type.h"
#include "kernels/plain_product.h"

namespace foothold {

// `from` may be broadcast to `to`, numpy's way.
bool BroadcastsTo(const Dims& from, const Dims& to);

// One bias for each column of a product and nothing else: what it adds on its way.
bool IsColumnBias(const Dims& bias, const Dims& out);

// Where the bias of each row of the output (its last dimension) starts, and how it goes along the row.
class BroadcastBias {
 public:
  BroadcastBias() = default;
  BroadcastBias(const Dims& bias, const Dims& out);

  // out = alpha * out + beta * bias; a beta of zero does not look at the bias.
  template <typename T>
  void Combine(T* out, T alpha, const T* bias, T beta) const {
    for (std::size_t row = 0; row < rows_; ++row) {
      const T* from = bias + Offset(row);
      for (std::size_t i = 0; i < row_length_; ++i) {
        T& value = out[row * row_length_ + i];
        value = PlusProduct(beta == T{} ? T{} : PlusProduct(T{}, beta, from[i * step_]), alpha, value);
      }
    }
  }

  template <typename T>
  void AddTo(T* out, const T* bias) const {
    for (std::size_t row = 0; row < rows_; ++row) {
      const T* from = bias + Offset(row);
      for (std::size_t i = 0; i < row_length_; ++i)
        out[row * row_length_ + i] = PlusWrapping(out[row * row_length_ + i], from[i * step_]);
    }
  }

 private:
  std::size_t Offset(std::size_t row) const;

  Dims extents_;                      // of the dimensions before the last, innermost first
  std::vector<std::size_t> strides_;  // of the bias in them
  std::size_t rows_ = 0, row_length_ = 0, step_ = 0;
};

}  // namespace foothold
