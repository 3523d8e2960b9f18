// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ggml_node.h"

#include <cstring>
#include <map>
#include <optional>

#include "llama/nodes.h"

namespace bench {
namespace {

using llama::Backend;
using llama::Tensor;

// A node with its sources on the device.
struct Node {
  const GgmlTensor& node;
  const Placed& placed;
  Tensor out;

  Tensor Source(std::size_t index) const { return placed(*node.sources[index]); }
  bool Has(std::size_t index) const { return node.sources[index] != nullptr; }
  int Int(std::size_t index) const { return node.params[index]; }
  std::size_t Size(std::size_t index) const { return static_cast<std::size_t>(node.params[index]); }
  float Real(std::size_t index) const {
    float value = 0;
    std::memcpy(&value, &node.params[index], sizeof value);
    return value;
  }
};

// A source that may be missing.
class Maybe {
 public:
  Maybe(const Node& n, std::size_t index) {
    if (n.Has(index)) tensor_ = n.Source(index);
  }
  const Tensor* get() const { return tensor_ ? &*tensor_ : nullptr; }

 private:
  std::optional<Tensor> tensor_;
};

llama::RopeParams RopeOf(const Node& n) {
  llama::RopeParams params;
  params.dims = n.Int(1);
  params.halves = n.Int(2) == 2;
  params.original_length = n.Int(4);
  params.base = n.Real(5);
  params.scale = n.Real(6);
  params.extrapolation = n.Real(7);
  params.attention = n.Real(8);
  params.fast = n.Real(9);
  params.slow = n.Real(10);
  return params;
}

llama::Window WindowOf(const Node& n) {
  return {n.Size(0), n.Size(1), n.Size(2), n.Size(3), n.Int(4) != 0};
}

llama::Dims PadsOf(const Node& n) {
  llama::Dims pads;
  for (std::size_t i = 0; i < 8; ++i)
    pads.push_back(n.Int(i));
  return pads;
}

using Compute = void (*)(Backend&, const Node&);

const std::map<std::string, Compute>& Computes() {
  static const std::map<std::string, Compute> all = {
      {"SCALE", [](Backend& b, const Node& n) { Scale(b, n.Source(0), n.Real(0), n.out); }},
      {"CLAMP", [](Backend& b, const Node& n) { Clamp(b, n.Source(0), n.Real(0), n.Real(1), n.out); }},
      {"LEAKY_RELU", [](Backend& b, const Node& n) { LeakyRelu(b, n.Source(0), n.Real(0), n.out); }},
      {"FILL", [](Backend& b, const Node& n) { Fill(b, n.Real(0), n.out); }},
      {"ARANGE", [](Backend& b, const Node& n) { Arange(b, n.Real(0), n.Real(1), n.Real(2), n.out); }},
      {"ADD1", [](Backend& b, const Node& n) { Binary(b, "ADD", n.Source(0), n.Source(1), n.out); }},
      {"DUP", [](Backend& b, const Node& n) { Copy(b, n.Source(0), n.out); }},
      {"CPY", [](Backend& b, const Node& n) { Copy(b, n.Source(0), n.out); }},
      {"CONT", [](Backend& b, const Node& n) { Copy(b, n.Source(0), n.out); }},
      {"REPEAT", [](Backend& b, const Node& n) { Repeat(b, n.Source(0), n.out); }},
      {"CONCAT", [](Backend& b, const Node& n) { Concat(b, n.Source(0), n.Source(1), n.Int(0), n.out); }},
      {"GET_ROWS", [](Backend& b, const Node& n) { GetRows(b, n.Source(0), n.Source(1), n.out); }},
      {"SET_ROWS", [](Backend& b, const Node& n) { SetRows(b, n.Source(0), n.Source(1), n.out); }},
      {"RMS_NORM", [](Backend& b, const Node& n) { RmsNorm(b, n.Source(0), n.Real(0), n.out); }},
      {"NORM", [](Backend& b, const Node& n) { Norm(b, n.Source(0), n.Real(0), n.out); }},
      {"L2_NORM", [](Backend& b, const Node& n) { L2Norm(b, n.Source(0), n.Real(0), n.out); }},
      {"GROUP_NORM",
       [](Backend& b, const Node& n) { GroupNorm(b, n.Source(0), n.Int(0), n.Real(1), n.out); }},
      {"SOFT_MAX",
       [](Backend& b, const Node& n) {
         SoftMax(b, n.Source(0), Maybe(n, 1).get(), n.Real(0), n.Real(1), n.out);
       }},
      {"MUL_MAT", [](Backend& b, const Node& n) { MulMat(b, n.Source(0), n.Source(1), n.out); }},
      {"MUL_MAT_ID",
       [](Backend& b, const Node& n) { MulMatId(b, n.Source(0), n.Source(1), n.Source(2), n.out); }},
      {"OUT_PROD", [](Backend& b, const Node& n) { OutProd(b, n.Source(0), n.Source(1), n.out); }},
      {"FLASH_ATTN_EXT",
       [](Backend& b, const Node& n) {
         FlashAttention(b, n.Source(0), n.Source(1), n.Source(2), Maybe(n, 3).get(), n.Real(0), n.Real(1),
                        n.out);
       }},
      {"ROPE", [](Backend& b,
                  const Node& n) { Rope(b, n.Source(0), n.Source(1), Maybe(n, 2).get(), RopeOf(n), n.out); }},
      {"SUM", [](Backend& b, const Node& n) { Sum(b, n.Source(0), n.out); }},
      {"SUM_ROWS", [](Backend& b, const Node& n) { SumRows(b, n.Source(0), n.out); }},
      {"MEAN", [](Backend& b, const Node& n) { Mean(b, n.Source(0), n.out); }},
      {"ARGMAX", [](Backend& b, const Node& n) { ArgMax(b, n.Source(0), n.out); }},
      {"ARGSORT", [](Backend& b, const Node& n) { ArgSort(b, n.Source(0), n.Int(0) == 1, n.out); }},
      {"CUMSUM", [](Backend& b, const Node& n) { CumSum(b, n.Source(0), n.out); }},
      {"COUNT_EQUAL", [](Backend& b, const Node& n) { CountEqual(b, n.Source(0), n.Source(1), n.out); }},
      {"CROSS_ENTROPY_LOSS",
       [](Backend& b, const Node& n) { CrossEntropyLoss(b, n.Source(0), n.Source(1), n.out); }},
      {"ACC", [](Backend& b, const Node& n) { Acc(b, n.Source(0), n.Source(1), WindowOf(n), n.out); }},
      {"SET", [](Backend& b, const Node& n) { Set(b, n.Source(0), n.Source(1), WindowOf(n), n.out); }},
      {"DIAG", [](Backend& b, const Node& n) { Diag(b, n.Source(0), n.out); }},
      {"DIAG_MASK_INF", [](Backend& b, const Node& n) { DiagMaskInf(b, n.Source(0), n.Int(0), n.out); }},
      {"TRI", [](Backend& b, const Node& n) { Tri(b, n.Source(0), n.Int(0), n.out); }},
      {"PAD", [](Backend& b, const Node& n) { Pad(b, n.Source(0), PadsOf(n), n.out); }},
      {"PAD_REFLECT_1D",
       [](Backend& b, const Node& n) { PadReflect(b, n.Source(0), n.Int(0), n.Int(1), n.out); }},
      {"UPSCALE", [](Backend& b, const Node& n) { Upscale(b, n.Source(0), n.out); }},
      {"SOLVE_TRI", [](Backend& b, const Node& n) { SolveTri(b, n.Source(0), n.Source(1), n.out); }},
      {"POOL_2D",
       [](Backend& b, const Node& n) {
         Pool2d(b, n.Source(0), {n.Int(0) == 1, n.Int(1), n.Int(2), n.Int(3), n.Int(4), n.Int(5), n.Int(6)},
                n.out);
       }},
      {"IM2COL",
       [](Backend& b, const Node& n) {
         Im2Col(b, n.Source(0), n.Source(1),
                {n.Int(0), n.Int(1), n.Int(2), n.Int(3), n.Int(4), n.Int(5), n.Int(6) == 1}, n.out);
       }},
      {"CONV_TRANSPOSE_1D",
       [](Backend& b, const Node& n) { ConvTranspose1d(b, n.Source(0), n.Source(1), n.Int(0), n.out); }},
      {"SSM_CONV", [](Backend& b, const Node& n) { SsmConv(b, n.Source(0), n.Source(1), n.out); }},
      {"TIMESTEP_EMBEDDING",
       [](Backend& b, const Node& n) { TimestepEmbedding(b, n.Source(0), n.Int(0), n.Int(1), n.out); }},
      {"GATED_LINEAR_ATTN",
       [](Backend& b, const Node& n) {
         GatedLinearAttention(b, n.Source(0), n.Source(1), n.Source(2), n.Source(3), n.Source(4), n.Real(0),
                              n.out);
       }},
  };
  return all;
}

bool ComputeElements(Backend& backend, const std::string& kind, const Node& n) {
  if (kind == "ADD" || kind == "SUB" || kind == "MUL" || kind == "DIV") {
    Binary(backend, kind, n.Source(0), n.Source(1), n.out);
    return true;
  }
  if (kind.size() > 3 && kind.find("GLU") != std::string::npos) {
    Glu(backend, kind, n.Source(0), Maybe(n, 1).get(), n.Int(1) != 0, n.out);
    return true;
  }
  return n.Has(0) && Unary(backend, kind, n.Source(0), n.out);
}

}  // namespace

bool ComputeNode(llama::Backend& backend, const std::string& kind, const GgmlTensor& node,
                 const Placed& placed) {
  const Node n{node, placed, placed(node)};
  const auto found = Computes().find(kind);
  if (found == Computes().end()) return ComputeElements(backend, kind, n);
  found->second(backend, n);
  return true;
}

}  // namespace bench
