// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Losses, and steps of training.
#include <algorithm>
#include <cmath>

#include "aclnn/nn_case.h"
#include "aclnnop/aclnn_apply_adam_w_v2.h"
#include "aclnnop/aclnn_binary_cross_entropy.h"
#include "aclnnop/aclnn_binary_cross_entropy_backward.h"
#include "aclnnop/aclnn_embedding_dense_backward.h"
#include "aclnnop/aclnn_l1_loss.h"
#include "aclnnop/aclnn_l1_loss_backward.h"
#include "aclnnop/aclnn_mse_loss.h"
#include "aclnnop/aclnn_mse_loss_backward.h"
#include "aclnnop/aclnn_smooth_l1_loss.h"
#include "aclnnop/aclnn_smooth_l1_loss_backward.h"

namespace nn {
namespace {

Values Entropies(const Values& x, const Values& y, const Values& weight) {
  Values losses;
  for (std::size_t i = 0; i < x.size(); ++i)
    losses.push_back(-weight[i % weight.size()] * (y[i] * std::log(x[i]) + (1 - y[i]) * std::log(1 - x[i])));
  return losses;
}

double Total(const Values& values) {
  double sum = 0;
  for (const double value : values)
    sum += value;
  return sum;
}

TEST_F(Nn, BinaryCrossEntropyReducesAsAsked) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    const Tensor x = In(type, {3, 4}, Spread(12, 0.1, 0.9), Layout::kTransposed),
                 y = In(type, {3, 4}, Spread(12, 0, 1, 2)), weight = In(type, {4}, Spread(4, 0.5, 2, 3)),
                 each = Out(type, {3, 4}, Layout::kPaddedRows), one = Out(type, {});
    const Values losses = Entropies(x.Read(), y.Read(), weight.Read()),
                 plain = Entropies(x.Read(), y.Read(), {1});
    Run(NN(BinaryCrossEntropy), x, y, weight, 0, each);
    ExpectClose(each.Read(), losses, Tolerance(type));
    Run(NN(BinaryCrossEntropy), x, y, weight, 1, one);
    ExpectClose(one.Read(), {Total(losses) / 12}, Tolerance(type));
    Run(NN(BinaryCrossEntropy), x, y, nullptr, 2, one);
    ExpectClose(one.Read(), {Total(plain)}, Tolerance(type));
  }
  const Tensor x = In(ACL_FLOAT, {1}, {0.5}), out = Out(ACL_FLOAT, {1});
  ExpectRefused(161002, "'reduction' is 3", NN(BinaryCrossEntropy), x, x, nullptr, 3, out);
}

TEST_F(Nn, BinaryCrossEntropyIsFiniteAtTheEnds) {
  const Tensor x = In(ACL_FLOAT, {4}, {0, 1, 0, 1}), y = In(ACL_FLOAT, {4}, {0, 1, 1, 0}),
               out = Out(ACL_FLOAT, {4});
  Run(NN(BinaryCrossEntropy), x, y, nullptr, 0, out);
  ExpectClose(out.Read(), {0, 0, 100, 100}, 1e-6);
}

TEST_F(Nn, BinaryCrossEntropyBackwardIsTheSlope) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    const Tensor x = In(type, {6}, Spread(6, 0.2, 0.8)), y = In(type, {6}, Spread(6, 0, 1, 2)),
                 weight = In(type, {6}, Spread(6, 0.5, 2, 3)), g = In(type, {6}, Spread(6, -1, 1, 4)),
                 one = In(type, {}, {0.5}), out = Out(type, {6}, Layout::kEveryOther);
    Values slope, mean;
    for (std::size_t i = 0; i < 6; ++i) {
      const double p = x.Read()[i];
      const double each = weight.Read()[i] * (p - y.Read()[i]) / (p * (1 - p));
      slope.push_back(g.Read()[i] * each);
      mean.push_back(0.5 * each / 6);
    }
    Run(NN(BinaryCrossEntropyBackward), g, x, y, weight, 0, out);
    ExpectClose(out.Read(), slope, Tolerance(type));
    Run(NN(BinaryCrossEntropyBackward), one, x, y, weight, 1, out);
    ExpectClose(out.Read(), mean, Tolerance(type));
  }
}

// One element's step of AdamW, counted from 1.
struct Adam {
  double var, m, v, most;
  void Step(double g, double t, bool amsgrad) {
    m = 0.9 * m + 0.1 * g;
    v = 0.99 * v + 0.01 * g * g;
    most = std::max(most, v);
    const double size = std::sqrt((amsgrad ? most : v) / (1 - std::pow(0.99, t))) + 1e-3;
    var = var * (1 - 0.1 * 0.01) - 0.1 * m / (1 - std::pow(0.9, t)) / size;
  }
};

