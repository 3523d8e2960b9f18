// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Products of odd ranks, types and groups.
#include <cmath>

#include "aclnn/nn_case.h"
#include "aclnnop/aclnn_addmm.h"
#include "aclnnop/aclnn_batch_matmul.h"
#include "aclnnop/aclnn_dot.h"
#include "aclnnop/aclnn_matmul.h"
#include "aclnnop/aclnn_mm.h"
#include "aclnnop/aclnn_mv.h"
#include "aclnnop/aclnn_triangular_solve.h"
#include "aclnnop/aclnn_weight_quant_batch_matmul_v2.h"

namespace nn {
namespace {

// [m, k] times [k, n].
Values Plain(const Values& a, const Values& b, std::size_t m, std::size_t k, std::size_t n) {
  Values out(m * n, 0.0);
  for (std::size_t i = 0; i < m * n; ++i)
    for (std::size_t x = 0; x < k; ++x)
      out[i] += a[i / n * k + x] * b[x * n + i % n];
  return out;
}

constexpr std::int8_t kKeep = 0;

TEST_F(Nn, VectorsAreMultiplied) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    const Tensor a = In(type, {5}, Spread(5)), b = In(type, {5}, Spread(5, -1, 1, 4), Layout::kEveryOther);
    const double sum = Plain(a.Read(), b.Read(), 1, 5, 1)[0];
    const Tensor none = Out(type, {}), one = Out(type, {1});
    Run(NN(Matmul), a, b, none, kKeep);
    ExpectClose(none.Read(), {sum}, Tolerance(type));
    Run(NN(Matmul), a, b, one, kKeep);
    ExpectClose(one.Read(), {sum}, Tolerance(type));
    Run(NN(Dot), a, b, none);
    ExpectClose(none.Read(), {sum}, Tolerance(type));
  }
}

TEST_F(Nn, VectorsGoWithMatricesAndBatches) {
  const Tensor v = In(ACL_FLOAT, {3}, Spread(3)), m = In(ACL_FLOAT, {3, 4}, Spread(12, -1, 1, 2));
  const Tensor out = Out(ACL_FLOAT, {4});
  Run(NN(Matmul), v, m, out, kKeep);
  ExpectClose(out.Read(), Plain(v.Read(), m.Read(), 1, 3, 4), 1e-5);
  const Tensor batch = In(ACL_FLOAT, {2, 5, 3}, Spread(30, -1, 1, 3), Layout::kTransposed);
  const Tensor rows = Out(ACL_FLOAT, {2, 5});
  Run(NN(Matmul), batch, v, rows, kKeep);
  ExpectClose(rows.Read(), Plain(batch.Read(), v.Read(), 10, 3, 1), 1e-5);
  const Tensor right = In(ACL_FLOAT, {2, 3, 4}, Spread(24, -1, 1, 5)), both = Out(ACL_FLOAT, {2, 4});
  Run(NN(Matmul), v, right, both, kKeep);
  Values expected = Plain(v.Read(), right.Read(), 1, 3, 4);
  const Values given = right.Read();
  const Values second = Plain(v.Read(), Values(given.begin() + 12, given.end()), 1, 3, 4);
  expected.insert(expected.end(), second.begin(), second.end());
  ExpectClose(both.Read(), expected, 1e-5);
}

TEST_F(Nn, BatchesOfOneAreRepeatedOnEitherSide) {
  for (const bool left : {true, false})
    for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
      const std::int64_t a_batch = left ? 1 : 3, b_batch = left ? 3 : 1;
      const Tensor a = In(ACL_FLOAT, {a_batch, 2, 4}, Spread(static_cast<std::size_t>(a_batch * 8)));
      const Tensor b = In(type, {b_batch, 4, 5}, Spread(static_cast<std::size_t>(b_batch * 20), -1, 1, 2),
                          Layout::kTransposed);
      const Tensor out = Out(ACL_FLOAT, {3, 2, 5}, Layout::kPaddedRows);
      Run(NN(BatchMatMul), a, b, out, std::int8_t{2});
      const Values x = Repeated(a.Read(), a.dims(), {3, 2, 4}), y = Repeated(b.Read(), b.dims(), {3, 4, 5});
      Values expected;
      for (std::ptrdiff_t i = 0; i < 3; ++i) {
        const Values one = Plain(Values(x.begin() + i * 8, x.begin() + i * 8 + 8),
                                 Values(y.begin() + i * 20, y.begin() + i * 20 + 20), 2, 4, 5);
        expected.insert(expected.end(), one.begin(), one.end());
      }
      ExpectClose(out.Read(), expected, 1e-5);
    }
}

TEST_F(Nn, ProductsRefuseOutputsOfOtherShapes) {
  const Tensor a = In(ACL_FLOAT, {2, 3}, Spread(6)), b = In(ACL_FLOAT, {3, 4}, Spread(12));
  ExpectRefused(161002, "'out'", NN(Mm), a, b, Out(ACL_FLOAT, {4, 2}), kKeep);
  ExpectRefused(161002, "'out'", NN(Matmul), a, b, Out(ACL_FLOAT, {8}), kKeep);
  ExpectRefused(161002, "'out'", NN(Mm), a, b, Out(ACL_FLOAT, {2, 5}), kKeep);
  ExpectRefused(161002, "'out'", NN(Mv), a, In(ACL_FLOAT, {3}, Spread(3)), Out(ACL_FLOAT, {3}), kKeep);
}

