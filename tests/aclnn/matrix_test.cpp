// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Products of matrices, with the views and types that language models pass.
#include "aclnn/nn_case.h"
#include "aclnnop/aclnn_addmm.h"
#include "aclnnop/aclnn_batch_matmul.h"
#include "aclnnop/aclnn_gemm.h"
#include "aclnnop/aclnn_matmul.h"
#include "aclnnop/aclnn_mm.h"
#include "aclnnop/aclnn_mv.h"
#include "aclnnop/aclnn_trans_matmul_weight.h"
#include "aclnnop/aclnn_triangular_solve.h"
#include "aclnnop/aclnn_weight_quant_batch_matmul_v2.h"

namespace nn {
namespace {

constexpr double kProducts = 5e-4;  // NMSE

// [batch, m, k] times [batch, k, n].
Values Product(const Values& a, const Values& b, std::size_t batch, std::size_t m, std::size_t k,
               std::size_t n) {
  Values out(batch * m * n, 0.0);
  for (std::size_t i = 0; i < batch * m * n; ++i)
    for (std::size_t x = 0; x < k; ++x)
      out[i] += a[i / n * k + x] * b[(i / (m * n) * k + x) * n + i % n];
  return out;
}

TEST_F(Nn, MmMultipliesEveryMixtureOfFloatTypesAndLayouts) {
  const aclDataType types[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
  for (const aclDataType left : types)
    for (const aclDataType right : types)
      for (const Layout layout : {Layout::kContiguous, Layout::kPaddedRows, Layout::kTransposed,
                                  Layout::kOffset, Layout::kEveryOther}) {
        const Tensor a = In(left, {5, 40}, Spread(200)),
                     b = In(right, {40, 33}, Spread(1320, -1, 1, 2), layout);
        const Tensor out = Out(ACL_FLOAT, {5, 33}, Layout::kPaddedRows);
        Run(NN(Mm), a, b, out, std::int8_t{2});
        EXPECT_LT(Nmse(out.Read(), Product(a.Read(), b.Read(), 1, 5, 40, 33)), 1e-9) << left << " " << right;
      }
}

TEST_F(Nn, MmWritesHalfPrecision) {
  const Tensor a = In(ACL_FLOAT16, {1, 64}, Spread(64)),
               b = In(ACL_FLOAT16, {64, 48}, Spread(3072), Layout::kTransposed);
  const Tensor out = Out(ACL_FLOAT16, {1, 48});
  Run(NN(Mm), a, b, out, std::int8_t{0});
  EXPECT_LT(Nmse(out.Read(), Product(a.Read(), b.Read(), 1, 1, 64, 48)), 1e-6);
}

TEST_F(Nn, BatchMatMulRepeatsABatchOfOne) {
  const Tensor a = In(ACL_FLOAT, {1, 1, 24}, Spread(24)),
               b = In(ACL_FLOAT16, {3, 24, 7}, Spread(504), Layout::kTransposed);
  const Tensor out = Out(ACL_FLOAT, {3, 1, 7});
  Run(NN(BatchMatMul), a, b, out, std::int8_t{2});
  Values repeated;
  for (int i = 0; i < 3; ++i)
    for (const double value : a.Read())
      repeated.push_back(value);
  EXPECT_LT(Nmse(out.Read(), Product(repeated, b.Read(), 3, 1, 24, 7)), 1e-9);
}

// Groups of heads share keys: an extra dimension of 1 on the right.
TEST_F(Nn, MatmulSharesMatricesOfGroups) {
  const Tensor a = In(ACL_FLOAT, {2, 3, 4, 5, 8}, Spread(960)),
               b = In(ACL_FLOAT16, {2, 3, 1, 8, 6}, Spread(288));
  const Tensor out = Out(ACL_FLOAT, {2, 3, 4, 5, 6});
  Run(NN(Matmul), a, b, out, std::int8_t{1});
  Values rights;
  const Values given = b.Read();
  for (std::size_t group = 0; group < 6; ++group)
    for (int head = 0; head < 4; ++head)
      rights.insert(rights.end(), given.begin() + static_cast<std::ptrdiff_t>(group * 48),
                    given.begin() + static_cast<std::ptrdiff_t>((group + 1) * 48));
  EXPECT_LT(Nmse(out.Read(), Product(a.Read(), rights, 24, 5, 8, 6)), 1e-9);
}

TEST_F(Nn, MatmulTakesATransposedFirstOperand) {
  const Tensor a = In(ACL_FLOAT, {6, 9}, Spread(54), Layout::kTransposed),
               b = In(ACL_FLOAT, {9, 4}, Spread(36));
  const Tensor out = Out(ACL_FLOAT, {6, 4});
  Run(NN(Matmul), a, b, out, std::int8_t{1});
  ExpectClose(out.Read(), Product(a.Read(), b.Read(), 1, 6, 9, 4), 1e-5);
}

TEST_F(Nn, MvTakesATransposedView) {
  const Tensor a = In(ACL_FLOAT, {6, 9}, Spread(54), Layout::kTransposed), b = In(ACL_FLOAT, {9}, Spread(9));
  const Tensor out = Out(ACL_FLOAT, {6});
  Run(NN(Mv), a, b, out, std::int8_t{1});
  ExpectClose(out.Read(), Product(a.Read(), b.Read(), 1, 6, 9, 1), 1e-5);
}

TEST_F(Nn, ProductsOfNothingAreZero) {
  const Tensor a = In(ACL_FLOAT, {2, 0}, {}), b = In(ACL_FLOAT, {0, 3}, {}), out = Out(ACL_FLOAT, {2, 3});
  Run(NN(Mm), a, b, out, std::int8_t{0});
  ExpectClose(out.Read(), Values(6, 0.0), 0);
  Run(NN(Mm), In(ACL_FLOAT, {0, 4}, {}), In(ACL_FLOAT, {4, 3}, Spread(12)), Out(ACL_FLOAT, {0, 3}),
      std::int8_t{0});
}

TEST_F(Nn, ProductsRefuseWhatDoesNotFit) {
  const Tensor a = In(ACL_FLOAT, {2, 4}, Spread(8)), b = In(ACL_FLOAT, {3, 5}, Spread(15)),
               out = Out(ACL_FLOAT, {2, 5});
  ExpectRefused(161002, "[3,5]", NN(Mm), a, b, out, std::int8_t{0});
  ExpectRefused(161002, "cubeMathType", NN(Mm), a, b, out, std::int8_t{9});
  ExpectRefused(161002, "self", NN(BatchMatMul), a, b, out, std::int8_t{0});
}

TEST_F(Nn, AddmmAddsAMultiple) {
  const Tensor self = In(ACL_FLOAT16, {4}, Spread(4)), a = In(ACL_FLOAT16, {3, 5}, Spread(15)),
               b = In(ACL_FLOAT16, {5, 4}, Spread(20)), out = Out(ACL_FLOAT16, {3, 4});
  Run(NN(Addmm), self, a, b, Scalar(0.5f), Scalar(2.0f), out, std::int8_t{0});
  Values expected = Product(a.Read(), b.Read(), 1, 3, 5, 4);
  for (std::size_t i = 0; i < expected.size(); ++i)
    expected[i] = 2 * expected[i] + 0.5 * self.Read()[i % 4];
  ExpectClose(out.Read(), expected, Tolerance(ACL_FLOAT16));
}

TEST_F(Nn, GemmTransposesEitherSide) {
  for (const int transposed : {0, 1, 2, 3}) {
    const bool left = transposed & 1, right = transposed & 2;
    const Tensor a = In(ACL_FLOAT, {3, 5}, Spread(15)), b = In(ACL_FLOAT, {5, 4}, Spread(20));
    const Tensor stored_a = In(ACL_FLOAT, {5, 3}, a.View(Role::kIn, {5, 3}, {1, 5}, 0).Read());
    const Tensor stored_b = In(ACL_FLOAT, {4, 5}, b.View(Role::kIn, {4, 5}, {1, 4}, 0).Read());
    const Tensor c = In(ACL_FLOAT, {3, 4}, Spread(12)), out = Out(ACL_FLOAT, {3, 4});
    Run(NN(Gemm), left ? stored_a : a, right ? stored_b : b, c, 2.0f, 0.5f, left ? 1 : 0, right ? 1 : 0, out,
        std::int8_t{0});
    Values expected = Product(a.Read(), b.Read(), 1, 3, 5, 4);
    for (std::size_t i = 0; i < expected.size(); ++i)
      expected[i] = 2 * expected[i] + 0.5 * c.Read()[i];
    ExpectClose(out.Read(), expected, 1e-5);
  }
}

// Weights that were put into fractals once, and are then used as a transposed view.
TEST_F(Nn, ProductsTakeFractalWeights) {
  for (const auto& [n, k] : std::vector<std::pair<std::int64_t, std::int64_t>>{{32, 64}, {48, 40}, {10, 64}})
    for (const aclDataType type : {ACL_FLOAT16, ACL_FLOAT}) {
      const auto count = static_cast<std::size_t>(n * k);
      const Tensor weight = Ref(type, {n, k}, Spread(count));
      const Values plain = weight.Read();
      Run(NN(TransMatmulWeight), weight);
      Tensor seen = weight.View(Role::kIn, {k, n}, {1, k}, 0);
      seen.format = ACL_FORMAT_FRACTAL_NZ;
      const Tensor a = In(ACL_FLOAT, {3, k}, Spread(static_cast<std::size_t>(3 * k)));
      const Tensor out = Out(ACL_FLOAT, {3, n});
      Run(NN(Mm), a, seen, out, std::int8_t{2});
      Values transposed(count);
      for (std::size_t i = 0; i < count; ++i)
        transposed[i % static_cast<std::size_t>(k) * static_cast<std::size_t>(n) +
                   i / static_cast<std::size_t>(k)] = plain[i];
      EXPECT_LT(Nmse(out.Read(), Product(a.Read(), transposed, 1, 3, static_cast<std::size_t>(k),
                                         static_cast<std::size_t>(n))),
                1e-9)
          << n << " " << k;
    }
}

TEST_F(Nn, SizesOfFractalWeightsAreInElements) {
  const std::int64_t shape[] = {10, 70};
  aclIntArray* dims = aclCreateIntArray(shape, 2);
  std::uint64_t size = 0;
  EXPECT_OK(aclnnCalculateMatmulWeightSizeV2(dims, ACL_FLOAT16, &size));
  EXPECT_EQ(size, 16U * 80U);
  EXPECT_OK(aclnnCalculateMatmulWeightSizeV2(dims, ACL_INT8, &size));
  EXPECT_EQ(size, 16U * 96U);
  EXPECT_EQ(aclnnCalculateMatmulWeightSizeV2(nullptr, ACL_FLOAT16, &size), 161001);
  EXPECT_EQ(aclnnCalculateMatmulWeightSizeV2(dims, ACL_FLOAT16, nullptr), 161001);
  EXPECT_EQ(aclnnCalculateMatmulWeightSizeV2(dims, ACL_INT64, &size), 161002);
  EXPECT_OK(aclDestroyIntArray(dims));
}

// Rows of k weights with a scale for every 32, as models are stored.
TEST_F(Nn, QuantisedWeightsHaveScalesOfGroups) {
  constexpr std::int64_t k = 128, n = 24;
  for (const std::int64_t m : {1, 5}) {
    const Tensor x = In(ACL_FLOAT16, {m, k}, Spread(static_cast<std::size_t>(m * k)));
    const Tensor stored = In(ACL_INT8, {n, k}, SpreadInts(n * k, -127, 127));
    const Tensor weight = stored.View(Role::kIn, {k, n}, {1, k}, 0);
    const Tensor kept = In(ACL_FLOAT16, {n, k / 32}, Spread(n * k / 32, 0.001, 0.01));
    const Tensor scale = kept.View(Role::kIn, {k / 32, n}, {1, k / 32}, 0);
    const Tensor y = Out(ACL_FLOAT16, {m, n});
    Run(NN(WeightQuantBatchMatmulV2), x, weight, scale, nullptr, nullptr, nullptr, nullptr, 32, y);
    Values weights = weight.Read();
    const Values scales = scale.Read();
    for (std::size_t i = 0; i < weights.size(); ++i)
      weights[i] *= scales[i / n / 32 * n + i % n];
    EXPECT_LT(Nmse(y.Read(), Product(x.Read(), weights, 1, static_cast<std::size_t>(m), k, n)), kProducts);
  }
}

TEST_F(Nn, TriangularSolveUndoesAProduct) {
  Values a = Spread(18, 0.5, 1.5);
  for (std::size_t i = 0; i < 18; ++i)
    if (i % 3 > i % 9 / 3) a[i] = 0;
  const Tensor lower = In(ACL_FLOAT, {2, 3, 3}, a), x = In(ACL_FLOAT, {2, 3, 2}, Spread(12));
  const Tensor b = In(ACL_FLOAT, {2, 3, 2}, Product(lower.Read(), x.Read(), 2, 3, 3, 2));
  const Tensor found = Out(ACL_FLOAT, {2, 3, 2}), triangle = Out(ACL_FLOAT, {2, 3, 3});
  Run(NN(TriangularSolve), b, lower, false, false, false, found, triangle);
  ExpectClose(found.Read(), x.Read(), 1e-5);
  ExpectClose(triangle.Read(), lower.Read(), 0);
}

}  // namespace
}  // namespace nn
