// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Products of int8 matrices, products of permuted tensors, and weights in layout FRACTAL_NZ.
#include <cmath>

#include "aclnn/fractals.h"
#include "aclnn/quantized_values.h"
#include "aclnnop/aclnn_npu_format_cast.h"
#include "aclnnop/aclnn_quant_matmul_v4.h"
#include "aclnnop/aclnn_quant_matmul_v5.h"
#include "aclnnop/aclnn_quant_matmul_weight_nz.h"
#include "aclnnop/aclnn_transpose_batch_mat_mul.h"
#include "aclnnop/aclnn_transpose_quant_batch_mat_mul.h"

namespace nn {
namespace {

// [m, k] times [k, n].
Values Product(const Values& a, const Values& b, std::size_t k, std::size_t n) {
  Values out(a.size() / k * n, 0.0);
  for (std::size_t i = 0; i < out.size(); ++i)
    for (std::size_t x = 0; x < k; ++x)
      out[i] += a[i / n * k + x] * b[x * n + i % n];
  return out;
}

Tensor Bytes(const Dims& dims, Layout layout, unsigned seed) {
  return In(ACL_INT8, dims, SpreadInts(CountOf(dims), -128, 127, seed), layout);
}

TEST_F(Nn, QuantMatmulScalesColumnsAndRows) {
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16})
    for (const std::int64_t m : {1, 5})
      for (const Layout layout : {Layout::kContiguous, Layout::kTransposed, Layout::kPaddedRows}) {
        const auto rows = static_cast<std::size_t>(m);
        const Tensor a = Bytes({m, 48}, layout, 1), b = Bytes({48, 20}, layout, 2);
        const Tensor scale = In(type == ACL_BF16 ? ACL_BF16 : ACL_FLOAT, {20}, Spread(20, 1e-4, 1e-3)),
                     token = In(ACL_FLOAT, {m}, Spread(rows, 0.5, 2)),
                     bias = In(ACL_INT32, {20}, SpreadInts(20, -9999, 9999));
        const Tensor out = Out(type, {m, 20}, Layout::kPaddedRows);
        Run(NN(QuantMatmulV4), a, b, scale, nullptr, token, bias, false, false, out);
        Values expected = Product(a.Read(), b.Read(), 48, 20);
        for (std::size_t i = 0; i < expected.size(); ++i)
          expected[i] = (expected[i] + bias.Read()[i % 20]) * scale.Read()[i % 20] * token.Read()[i / 20];
        ExpectClose(out.Read(), expected, Tolerance(type));
      }
}

TEST_F(Nn, QuantMatmulTransposesAndQuantisesAgain) {
  const Tensor a = Bytes({2, 4, 32}, Layout::kContiguous, 1), b = Bytes({2, 12, 32}, Layout::kContiguous, 2);
  const Tensor scale = In(ACL_FLOAT, {1}, {0.001}), offset = In(ACL_FLOAT, {1}, {3});
  const Tensor out = Out(ACL_INT8, {2, 4, 12});
  Run(NN(QuantMatmulV4), a, b, scale, offset, nullptr, nullptr, false, true, out);
  Values expected;
  const Values left = a.Read(), right = b.Read();
  for (std::size_t i = 0; i < 96; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < 32; ++k)
      sum += left[i / 12 * 32 + k] * right[(i / 48 * 12 + i % 12) * 32 + k];
    expected.push_back(ToInt8(sum * 0.001 + 3));
  }
  ExpectInt8(out.Read(), expected);
}