TEST_F(Nn, ProductsOfOtherTypes) {
  const Tensor a = In(ACL_DOUBLE, {2, 3}, Spread(6)),
               b = In(ACL_DOUBLE, {3, 4}, Spread(12), Layout::kTransposed);
  const Tensor out = Out(ACL_DOUBLE, {2, 4});
  Run(NN(Mm), a, b, out, kKeep);
  ExpectClose(out.Read(), Plain(a.Read(), b.Read(), 2, 3, 4), 1e-14);
  const Tensor p = In(ACL_INT32, {2, 3}, SpreadInts(6, -9, 9)),
               q = In(ACL_INT32, {3, 4}, SpreadInts(12, -9, 9, 2));
  const Tensor whole = Out(ACL_INT32, {2, 4});
  Run(NN(Mm), p, q, whole, kKeep);
  ExpectClose(whole.Read(), Plain(p.Read(), q.Read(), 2, 3, 4), 0);
}

TEST_F(Nn, ProductsOfFloatsWithIntegersMeetInFloat) {
  const Tensor p = In(ACL_INT32, {2, 3}, SpreadInts(6, -9, 9)), b = In(ACL_FLOAT, {3, 4}, Spread(12));
  const Tensor out = Out(ACL_FLOAT, {2, 4});
  Run(NN(Mm), p, b, out, kKeep);
  ExpectClose(out.Read(), Plain(p.Read(), b.Read(), 2, 3, 4), 1e-5);
}

TEST_F(Nn, AddmmIgnoresWhatIsMultipliedByNothing) {
  const Tensor self = In(ACL_FLOAT, {2, 2}, Values(4, std::nan(""))), a = In(ACL_FLOAT, {2, 3}, Spread(6)),
               b = In(ACL_FLOAT, {3, 2}, Spread(6, -1, 1, 2));
  const Tensor out = Out(ACL_FLOAT, {2, 2});
  Run(NN(Addmm), self, a, b, Scalar(0.0f), Scalar(1.0f), out, kKeep);
  ExpectClose(out.Read(), Plain(a.Read(), b.Read(), 2, 3, 2), 1e-5);
  const Tensor in = In(ACL_FLOAT, {2, 2}, {1, 2, 3, 4});
  Run(NN(Addmm), in, In(ACL_FLOAT, {2, 0}, {}), In(ACL_FLOAT, {0, 2}, {}), Scalar(2.0f), Scalar(1.0f), out,
      kKeep);
  EXPECT_EQ(out.Read(), (Values{2, 4, 6, 8}));
}

struct Quantised {
  std::int64_t m, k, n;
  int group;
};

// Weights in rows of k, seen as [k, n] from a column on; the kept bytes have two of 4 bits each, the lower
// one first.
aclTensor* SeenWeight(const Tensor& kept, bool nibbles, std::int64_t k, std::int64_t n, std::int64_t first) {
  const std::int64_t dims[] = {k, n}, strides[] = {1, k}, storage[] = {k * n};
  return aclCreateTensor(dims, 2, nibbles ? ACL_INT4 : ACL_INT8, strides, first * k, ACL_FORMAT_ND, storage,
                         1, kept.data());
}

Values Packed(const Values& values) {
  Values bytes;
  for (std::size_t i = 0; i < values.size(); i += 2) {
    const int low = static_cast<int>(values[i]) & 15, high = static_cast<int>(values[i + 1]) & 15;
    bytes.push_back(static_cast<std::int8_t>(high << 4 | low));
  }
  return bytes;
}

// y of x, the columns of `weights` [columns, k] from the first on, and scales [columns, groups].
void RunQuantised(const Quantised& s, bool nibbles, const Values& weights, std::int64_t first,
                  const Tensor& x, const Tensor& scale, const Tensor& y) {
  const Values stored = nibbles ? Packed(weights) : weights;
  const Tensor kept = In(ACL_INT8, {static_cast<std::int64_t>(stored.size())}, stored);
  aclTensor* const weight = SeenWeight(kept, nibbles, s.k, s.n, first);
  {
    Objects objects;
    std::uint64_t workspace = 0;
    aclOpExecutor* executor = nullptr;
    ASSERT_OK(aclnnWeightQuantBatchMatmulV2GetWorkspaceSize(objects.Of(x), weight, objects.Of(scale), nullptr,
                                                            nullptr, nullptr, nullptr, s.group, objects.Of(y),
                                                            &workspace, &executor));
    RunSecond("WeightQuantBatchMatmulV2", aclnnWeightQuantBatchMatmulV2, workspace, executor, objects);
  }
  EXPECT_OK(aclDestroyTensor(weight));
}

