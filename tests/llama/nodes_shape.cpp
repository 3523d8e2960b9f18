// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Nodes that cut, mask and enlarge.
#include <limits>

#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_constant_pad_nd.h"
#include "aclnnop/aclnn_copy.h"
#include "aclnnop/aclnn_fill_scalar.h"
#include "aclnnop/aclnn_reflection_pad1d.h"
#include "aclnnop/aclnn_triangular_solve.h"
#include "aclnnop/aclnn_tril.h"
#include "aclnnop/aclnn_triu.h"
#include "aclnnop/aclnn_upsample_nearest_2d.h"
#include "aclnnop/aclnn_zero.h"
#include "llama/nodes.h"

namespace llama {
namespace {

Tensor WindowIn(In out, In y, const Window& window) {
  Tensor view = y;
  view.type = out.type;
  view.nb = {out.nb[0], window.nb1, window.nb2, window.nb3};
  view.data = out.data + window.offset;
  return view;
}

Described Matrices(In x) {
  return Reshaped(x, {x.ne[3] * x.ne[2], x.ne[1], x.ne[0]});
}

}  // namespace

void Acc(Backend& backend, In x, In y, const Window& window, In out) {
  if (!window.in_place) Copy(backend, x, out);
  Run(backend, NN(InplaceAdd), All(WindowIn(out, y, window)), All(y), Scalar{1});
}

void Set(Backend& backend, In x, In y, const Window& window, In out) {
  if (!window.in_place) Copy(backend, x, out);
  Run(backend, NN(InplaceCopy), All(WindowIn(out, y, window)), All(y));
}

void Diag(Backend& backend, In x, In out) {
  Run(backend, NN(InplaceFillScalar), All(out), Scalar{0});
  const std::int64_t n = x.ne[0];
  const Described diagonal(TypeOf(out.type), {x.ne[3], x.ne[2], x.ne[1], n},
                           {x.ne[2] * n * n, n * n, n * n, n + 1}, out.data);
  Run(backend, NN(InplaceCopy), diagonal, All(x));
}

void DiagMaskInf(Backend& backend, In x, int past, In out) {
  const Buffer buffer(backend.pool(), BytesOf(x));
  const Described mask = Reshaped(Lay(x.type, x.ne, buffer.data()), {x.ne[3], x.ne[2], x.ne[1], x.ne[0]});
  Run(backend, NN(InplaceFillScalar), mask, Scalar{-std::numeric_limits<float>::infinity()});
  Run(backend, NN(InplaceTriu), mask, past + 1);
  Run(backend, NN(Tril), All(x), past + 1, All(out));
  Run(backend, NN(InplaceAdd), All(out), mask, Scalar{1});
}

void Tri(Backend& backend, In x, int kind, In out) {
  if (kind == 0 || kind == 1) return Run(backend, NN(Triu), Matrices(x), kind, Matrices(out));
  Run(backend, NN(Tril), Matrices(x), 2 - kind, Matrices(out));
}

void Pad(Backend& backend, In x, const Dims& pads, In out) {
  Run(backend, NN(ConstantPadNd), All(x), Ints(pads), Scalar{0}, All(out));
}

void PadReflect(Backend& backend, In x, int low, int high, In out) {
  for (std::int64_t i = 0; i < x.ne[3]; ++i)
    Run(backend, NN(ReflectionPad1d), Slice(x, 3, 0, i), Ints{low, high}, Slice(out, 3, 0, i));
}

void Upscale(Backend& backend, In x, In out) {
  Run(backend, NN(UpsampleNearest2d), All(x), Ints{out.ne[1], out.ne[0]}, All(out));
}

void SolveTri(Backend& backend, In a, In b, In out) {
  const Buffer buffer(backend.pool(), BytesOf(a));
  const Tensor triangle = Lay(a.type, a.ne, buffer.data());
  Run(backend, NN(TriangularSolve), All(b), All(a), false, false, false, All(out), All(triangle));
}

}  // namespace llama
