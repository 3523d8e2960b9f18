// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tensors of random dimensions in random views: any order of dimensions in memory, holes, offsets, repeated
// elements. The same ones every time.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "aclnn/nn_case.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_cast.h"
#include "aclnnop/aclnn_cat.h"
#include "aclnnop/aclnn_copy.h"
#include "aclnnop/aclnn_gather_v2.h"
#include "aclnnop/aclnn_matmul.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_permute.h"
#include "aclnnop/aclnn_reduce_sum.h"
#include "aclnnop/aclnn_softmax.h"

namespace nn {
namespace {

constexpr int kTimes = 60;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  std::int64_t Below(std::int64_t end) {
    return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(end));
  }
  bool Rarely() { return Below(4) == 0; }
  Dims Order(std::size_t rank) {
    Dims order(rank);
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = rank; i > 1; --i)
      std::swap(order[i - 1], order[static_cast<std::size_t>(Below(static_cast<std::int64_t>(i)))]);
    return order;
  }
  Dims SomeDims(std::size_t rank, std::int64_t most) {
    Dims dims;
    for (std::size_t i = 0; i < rank; ++i)
      dims.push_back(1 + Below(most));
    return dims;
  }
  aclDataType Float() {
    constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
    return kTypes[Below(3)];
  }

  // What is read may have elements that are one.
  Tensor View(Role role, aclDataType type, const Dims& dims) {
    Dims strides(dims.size());
    std::int64_t next = Rarely() ? 2 : 1;
    const Dims order = Order(dims.size());
    for (std::size_t i = order.size(); i-- > 0;) {
      const auto d = static_cast<std::size_t>(order[i]);
      strides[d] = next;
      next = next * dims[d] + (Rarely() ? Below(4) : 0);
      if (dims[d] == 1 && Rarely()) strides[d] = 123456789;
      if (role == Role::kIn && Below(8) == 0) strides[d] = 0;
    }
    const std::int64_t offset = Rarely() ? Below(9) : 0;
    const auto count = static_cast<std::size_t>(next + offset);
    const Tensor memory =
        Ref(type, {static_cast<std::int64_t>(count)}, Spread(count, -2, 2, static_cast<unsigned>(next)));
    return memory.View(role, dims, strides, offset);
  }

 private:
  std::mt19937 engine_;
};

TEST_F(Nn, RandomViewsAreAddedAndMultiplied) {
  for (unsigned seed = 0; seed < kTimes; ++seed) {
    Random random(seed);
    const Dims dims = random.SomeDims(static_cast<std::size_t>(random.Below(6)), 5);
    Dims a_dims = dims, b_dims = dims;
    for (std::size_t i = 0; i < dims.size(); ++i)
      if (random.Rarely()) (random.Rarely() ? a_dims : b_dims)[i] = 1;
    if (random.Rarely())
      b_dims.erase(b_dims.begin(),
                   b_dims.begin() + random.Below(static_cast<std::int64_t>(b_dims.size()) + 1));
    const Tensor a = random.View(Role::kIn, random.Float(), a_dims),
                 b = random.View(Role::kIn, random.Float(), b_dims);
    const Tensor out = random.View(Role::kOut, random.Float(), dims);
    Dims full = dims;
    for (std::size_t i = 0; i < full.size(); ++i)
      if (a_dims[i] == 1 &&
          (i < full.size() - b_dims.size() || b_dims[i - (full.size() - b_dims.size())] == 1) && full[i] != 1)
        full.clear();
    if (full.size() != dims.size()) continue;  // both were cut
    const Values x = Repeated(a.Read(), a_dims, dims), y = Repeated(b.Read(), b_dims, dims);
    Values sum(x.size()), product(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      sum[i] = x[i] - 0.5 * y[i];
      product[i] = x[i] * y[i];
    }
    SCOPED_TRACE(seed);
    Run(NN(Add), a, b, Scalar(-0.5f), out);
    const double tolerance =
        std::max({Tolerance(out.type()), a.type() == b.type() ? Tolerance(a.type()) : 0.0});
    ExpectClose(out.Read(), sum, tolerance);
    Run(NN(Mul), a, b, out);
    ExpectClose(out.Read(), product, tolerance);
  }
}