TEST_F(Nn, AdamWChangesItsVariables) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16})
    for (const bool amsgrad : {false, true})
      for (const aclDataType step_type : {ACL_FLOAT, ACL_INT64}) {
        const Tensor var = Ref(type, {2, 5}, Spread(10), Layout::kPaddedRows),
                     m = Ref(type, {2, 5}, Spread(10, -1, 1, 2)),
                     v = Ref(type, {2, 5}, Spread(10, 0.1, 1, 3)),
                     most = Ref(type, {2, 5}, Spread(10, 0.1, 1, 4)),
                     grad = In(type, {2, 5}, Spread(10, -1, 1, 5)), before = In(step_type, {1}, {2});
        Values new_var, new_m, new_v, new_most;
        for (std::size_t i = 0; i < 10; ++i) {
          Adam one{var.Read()[i], m.Read()[i], v.Read()[i], most.Read()[i]};
          one.Step(-grad.Read()[i], 3, amsgrad);
          new_var.push_back(one.var);
          new_m.push_back(one.m);
          new_v.push_back(one.v);
          new_most.push_back(one.most);
        }
        Run(NN(ApplyAdamWV2), var, m, v, amsgrad ? &most : nullptr, grad, before, 0.1f, 0.9f, 0.99f, 0.01f,
            1e-3f, amsgrad, true);
        ExpectClose(var.Read(), new_var, 2 * Tolerance(type));
        ExpectClose(m.Read(), new_m, 2 * Tolerance(type));
        ExpectClose(v.Read(), new_v, 2 * Tolerance(type));
        if (amsgrad) ExpectClose(most.Read(), new_most, 2 * Tolerance(type));
      }
}

TEST_F(Nn, AdamWNeedsTheLargestWhereItIsUsed) {
  const Tensor var = Ref(ACL_FLOAT, {2}, {1, 2}), step = In(ACL_INT64, {1}, {0});
  ExpectRefused(161002, "'maxGradNormOptionalRef' is null", NN(ApplyAdamWV2), var, var, var, nullptr,
                var.As(Role::kIn), step, 0.1f, 0.9f, 0.99f, 0.01f, 1e-3f, true, false);
}

TEST_F(Nn, EmbeddingDenseBackwardAddsUpRows) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    const Tensor grad = In(type, {2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, Layout::kPaddedRows),
                 indices = In(ACL_INT64, {2, 2}, {3, 0, 3, 1}), out = Out(type, {4, 3});
    Run(NN(EmbeddingDenseBackward), grad, indices, 4, UINT64_MAX, false, out);
    EXPECT_EQ(out.Read(), (Values{4, 5, 6, 10, 11, 12, 0, 0, 0, 8, 10, 12}));
    Run(NN(EmbeddingDenseBackward), grad, indices, 4, 1, true, out);
    EXPECT_EQ(out.Read(), (Values{4, 5, 6, 0, 0, 0, 0, 0, 0, 4, 5, 6}));
  }
}

TEST_F(Nn, LossesOfDifferencesAndTheirSlopes) {
  const Tensor x = In(ACL_FLOAT, {2, 3}, Spread(6), Layout::kPaddedRows),
               y = In(ACL_FLOAT, {2, 3}, Spread(6, -2, 2, 2)), g = In(ACL_FLOAT, {}, {0.5}),
               ups = In(ACL_FLOAT, {2, 3}, Spread(6, -1, 1, 3)), each = Out(ACL_FLOAT, {2, 3}),
               one = Out(ACL_FLOAT, {});
  Values l1, squares, smooth, signs, doubles, slopes;
  const Values up = ups.Read();
  for (std::size_t i = 0; i < 6; ++i) {
    const double d = x.Read()[i] - y.Read()[i];
    l1.push_back(std::abs(d));
    squares.push_back(d * d);
    smooth.push_back(std::abs(d) < 1.5 ? d * d / 3 : std::abs(d) - 0.75);
    signs.push_back(0.5 * (d > 0 ? 1 : -1) / 6);
    doubles.push_back(2 * d * up[i]);
    slopes.push_back(0.5 * std::clamp(d / 1.5, -1.0, 1.0));
  }
  Run(NN(L1Loss), x, y, 1, one);
  ExpectClose(one.Read(), {Total(l1) / 6}, 1e-6);
  Run(NN(MseLoss), x, y, 2, one);
  ExpectClose(one.Read(), {Total(squares)}, 1e-6);
  Run(NN(SmoothL1Loss), x, y, 0, 1.5f, each);
  ExpectClose(each.Read(), smooth, 1e-6);
  Run(NN(SmoothL1Loss), x, y, 1, 0.0f, one);
  ExpectClose(one.Read(), {Total(l1) / 6}, 1e-6);
  Run(NN(L1LossBackward), g, x, y, 1, each);
  ExpectClose(each.Read(), signs, 1e-6);
  Run(NN(MseLossBackward), ups, x, y, 0, each);
  ExpectClose(each.Read(), doubles, 1e-6);
  Run(NN(SmoothL1LossBackward), g, x, y, 2, 1.5f, each);
  ExpectClose(each.Read(), slopes, 1e-6);
}

}  // namespace
}  // namespace nn
