// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Nodes of ggml as calls of aclnn. Sources and results are tensors of the device; `out` has the type and
// dimensions that ggml gives the node.
#pragma once

#include <string>

#include "llama/tensor.h"

namespace llama {

using In = const Tensor&;

// nodes_element.cpp: "ADD", "SUB", "MUL", "DIV": y is repeated where it is smaller.
void Binary(Backend& backend, const std::string& name, In x, In y, In out);
// By the names of ggml; false if it is none of these.
bool Unary(Backend& backend, const std::string& name, In x, In out);
void Scale(Backend& backend, In x, float factor, In out);
void Clamp(Backend& backend, In x, float low, float high, In out);
void LeakyRelu(Backend& backend, In x, float slope, In out);
void Fill(Backend& backend, float value, In out);
void Arange(Backend& backend, float start, float end, float step, In out);
// "SWIGLU", "GEGLU" ...; `gate` null: both are halves of x.
void Glu(Backend& backend, const std::string& name, In x, const Tensor* gate, bool swapped, In out);

// nodes_copy.cpp
void Copy(Backend& backend, In x, In out);  // DUP, CPY and CONT: other types, strides, dimensions
void Repeat(Backend& backend, In x, In out);
void Concat(Backend& backend, In x, In y, int dimension, In out);
void GetRows(Backend& backend, In x, In rows, In out);
void SetRows(Backend& backend, In x, In rows, In out);

// nodes_norm.cpp
void RmsNorm(Backend& backend, In x, float epsilon, In out);
void Norm(Backend& backend, In x, float epsilon, In out);
void L2Norm(Backend& backend, In x, float epsilon, In out);
void GroupNorm(Backend& backend, In x, int groups, float epsilon, In out);
void SoftMax(Backend& backend, In x, const Tensor* mask, float scale, float max_bias, In out);

// nodes_matrix.cpp
// Weights of models whose names llama.cpp looks for: rearranged once, behind their upload.
std::size_t RearrangedBytes(In weight);
void Rearrange(Backend& backend, In weight);
void MulMat(Backend& backend, In weight, In x, In out, bool rearranged = false);
void MulMatId(Backend& backend, In weights, In x, In experts, In out);
void OutProd(Backend& backend, In x, In y, In out);

// nodes_attention.cpp
void FlashAttention(Backend& backend, In q, In k, In v, const Tensor* mask, float scale, float max_bias,
                    In out);
// Slopes of ALiBi, one float for each head.
void Slopes(Backend& backend, std::int64_t heads, float max_bias, const Described& out);

// nodes_rope.cpp
struct RopeParams {
  int dims = 0;
  bool halves = false;  // else neighbours are pairs
  float base = 10000, scale = 1, extrapolation = 0, attention = 1, fast = 32, slow = 1;
  int original_length = 0;
};
void Rope(Backend& backend, In x, In positions, const Tensor* factors, const RopeParams& params, In out);

// nodes_reduce.cpp
void Sum(Backend& backend, In x, In out);
void SumRows(Backend& backend, In x, In out);
void Mean(Backend& backend, In x, In out);
void ArgMax(Backend& backend, In x, In out);
void ArgSort(Backend& backend, In x, bool descending, In out);
void CumSum(Backend& backend, In x, In out);
void CountEqual(Backend& backend, In x, In y, In out);
void CrossEntropyLoss(Backend& backend, In x, In labels, In out);

// nodes_shape.cpp
// ACC and SET: y added to, or put in, a window of x.
struct Window {
  std::size_t nb1, nb2, nb3, offset;
  bool in_place;
};
void Acc(Backend& backend, In x, In y, const Window& window, In out);
void Set(Backend& backend, In x, In y, const Window& window, In out);
void Diag(Backend& backend, In x, In out);
void DiagMaskInf(Backend& backend, In x, int past, In out);
void Tri(Backend& backend, In x, int kind, In out);
void Pad(Backend& backend, In x, const Dims& pads, In out);  // low and high of each dimension, first first
void PadReflect(Backend& backend, In x, int low, int high, In out);
void Upscale(Backend& backend, In x, In out);
void SolveTri(Backend& backend, In a, In b, In out);

// nodes_image.cpp
struct PoolParams {
  bool average;
  int k0, k1, s0, s1, p0, p1;
};
void Pool2d(Backend& backend, In x, const PoolParams& params, In out);
struct Im2ColParams {
  int s0, s1, p0, p1, d0, d1;
  bool two;  // dimensions
};
void Im2Col(Backend& backend, In kernel, In x, const Im2ColParams& params, In out);
void ConvTranspose1d(Backend& backend, In kernel, In x, int stride, In out);
void SsmConv(Backend& backend, In x, In kernel, In out);
void TimestepEmbedding(Backend& backend, In steps, int dims, int period, In out);
void GatedLinearAttention(Backend& backend, In k, In v, In q, In gate, In state, float scale, In out);

}  // namespace llama