TEST_F(Nn, RandomViewsAreCopiedCastAndPermuted) {
  for (unsigned seed = 0; seed < kTimes; ++seed) {
    Random random(seed + 1000);
    const Dims dims = random.SomeDims(static_cast<std::size_t>(1 + random.Below(5)), 6),
               order = random.Order(dims.size());
    Dims permuted;
    for (const std::int64_t axis : order)
      permuted.push_back(dims[static_cast<std::size_t>(axis)]);
    const aclDataType type = random.Float();
    const Tensor x = random.View(Role::kIn, type, dims), same = random.View(Role::kOut, type, dims);
    const Tensor wide = random.View(Role::kOut, ACL_FLOAT, dims),
                 turned = random.View(Role::kOut, type, permuted);
    SCOPED_TRACE(seed);
    Run(NN(InplaceCopy), same, x);
    EXPECT_EQ(same.Read(), x.Read());
    Run(NN(Cast), x, ACL_FLOAT, wide);
    EXPECT_EQ(wide.Read(), x.Read());
    Ints axes(order.begin(), order.end());
    Run(NN(Permute), x, axes, turned);
    const Dims strides = ContiguousStrides(dims);
    Values expected;
    for (std::size_t i = 0; i < CountOf(permuted); ++i) {
      std::size_t rest = i, place = 0;
      for (std::size_t d = permuted.size(); d-- > 0; rest /= static_cast<std::size_t>(permuted[d]))
        place += rest % static_cast<std::size_t>(permuted[d]) *
                 static_cast<std::size_t>(strides[static_cast<std::size_t>(order[d])]);
      expected.push_back(x.Read()[place]);
    }
    EXPECT_EQ(turned.Read(), expected);
  }
}

// [outer, length, inner] around a dimension.
struct Lines {
  Lines(const Dims& dims, std::size_t axis) : length(static_cast<std::size_t>(dims[axis])) {
    for (std::size_t i = 0; i < dims.size(); ++i)
      (i < axis ? outer : i > axis ? inner : unused) *= static_cast<std::size_t>(dims[i]);
  }
  std::size_t outer = 1, length, inner = 1, unused = 1;
};

TEST_F(Nn, RandomViewsAreReducedAndNormalised) {
  for (unsigned seed = 0; seed < kTimes; ++seed) {
    Random random(seed + 2000);
    const Dims dims = random.SomeDims(static_cast<std::size_t>(1 + random.Below(4)), seed % 5 == 0 ? 40 : 6);
    const auto axis = static_cast<std::size_t>(random.Below(static_cast<std::int64_t>(dims.size())));
    const Tensor x = random.View(Role::kIn, random.Float(), dims);
    Dims reduced = dims;
    reduced[axis] = 1;
    const Tensor sum = random.View(Role::kOut, ACL_FLOAT, reduced),
                 soft = random.View(Role::kOut, x.type(), dims);
    const Lines lines(dims, axis);
    const Values given = x.Read();
    Values sums(CountOf(reduced), 0.0), softs(given.size()), all(sums);
    for (std::size_t i = 0; i < given.size(); ++i) {
      const std::size_t line = i / (lines.length * lines.inner) * lines.inner + i % lines.inner;
      sums[line] += given[i];
      all[line] += std::exp(given[i]);
    }
    for (std::size_t i = 0; i < given.size(); ++i)
      softs[i] = std::exp(given[i]) / all[i / (lines.length * lines.inner) * lines.inner + i % lines.inner];
    SCOPED_TRACE(seed);
    Run(NN(ReduceSum), x, Ints{static_cast<std::int64_t>(axis)}, true, ACL_FLOAT, sum);
    ExpectClose(sum.Read(), sums, 1e-5);
    Run(NN(Softmax), x, static_cast<std::int64_t>(axis), soft);
    ExpectClose(soft.Read(), softs, Tolerance(x.type()));
  }
}

