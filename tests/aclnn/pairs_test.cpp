// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Functions whose results another function reads, or that several results are: masks of poolings, factors of
// matrices, sequences of different lengths.
#include <algorithm>

#include "aclnn/nn_case.h"
#include "aclnnop/aclnn_lstm.h"
#include "aclnnop/aclnn_max_pool2d_with_indices.h"
#include "aclnnop/aclnn_max_pool2d_with_indices_backward.h"
#include "aclnnop/aclnn_svd.h"

namespace nn {
namespace {

// With the mask as large as callers make it, and with none: the gradients are the same.
TEST_F(Nn, MasksOfPoolingsLeadGradientsBack) {
  for (const std::int64_t kernel : {1, 2, 3}) {
    const std::int64_t pooled = (9 - kernel) / 2 + 1;
    const Tensor self = In(ACL_FLOAT, {2, 3, 9, 9}, Spread(486, -2, 2)),
                 out = Out(ACL_FLOAT, {2, 3, pooled, pooled}),
                 mask = Out(ACL_INT8, {2, 3, kernel * kernel, ((pooled * pooled + 15) / 16 + 1) * 32}),
                 arriving = In(ACL_FLOAT, {2, 3, pooled, pooled},
                               Spread(static_cast<std::size_t>(6 * pooled * pooled))),
                 with_mask = Out(ACL_FLOAT, {2, 3, 9, 9}), without = Out(ACL_FLOAT, {2, 3, 9, 9});
    const Ints sizes{kernel, kernel}, strides{2, 2}, none{0, 0}, ones{1, 1};
    Run(NN(MaxPool2dWithMask), self, sizes, strides, none, ones, false, out, mask);
    Run(NN(MaxPool2dWithMaskBackward), arriving, self, mask.As(Role::kIn), sizes, strides, none, ones, false,
        with_mask);
    Run(NN(MaxPool2dWithMaskBackward), arriving, self, In(ACL_INT8, {0}, {}), sizes, strides, none, ones,
        false, without);
    EXPECT_EQ(with_mask.Read(), without.Read()) << kernel;
  }
}

double Entry(const Values& values, std::size_t columns, std::size_t row, std::size_t column) {
  return values[row * columns + column];
}

// A = U S V^T, and columns of U and of V are orthogonal.
TEST_F(Nn, SingularVectorsMakeTheMatrixAgain) {
  for (const auto& [rows, columns] : {std::pair<std::size_t, std::size_t>{5, 3}, {3, 5}, {4, 4}, {6, 1}})
    for (const bool full : {false, true}) {
      const auto m = static_cast<std::int64_t>(rows), n = static_cast<std::int64_t>(columns);
      const std::size_t least = std::min(rows, columns), u_width = full ? rows : least,
                        v_width = full ? columns : least;
      Values content = Spread(rows * columns, -2, 2);
      if (rows == 4)  // of less than full rank
        for (std::size_t i = 0; i < 4; ++i)
          content[i * 4 + 3] = content[i * 4] - content[i * 4 + 1];
      const Tensor a = In(ACL_DOUBLE, {m, n}, content),
                   s = Out(ACL_DOUBLE, {static_cast<std::int64_t>(least)}),
                   u = Out(ACL_DOUBLE, {m, static_cast<std::int64_t>(u_width)}),
                   v = Out(ACL_DOUBLE, {n, static_cast<std::int64_t>(v_width)}, Layout::kTransposed);
      Run(NN(Svd), a, full, true, s, u, v);
      const Values us = u.Read(), vs = v.Read(), lengths = s.Read();
      for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j) {
          double sum = 0;
          for (std::size_t k = 0; k < least; ++k)
            sum += Entry(us, u_width, i, k) * lengths[k] * Entry(vs, v_width, j, k);
          EXPECT_NEAR(sum, Entry(content, columns, i, j), 1e-12);
        }
      const auto expect_orthogonal = [](const Values& matrix, std::size_t height, std::size_t width) {
        for (std::size_t j = 0; j < width; ++j)
          for (std::size_t k = 0; k < width; ++k) {
            double sum = 0;
            for (std::size_t i = 0; i < height; ++i)
              sum += Entry(matrix, width, i, j) * Entry(matrix, width, i, k);
            EXPECT_NEAR(sum, j == k, 1e-12) << j << " " << k;
          }
      };
      expect_orthogonal(us, rows, u_width);
      expect_orthogonal(vs, columns, v_width);
      for (std::size_t k = 1; k < least; ++k)
        EXPECT_LE(lengths[k], lengths[k - 1]);
    }
}

// Where a sequence has ended its state stays, and the output is 0.
TEST_F(Nn, SequencesOfALstmEndAtTheirOwnLength) {
  const Tensor x = In(ACL_FLOAT, {6, 4}, Spread(24)), w_ih = In(ACL_FLOAT, {8, 4}, Spread(32)),
               w_hh = In(ACL_FLOAT, {8, 2}, Spread(16)), h0 = In(ACL_FLOAT, {1, 2, 2}, Values(4, 0)),
               c0 = In(ACL_FLOAT, {1, 2, 2}, Values(4, 0)), sizes = In(ACL_INT64, {3}, {2, 2, 1}),
               packed = Out(ACL_FLOAT, {3, 2, 2}), hy = Out(ACL_FLOAT, {1, 2, 2}),
               cy = Out(ACL_FLOAT, {1, 2, 2}), whole = Out(ACL_FLOAT, {3, 2, 2}),
               other_h = Out(ACL_FLOAT, {1, 2, 2}), other_c = Out(ACL_FLOAT, {1, 2, 2});
  const List weights{&w_ih, &w_hh}, states{&h0, &c0};
  const auto run = [&](const Tensor& input, const Tensor* lengths, const Tensor& y, const Tensor& h,
                       const Tensor& c) {
    const auto call = [&](const auto& batch_sizes) {
      Run(NN(LSTM), input, weights, states, batch_sizes, false, 1, 0.0, false, false, false, y, h, c, nullptr,
          nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
    };
    lengths == nullptr ? call(nullptr) : call(*lengths);
  };
  run(x, &sizes, packed, hy, cy);
  run(x.View(Role::kIn, {3, 2, 4}, {8, 4, 1}, 0), nullptr, whole, other_h, other_c);
  Values expected = whole.Read();
  const Values last{other_h.Read()[0], other_h.Read()[1], expected[6], expected[7]};
  expected[10] = expected[11] = 0;
  EXPECT_EQ(packed.Read(), expected);
  EXPECT_EQ(hy.Read(), last);
}

}  // namespace
}  // namespace nn