void ExpectQuantised(const Quantised& s, bool nibbles, std::int64_t first) {
  const std::int64_t size = s.group == 0 ? s.k : std::min<std::int64_t>(s.group, s.k), groups = s.k / size;
  const std::int64_t columns = first + s.n;
  const Tensor x = In(ACL_FLOAT16, {s.m, s.k}, Spread(static_cast<std::size_t>(s.m * s.k)));
  const Values weights = SpreadInts(static_cast<std::size_t>(columns * s.k), -8, 7);
  const Tensor kept =
      In(ACL_FLOAT16, {columns, groups}, Spread(static_cast<std::size_t>(columns * groups), 0.01, 0.1));
  const Tensor scale = kept.View(Role::kIn, {groups, s.n}, {1, groups}, first * groups);
  const Tensor y = Out(ACL_FLOAT16, {s.m, s.n}, Layout::kOffset);
  RunQuantised(s, nibbles, weights, first, x, scale, y);
  const auto k = static_cast<std::size_t>(s.k), n = static_cast<std::size_t>(s.n);
  Values seen(k * n);
  for (std::size_t i = 0; i < seen.size(); ++i)
    seen[i] = weights[(static_cast<std::size_t>(first) + i % n) * k + i / n] *
              scale.Read()[i / n / static_cast<std::size_t>(size) * n + i % n];
  EXPECT_LT(Nmse(y.Read(), Plain(x.Read(), seen, static_cast<std::size_t>(s.m), k, n)), 5e-4)
      << nibbles << " " << s.k << " " << s.n << " " << s.group;
}

TEST_F(Nn, QuantisedWeightsTakeEveryGroupSizeAndAreCutByOffset) {
  for (const bool nibbles : {false, true})
    for (const std::int64_t first : {0, 3})
      for (const Quantised& s :
           {Quantised{3, 32, 5, 0}, Quantised{1, 32, 6, 32}, Quantised{2, 64, 1, 32}, Quantised{4, 96, 7, 32},
            Quantised{2, 64, 8, 64}, Quantised{1, 64, 8, 128}, Quantised{1, 128, 3, 64}})
        ExpectQuantised(s, nibbles, first);
}

TEST_F(Nn, QuantisedWeightsTakeOffsetsBiasAndPlainRows) {
  constexpr std::int64_t k = 64, n = 6;
  const Tensor x = In(ACL_FLOAT16, {2, k}, Spread(2 * k), Layout::kPaddedRows);
  const Tensor weight = In(ACL_INT8, {k, n}, SpreadInts(k * n, -127, 127));
  const Tensor scale = In(ACL_FLOAT16, {2, n}, Spread(2 * n, 0.001, 0.01));
  const Tensor offset = In(ACL_FLOAT16, {2, n}, SpreadInts(2 * n, -9, 9)),
               bias = In(ACL_FLOAT16, {n}, Spread(n));
  const Tensor y = Out(ACL_FLOAT16, {2, n}, Layout::kPaddedRows);
  Run(NN(WeightQuantBatchMatmulV2), x, weight, scale, offset, nullptr, nullptr, bias, 32, y);
  Values weights = weight.Read();
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const std::size_t at = i / n / 32 * n + i % n;
    weights[i] = (weights[i] + offset.Read()[at]) * scale.Read()[at];
  }
  Values expected = Plain(x.Read(), weights, 2, k, n);
  for (std::size_t i = 0; i < expected.size(); ++i)
    expected[i] += bias.Read()[i % n];
  EXPECT_LT(Nmse(y.Read(), expected), 5e-4);
}

TEST_F(Nn, TriangularSolveTakesUpperTransposedAndUnitMatrices) {
  for (const bool upper : {false, true})
    for (const bool transpose : {false, true})
      for (const bool unit : {false, true}) {
        const Tensor a = In(ACL_FLOAT, {3, 3}, Spread(9, 0.5, 1.5)), x = In(ACL_FLOAT, {2, 3, 2}, Spread(12));
        Values used = a.Read();
        for (std::size_t i = 0; i < 9; ++i) {
          const std::size_t r = i / 3, c = i % 3;
          if (upper ? c < r : c > r) used[i] = 0;
          if (unit && r == c) used[i] = 1;
        }
        Values turned(9);
        for (std::size_t i = 0; i < 9; ++i)
          turned[i] = transpose ? used[i % 3 * 3 + i / 3] : used[i];
        const Values given = x.Read();
        Values b = Plain(turned, Values(given.begin(), given.begin() + 6), 3, 3, 2);
        const Values second = Plain(turned, Values(given.begin() + 6, given.end()), 3, 3, 2);
        b.insert(b.end(), second.begin(), second.end());
        const Tensor right = In(ACL_FLOAT, {2, 3, 2}, b, Layout::kPaddedRows),
                     found = Out(ACL_FLOAT, {2, 3, 2});
        const Tensor copy = Out(ACL_FLOAT, {2, 3, 3});
        SCOPED_TRACE(std::to_string(upper) + std::to_string(transpose) + std::to_string(unit));
        Run(NN(TriangularSolve), right, a, upper, transpose, unit, found, copy);
        ExpectClose(found.Read(), x.Read(), 1e-4);
      }
}

}  // namespace
}  // namespace nn