TEST_F(Nn, QuantMatmulV5ScalesRows) {
  const Tensor a = Bytes({3, 64}, Layout::kPaddedRows, 1), b = Bytes({64, 10}, Layout::kTransposed, 2);
  const Tensor rows = In(ACL_FLOAT, {3}, {1, 0.5, 2}), columns = In(ACL_FLOAT, {10}, Spread(10, 1e-4, 1e-3));
  const Tensor out = Out(ACL_BF16, {3, 10});
  const auto none = nullptr;
  Run(NN(QuantMatmulV5), a, b, rows, columns, none, none, none, none, none, false, false, 0, out);
  Run(NN(QuantMatmulV5), a, b, rows, columns, none, In(ACL_FLOAT, {0}, {}), none, none, none, false, false, 0,
      out);
  Values expected = Product(a.Read(), b.Read(), 64, 10);
  for (std::size_t i = 0; i < expected.size(); ++i)
    expected[i] *= rows.Read()[i / 10] * columns.Read()[i % 10];
  ExpectClose(out.Read(), expected, Tolerance(ACL_BF16));
  ExpectRefused(561003, "groupSize", NN(QuantMatmulV5), a, b, rows, columns, none, none, none, none, none,
                false, false, 32, out);
  ExpectRefused(561003, "yScale", NN(QuantMatmulV5), a, b, rows, columns, columns, none, none, none, none,
                false, false, 0, out);
  ExpectRefused(161002, "x2_scale", NN(QuantMatmulV5), a, b, rows, rows, none, none, none, none, none, false,
                false, 0, out);
  ExpectRefused(161002, "x1", NN(QuantMatmulV4), a, a, columns, none, none, none, false, false, out);
}

TEST_F(Nn, FormatCastPutsMatricesIntoFractalsAndBack) {
  struct Case {
    aclDataType type;
    Dims plain, storage;
    std::size_t width;
  };
  for (const Case& one :
       {Case{ACL_FLOAT16, {32, 48}, {3, 2, 16, 16}, 16}, Case{ACL_BF16, {20, 40}, {3, 2, 16, 16}, 16},
        Case{ACL_INT8, {2, 16, 70}, {2, 3, 1, 16, 32}, 32}})
    for (const Layout layout : {Layout::kContiguous, Layout::kPaddedRows, Layout::kTransposed}) {
      const Tensor plain = In(one.type, one.plain, SpreadInts(CountOf(one.plain), -99, 99), layout);
      const Tensor folded = Folded(plain, one.storage);
      const Values memory = folded.View(Role::kIn, one.storage, ContiguousStrides(one.storage), 0).Read();
      const auto rank = one.plain.size();
      const auto rows = static_cast<std::size_t>(one.plain[rank - 2]),
                 columns = static_cast<std::size_t>(one.plain[rank - 1]);
      const std::size_t each = CountOf(one.storage) / (rank == 3 ? 2 : 1), high = (rows + 15) / 16 * 16;
      const Values expected = plain.Read();
      for (std::size_t i = 0; i < expected.size(); ++i) {
        const std::size_t row = i / columns % rows, column = i % columns;
        EXPECT_EQ(memory[i / (rows * columns) * each + column / one.width * high * one.width +
                         row * one.width + column % one.width],
                  expected[i]);
      }
      const Tensor back = Out(one.type, one.plain, layout);
      Run(NN(NpuFormatCast), folded, back);
      ExpectClose(back.Read(), expected, 0);
    }
}

TEST_F(Nn, FormatCastRefusesWhatDoesNotFit) {
  const Tensor plain = In(ACL_FLOAT16, {16, 16}, Spread(256)), other = Out(ACL_FLOAT16, {16, 17});
  ExpectRefused(161002, "dstTensor", NN(NpuFormatCast), plain, other);
  Tensor folded = Out(ACL_FLOAT16, {16, 16});
  folded.format = ACL_FORMAT_FRACTAL_NZ;
  folded.storage = {2, 1, 16, 8};
  ExpectRefused(161002, "storage", NN(NpuFormatCast), plain, folded);
  const Tensor wide = Out(ACL_FLOAT, {16, 16});
  ExpectRefused(561003, "type", NN(NpuFormatCast), plain, wide);
}

TEST_F(Nn, QuantMatmulTakesFractalsAndTheirTransposedViews) {
  const auto none = nullptr;
  const Tensor a = Bytes({3, 64}, Layout::kContiguous, 1),
               columns = In(ACL_FLOAT, {40}, Spread(40, 1e-4, 1e-3));
  for (const bool transposed : {false, true}) {
    const Tensor plain = Bytes(transposed ? Dims{40, 64} : Dims{64, 40}, Layout::kContiguous, 2);
    Tensor b = Folded(plain, transposed ? Dims{2, 3, 16, 32} : Dims{2, 4, 16, 32});
    if (transposed) b = b.View(Role::kIn, {64, 40}, {1, 64}, 0);
    const Tensor out = Out(ACL_FLOAT16, {3, 40});
    Run(NN(QuantMatmulWeightNz), a, b, none, columns, none, none, none, none, none, false, false, 0, out);
    const Tensor seen = transposed ? plain.View(Role::kIn, {64, 40}, {1, 64}, 0) : plain;
    Values expected = Product(a.Read(), seen.Read(), 64, 40);
    for (std::size_t i = 0; i < expected.size(); ++i)
      expected[i] *= columns.Read()[i % 40];
    ExpectClose(out.Read(), expected, Tolerance(ACL_FLOAT16));
  }
}

