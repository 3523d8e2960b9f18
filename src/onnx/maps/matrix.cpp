// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx/mapping.h"
#include "onnx/maps/shaping.h"

namespace foothold::onnx {
namespace {

void MapMatMul(NodeImport& node) {
  const bool plain = node.KnownRank(0) == 2u && node.KnownRank(1) == 2u;
  node.Out(0, node.Op(plain ? "MatMulV2" : "BatchMatMulV2", {node.In(0), node.In(1)}));
}

OutputRef Scaled(NodeImport& node, OutputRef x, float by) {
  if (by == 1.0f) return x;
  return node.Op("Mul", {x, node.builder().Number(node.ElementType(0), by)});
}

// The product takes a bias of one row; anything else is added afterwards.
void MapGemm(NodeImport& node) {
  const float alpha = node.Float("alpha", 1.0f), beta = node.Float("beta", 1.0f);
  const OutputRef a = node.In(0), b = node.In(1);
  const OutputRef c = beta == 0.0f ? OutputRef() : Scaled(node, node.InOr(2), node.Has(2) ? beta : 1.0f);
  const bool as_bias = c && alpha == 1.0f && node.KnownRank(2) == 1u;
  const OutputRef product = node.Op("MatMulV2", {a, b, as_bias ? c : OutputRef()})
                                .Set("transpose_x1", node.Int("transA", 0) != 0)
                                .Set("transpose_x2", node.Int("transB", 0) != 0);
  const OutputRef scaled = Scaled(node, product, alpha);
  node.Out(0, c && !as_bias ? node.Op("Add", {scaled, c}).Out() : scaled);
}

void MapEinsum(NodeImport& node) {
  node.Out(0, node.Op("Einsum")
                  .InList("x", node.AllInputs())
                  .Set("equation", node.Text("equation", ""))
                  .Set("N", static_cast<std::int64_t>(node.inputs())));
}

void MapDet(NodeImport& node) {
  node.Out(0, node.Op("MatrixDeterminant", {node.In(0)}));
}

const RegisterMapping matmul("MatMul", MapMatMul);
const RegisterMapping gemm("Gemm", MapGemm);
const RegisterMapping einsum("Einsum", MapEinsum);
const RegisterMapping det("Det", MapDet);

}  // namespace
}  // namespace foothold::onnx
