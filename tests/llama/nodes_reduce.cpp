// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Nodes that make few numbers of many.
#include "aclnnop/aclnn_argmax.h"
#include "aclnnop/aclnn_argsort.h"
#include "aclnnop/aclnn_cast.h"
#include "aclnnop/aclnn_cumsum.h"
#include "aclnnop/aclnn_eq_tensor.h"
#include "aclnnop/aclnn_mean.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_reduce_sum.h"
#include "aclnnop/aclnn_softmax_cross_entropy_with_logits.h"
#include "llama/nodes.h"

namespace llama {

void Sum(Backend& backend, In x, In out) {
  Run(backend, NN(ReduceSum), All(x), Ints{0, 1, 2, 3}, true, TypeOf(out.type), All(out));
}

void SumRows(Backend& backend, In x, In out) {
  Run(backend, NN(ReduceSum), All(x), Ints{3}, true, TypeOf(out.type), All(out));
}

void Mean(Backend& backend, In x, In out) {
  Run(backend, NN(Mean), All(x), Ints{3}, true, ACL_FLOAT, All(out));
}

void ArgMax(Backend& backend, In x, In out) {
  Run(backend, NN(ArgMax), All(x), 3, false, Slice(out, 3));
}

void ArgSort(Backend& backend, In x, bool descending, In out) {
  const Buffer wide(backend.pool(), static_cast<std::size_t>(out.size()) * sizeof(std::int64_t));
  const Tensor indices = Lay(Type::kI64, out.ne, wide.data());
  Run(backend, NN(Argsort), All(x), -1, descending, All(indices));
  Run(backend, NN(Cast), All(indices), TypeOf(out.type), All(out));
}

void CumSum(Backend& backend, In x, In out) {
  Run(backend, NN(Cumsum), All(x), 3, TypeOf(out.type), All(out));
}

void CountEqual(Backend& backend, In x, In y, In out) {
  const Buffer buffer(backend.pool(), BytesOf(x));
  const Tensor equal = Lay(x.type, x.ne, buffer.data());
  Run(backend, NN(EqTensor), All(x), All(y), All(equal));
  Run(backend, NN(ReduceSum), All(equal), Ints{0, 1, 2, 3}, true, TypeOf(out.type), All(out));
}

void CrossEntropyLoss(Backend& backend, In x, In labels, In out) {
  const std::int64_t rows = x.rows(), classes = x.ne[0];
  const Buffer losses(backend.pool(), static_cast<std::size_t>(rows) * sizeof(float));
  const Buffer gradients(backend.pool(), BytesOf(x));
  const Described loss(ACL_FLOAT, {rows}, losses.data());
  Run(backend, NN(SoftmaxCrossEntropyWithLogits), Reshaped(x, {rows, classes}),
      Reshaped(labels, {rows, classes}), loss, Described(ACL_FLOAT, {rows, classes}, gradients.data()));
  const Described total(ACL_FLOAT, {1}, out.data);
  Run(backend, NN(ReduceSum), loss, Ints{0}, false, ACL_FLOAT, total);
  Run(backend, NN(InplaceMuls), total, Scalar{1 / static_cast<float>(rows)});
}

}  // namespace llama