// [rows, batches, depth] times [batches, depth, columns].
TEST_F(Nn, TransposeBatchMatMulPermutesBeforeAndAfter) {
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16, ACL_FLOAT})
    for (const Layout layout : {Layout::kContiguous, Layout::kPaddedRows}) {
      const Tensor a = In(type, {5, 3, 16}, Spread(240), layout),
                   b = In(type, {3, 16, 8}, Spread(384), layout);
      const Tensor out = Out(type, {5, 3, 8});
      Run(NN(TransposeBatchMatMul), a, b, nullptr, nullptr, Ints{1, 0, 2}, Ints{0, 1, 2}, Ints{1, 0, 2},
          std::int8_t{0}, 1, out);
      Values expected(120, 0.0);
      const Values left = a.Read(), right = b.Read();
      for (std::size_t i = 0; i < 120; ++i)
        for (std::size_t k = 0; k < 16; ++k)
          expected[i] += left[i / 8 * 16 + k] * right[(i / 8 % 3 * 16 + k) * 8 + i % 8];
      EXPECT_LT(Nmse(out.Read(), expected), 1e-4);
      ExpectRefused(161002, "perm_x1", NN(TransposeBatchMatMul), a, b, nullptr, nullptr, Ints{1, 1, 2},
                    Ints{0, 1, 2}, Ints{1, 0, 2}, std::int8_t{0}, 1, out);
      ExpectRefused(561003, "bias", NN(TransposeBatchMatMul), a, b, out.As(Role::kIn), nullptr, Ints{1, 0, 2},
                    Ints{0, 1, 2}, Ints{1, 0, 2}, std::int8_t{0}, 1, out);
    }
}

TEST_F(Nn, TransposeQuantBatchMatMulSaysWhichTypesItTakes) {
  const Tensor a = Bytes({2, 1, 64}, Layout::kContiguous, 1), b = Bytes({1, 64, 8}, Layout::kContiguous, 2);
  const Tensor out = Out(ACL_FLOAT16, {2, 1, 8});
  ExpectRefused(561003, "float8e4m3fn", NN(TransposeQuantBatchMatMul), a, b, nullptr, nullptr, nullptr,
                ACL_FLOAT16, 0, Ints{1, 0, 2}, Ints{0, 1, 2}, Ints{1, 0, 2}, 1, out);
}

// Numbers of 8 bits as bytes: 1 is 0x38 and 2 is 0x40 in E4M3, 0x7f is a scale of 1 and 0x80 one of 2.
TEST_F(Nn, TransposeQuantBatchMatMulScalesThirtyTwoAtATime) {
  const auto as = [](const Tensor& bytes, aclDataType type) {
    Tensor seen = bytes;
    seen.seen_as = type;
    return seen;
  };
  Values scales(4, 0x7f);
  scales[1] = 0x80;  // of the second half of the first row
  const Tensor a = In(ACL_UINT8, {2, 1, 64}, Values(128, 0x38)),
               b = In(ACL_UINT8, {1, 64, 8}, Values(512, 0x40)), left = In(ACL_UINT8, {2, 1, 1, 2}, scales),
               right = In(ACL_UINT8, {1, 1, 8, 2}, Values(16, 0x7f));
  const Tensor out = Out(ACL_FLOAT16, {2, 1, 8});
  Run(NN(TransposeQuantBatchMatMul), as(a, ACL_FLOAT8_E4M3FN), as(b, ACL_FLOAT8_E4M3FN), nullptr,
      as(left, ACL_FLOAT8_E8M0), as(right, ACL_FLOAT8_E8M0), ACL_FLOAT16, 0, Ints{1, 0, 2}, Ints{0, 1, 2},
      Ints{1, 0, 2}, 1, out);
  Values expected(16, 128.0);
  std::fill_n(expected.begin(), 8, 64.0 + 128.0);
  ExpectClose(out.Read(), expected, 0);
}

}  // namespace
}  // namespace nn
