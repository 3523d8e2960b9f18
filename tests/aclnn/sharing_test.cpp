// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Views of one memory as inputs and outputs of one call: the result is that of inputs which lie apart.
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "aclnn/nn_case.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_cat.h"
#include "aclnnop/aclnn_copy.h"
#include "aclnnop/aclnn_index_copy.h"
#include "aclnnop/aclnn_index_put_impl.h"
#include "aclnnop/aclnn_matmul.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_permute.h"
#include "aclnnop/aclnn_scatter.h"
#include "aclnnop/aclnn_scatter_nd_update.h"
#include "aclnnop/aclnn_softmax.h"
#include "aclnnop/aclnn_split_with_size.h"

namespace nn {
namespace {

constexpr std::int64_t kElements = 96;

struct Place {
  Dims dims, strides;
  std::int64_t offset;
};

// Places of matrices somewhere in the memory, the same ones every time.
class Places {
 public:
  explicit Places(unsigned seed) : random_(seed) {}

  Place Any(const Dims& dims) {
    Dims strides = ContiguousStrides(dims);
    switch (Number(4)) {
      case 0:
        for (std::int64_t& stride : strides)
          stride *= 2;
        break;
      case 1:
        strides = {1, dims[0] + Number(2)};
        break;
      case 2:
        strides[0] += 1 + Number(4);
        break;
      default:
        break;
    }
    std::int64_t last = 0;
    for (std::size_t i = 0; i < dims.size(); ++i)
      last += (dims[i] - 1) * strides[i];
    return {dims, strides, Number(3) == 0 ? 0 : Number(kElements - last)};
  }

 private:
  std::int64_t Number(std::int64_t below) { return static_cast<std::int64_t>(random_()) % below; }
  std::mt19937 random_;
};

Tensor At(const Tensor& memory, Role role, const Place& place) {
  return memory.View(role, place.dims, place.strides, place.offset);
}

using Body = std::function<void(const std::vector<Tensor>& in, const Tensor& out)>;

class Sharing : public Nn {
 protected:
  // In one memory, and with inputs in others.
  static void Compare(const std::vector<Place>& in, const Place& out, const Body& body, double tolerance) {
    const Tensor one = Ref(ACL_FLOAT, {kElements}, Spread(kElements));
    const Tensor other = Ref(ACL_FLOAT, {kElements}, one.Read());
    std::vector<Tensor> shared, apart;
    for (const Place& place : in) {
      shared.push_back(At(one, Role::kIn, place));
      apart.push_back(In(ACL_FLOAT, place.dims, shared.back().Read()));
    }
    body(apart, At(other, Role::kRef, out));
    body(shared, At(one, Role::kRef, out));
    ExpectClose(one.Read(), other.Read(), tolerance);
  }

  // The same to the last bit, unless a tolerance is said.
  static void CompareMany(const std::vector<Dims>& in, const Dims& out, const Body& body,
                          double tolerance = 0) {
    for (unsigned seed = 0; seed < 60 && !HasFailure(); ++seed) {
      Places places(seed);
      std::vector<Place> chosen;
      for (const Dims& dims : in)
        chosen.push_back(places.Any(dims));
      if (seed % 5 == 4 && in.back() == in.front()) chosen.back() = chosen.front();
      SCOPED_TRACE(seed);
      const Place to = seed % 3 == 2 && chosen[0].dims == out ? chosen[0] : places.Any(out);
      Compare(chosen, to, body, tolerance);
    }
  }
};

const Dims kMatrix = {4, 5};

TEST_F(Sharing, DoesNotChangeSums) {
  CompareMany({kMatrix, kMatrix}, kMatrix,
              [](const auto& in, const Tensor& out) { Run(NN(Add), in[0], in[1], Scalar(0.5f), out); });
  CompareMany({kMatrix}, kMatrix,
              [](const auto& in, const Tensor& out) { Run(NN(InplaceAdd), out, in[0], Scalar(0.5f)); });
  CompareMany({kMatrix}, kMatrix, [](const auto& in, const Tensor& out) { Run(NN(InplaceMul), out, in[0]); });
}

TEST_F(Sharing, DoesNotChangeCopies) {
  CompareMany({kMatrix}, kMatrix,
              [](const auto& in, const Tensor& out) { Run(NN(InplaceCopy), out, in[0]); });
  CompareMany({{5, 4}}, kMatrix, [](const auto& in, const Tensor& out) {
    Run(NN(Permute), in[0], Ints{1, 0}, out);
  });
  CompareMany({{4, 3}, {4, 2}}, kMatrix, [](const auto& in, const Tensor& out) {
    Run(NN(Cat), List{&in[0], &in[1]}, 1, out);
  });
  CompareMany({{1, 5}, {3, 5}}, kMatrix, [](const auto& in, const Tensor& out) {
    Run(NN(Cat), List{&in[0], &in[1]}, 0, out);
  });
}

TEST_F(Sharing, DoesNotChangeProductsAndSoftmax) {
  CompareMany(
      {{4, 4}, {4, 4}}, {4, 4},
      [](const auto& in, const Tensor& out) { Run(NN(Matmul), in[0], in[1], out, 0); },
      1e-6);  // views may be summed in another order
  CompareMany({kMatrix}, kMatrix, [](const auto& in, const Tensor& out) { Run(NN(Softmax), in[0], 0, out); });
}

TEST_F(Sharing, DoesNotChangeWhatIsPutIntoATensor) {
  const Tensor rows = In(ACL_INT64, {3}, {1, 2, 3}), pairs = In(ACL_INT64, {3, 1}, {1, 2, 3});
  const Tensor places = In(ACL_INT64, {3, 5}, {1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3});
  const Dims three = {3, 5};
  CompareMany({three}, kMatrix, [&](const auto& in, const Tensor& out) {
    Run(NN(IndexPutImpl), out, List{&rows}, in[0], false, false);
  });
  CompareMany({three}, kMatrix, [&](const auto& in, const Tensor& out) {
    Run(NN(IndexPutImpl), out, List{&rows}, in[0], true, false);
  });
  CompareMany({three}, kMatrix,
              [&](const auto& in, const Tensor& out) { Run(NN(InplaceScatter), out, 0, places, in[0], 0); });
  CompareMany({three}, kMatrix,
              [&](const auto& in, const Tensor& out) { Run(NN(InplaceIndexCopy), out, 0, rows, in[0]); });
  CompareMany({three}, kMatrix,
              [&](const auto& in, const Tensor& out) { Run(NN(ScatterNdUpdate), out, pairs, in[0]); });
}

TEST_F(Sharing, IsPossibleBetweenOutputsThatInterleave) {
  const Tensor memory = Out(ACL_FLOAT, {2, 4}), in = In(ACL_FLOAT, {2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  const Tensor left = memory.View(Role::kOut, {2, 2}, {4, 1}, 2),
               right = memory.View(Role::kOut, {2, 2}, {4, 1}, 0);
  Run(NN(SplitWithSize), in, Ints{2, 2}, 1, List{&left, &right});
  EXPECT_EQ(memory.Read(), (Values{3, 4, 1, 2, 7, 8, 5, 6}));
}

}  // namespace
}  // namespace nn