TEST_F(Nn, RandomViewsAreJoinedAndGathered) {
  for (unsigned seed = 0; seed < kTimes; ++seed) {
    Random random(seed + 3000);
    const Dims dims = random.SomeDims(static_cast<std::size_t>(1 + random.Below(4)), 6);
    const auto axis = static_cast<std::size_t>(random.Below(static_cast<std::int64_t>(dims.size())));
    const aclDataType type = random.Float();
    Dims more = dims, joined = dims, picked = dims;
    more[axis] = 1 + random.Below(4);
    joined[axis] += more[axis];
    picked[axis] = 1 + random.Below(5);
    const Tensor a = random.View(Role::kIn, type, dims), b = random.View(Role::kIn, type, more);
    const Tensor out = random.View(Role::kOut, type, joined), rows = random.View(Role::kOut, type, picked);
    const Lines lines(joined, axis);
    const std::size_t first = static_cast<std::size_t>(dims[axis]);
    const auto at = [&](std::size_t outer, std::size_t i, std::size_t inner) {
      return i < first ? a.Read()[(outer * first + i) * lines.inner + inner]
                       : b.Read()[(outer * (lines.length - first) + i - first) * lines.inner + inner];
    };
    Values expected;
    for (std::size_t i = 0; i < CountOf(joined); ++i)
      expected.push_back(at(i / lines.inner / lines.length, i / lines.inner % lines.length, i % lines.inner));
    SCOPED_TRACE(seed);
    Run(NN(Cat), List{&a, &b}, static_cast<std::int64_t>(axis), out);
    EXPECT_EQ(out.Read(), expected);
    Values index;
    for (std::int64_t i = 0; i < picked[axis]; ++i)
      index.push_back(static_cast<double>(random.Below(dims[axis])));
    Run(NN(GatherV2), a, static_cast<std::int64_t>(axis),
        In(ACL_INT32, {picked[axis]}, index, Layout::kEveryOther), rows);
    Values taken;
    for (std::size_t i = 0; i < CountOf(picked); ++i)
      taken.push_back(at(i / lines.inner / index.size(),
                         static_cast<std::size_t>(index[i / lines.inner % index.size()]), i % lines.inner));
    EXPECT_EQ(rows.Read(), taken);
  }
}

TEST_F(Nn, RandomViewsOfMatricesAreMultiplied) {
  for (unsigned seed = 0; seed < kTimes; ++seed) {
    Random random(seed + 4000);
    const std::int64_t most = seed % 3 == 0 ? 70 : 9;
    const std::int64_t m = 1 + random.Below(most), k = 1 + random.Below(most), n = 1 + random.Below(most);
    const Dims batch = random.SomeDims(static_cast<std::size_t>(random.Below(3)), 3);
    Dims a_dims = batch, b_dims = batch, dims = batch;
    for (std::size_t i = 0; i < batch.size(); ++i)
      if (random.Rarely()) (random.Below(2) == 0 ? a_dims : b_dims)[i] = 1;
    a_dims.insert(a_dims.end(), {m, k});
    b_dims.insert(b_dims.end(), {k, n});
    dims.insert(dims.end(), {m, n});
    Dims a_full = batch, b_full = batch;
    a_full.insert(a_full.end(), {m, k});
    b_full.insert(b_full.end(), {k, n});
    const Tensor a = random.View(Role::kIn, random.Float(), a_dims),
                 b = random.View(Role::kIn, random.Float(), b_dims);
    const Tensor out = random.View(Role::kOut, random.Float(), dims);
    const Values x = Repeated(a.Read(), a_dims, a_full), y = Repeated(b.Read(), b_dims, b_full);
    Values expected(CountOf(dims), 0.0);
    const auto rows = static_cast<std::size_t>(m), depth = static_cast<std::size_t>(k),
               columns = static_cast<std::size_t>(n);
    for (std::size_t i = 0; i < expected.size(); ++i)
      for (std::size_t d = 0; d < depth; ++d)
        expected[i] +=
            x[i / columns * depth + d] * y[(i / (rows * columns) * depth + d) * columns + i % columns];
    SCOPED_TRACE(seed);
    Run(NN(Matmul), a, b, out, std::int8_t{1});
    EXPECT_LT(Nmse(out.Read(), expected), 1e-4);
  }
}

}  // namespace
}  // namespace nn
