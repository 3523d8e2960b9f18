// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Norms and softmax.
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_clamp.h"
#include "aclnnop/aclnn_div.h"
#include "aclnnop/aclnn_group_norm.h"
#include "aclnnop/aclnn_layer_norm.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_norm.h"
#include "aclnnop/aclnn_rms_norm.h"
#include "aclnnop/aclnn_softmax.h"
#include "llama/nodes.h"

namespace llama {

void RmsNorm(Backend& backend, In x, float epsilon, In out) {
  const Described gamma(TypeOf(out.type), {x.ne[0]}, backend.Constant(TypeOf(out.type), x.ne[0], 1));
  const Buffer rstd(backend.pool(), static_cast<std::size_t>(x.rows()) * sizeof(float));
  const Described scratch(ACL_FLOAT, {x.ne[3], x.ne[2], x.ne[1]}, rstd.data());  // one dimension too few
  Run(backend, NN(RmsNorm), All(x), gamma, epsilon, All(out), scratch);
}

void Norm(Backend& backend, In x, float epsilon, In out) {
  Run(backend, NN(LayerNorm), All(x), Ints{x.ne[0]}, nullptr, nullptr, epsilon, All(out), nullptr, nullptr);
}

void L2Norm(Backend& backend, In x, float epsilon, In out) {
  const Buffer lengths(backend.pool(), static_cast<std::size_t>(x.rows()) * sizeof(float));
  const Described divisor(ACL_FLOAT, {x.ne[3], x.ne[2], x.ne[1], 1}, lengths.data());
  Run(backend, NN(Norm), All(x), Scalar{2}, Ints{3}, true, divisor);
  Run(backend, NN(ClampMin), divisor, Scalar{epsilon}, divisor);
  Run(backend, NN(Div), All(x), divisor, All(out));
}

void GroupNorm(Backend& backend, In x, int groups, float epsilon, In out) {
  const std::int64_t images = x.ne[3], statistics = images * groups;
  const Buffer buffer(backend.pool(), static_cast<std::size_t>(statistics) * 2 * sizeof(float));
  const Described mean(ACL_FLOAT, {images, groups}, buffer.data());
  const Described rstd(ACL_FLOAT, {images, groups}, buffer.data() + statistics * 4);
  Run(backend, NN(GroupNorm), All(x), nullptr, nullptr, images, x.ne[2], x.ne[1] * x.ne[0], groups, epsilon,
      All(out), mean, rstd);
}

void SoftMax(Backend& backend, In x, const Tensor* mask, float scale, float max_bias, In out) {
  const Buffer buffer(backend.pool(), BytesOf(x));
  const Tensor scores = Lay(Type::kF32, x.ne, buffer.data());
  Scale(backend, x, scale, scores);
  if (mask == nullptr) return Run(backend, NN(Softmax), All(scores), 3, All(out));
  const std::int64_t heads = mask->ne[2], images = mask->ne[3], times = x.ne[2] / heads;
  const Described m = All(*mask);
  Described added(m.type, {1, images, 1, heads, x.ne[1], x.ne[0]},
                  {0, m.strides[0], 0, m.strides[1], m.strides[2], m.strides[3]}, mask->data);
  const Dims dims{x.ne[3] / images, images, times, heads, x.ne[1], x.ne[0]};
  if (max_bias <= 0) {
    Run(backend, NN(InplaceAdd), Reshaped(scores, dims), added, Scalar{1});
    return Run(backend, NN(Softmax), All(scores), 3, All(out));
  }
  const Buffer slopes(backend.pool(), static_cast<std::size_t>(x.ne[2]) * sizeof(float));
  const Buffer biased(backend.pool(), static_cast<std::size_t>(images * x.ne[2] * x.ne[1] * x.ne[0]) * 4);
  Slopes(backend, x.ne[2], max_bias, Described(ACL_FLOAT, {x.ne[2]}, slopes.data()));
  const Described bias(ACL_FLOAT, {1, images, times, heads, x.ne[1], x.ne[0]}, biased.data());
  Run(backend, NN(Mul), added, Described(ACL_FLOAT, {1, 1, times, heads, 1, 1}, slopes.data()), bias);
  Run(backend, NN(InplaceAdd), Reshaped(scores, dims), bias, Scalar{1});
  Run(backend, NN(Softmax), All(scores), 3, All(out));
}

}  // namespace llama
