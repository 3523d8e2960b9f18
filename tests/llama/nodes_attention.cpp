// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Attention in one call.
#include <cmath>
#include <optional>

#include "aclnnop/aclnn_arange.h"
#include "aclnnop/aclnn_cast.h"
#include "aclnnop/aclnn_constant_pad_nd.h"
#include "aclnnop/aclnn_fused_infer_attention_score_v2.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_pow.h"
#include "aclnnop/aclnn_slice.h"
#include "llama/nodes.h"

namespace llama {
namespace {

constexpr std::int64_t kDepthAlignment = 16;

// base^(first), base^(first + step) ... for so many heads.
void Powers(Backend& backend, float base, float first, float step, std::int64_t count, const Described& out) {
  const Buffer buffer(backend.pool(), static_cast<std::size_t>(count) * sizeof(float));
  const Described exponents(out.type, {count}, buffer.data());
  Run(backend, NN(Arange), Scalar{first}, Scalar{first + step * static_cast<float>(count)}, Scalar{step},
      exponents);
  Run(backend, NN(PowScalarTensor), Scalar{base}, exponents, out);
}

// [batch, rows, heads, depth] of what ggml has as [depth, rows, heads, batch].
Described Bsnd(In x) {
  Described all = All(x);
  std::swap(all.dims[1], all.dims[2]);
  std::swap(all.strides[1], all.strides[2]);
  return all;
}

// The same with a depth that is a multiple of 16, zeros behind; where it is already, the view itself.
class Padded {
 public:
  Padded(Backend& backend, const Described& from) : view_(from) {
    const std::int64_t depth = from.dims[3];
    const std::int64_t padded = (depth + kDepthAlignment - 1) / kDepthAlignment * kDepthAlignment;
    if (padded == depth) return;
    memory_.emplace(backend.pool(),
                    static_cast<std::size_t>(from.dims[0] * from.dims[1] * from.dims[2] * padded) * 2);
    view_ = Described(from.type, {from.dims[0], from.dims[1], from.dims[2], padded}, memory_->data());
    Run(backend, NN(ConstantPadNd), from, Ints{0, padded - depth, 0, 0, 0, 0, 0, 0}, Scalar{0}, view_);
  }
  const Described& view() const { return view_; }

 private:
  Described view_;
  std::optional<Buffer> memory_;
};

// One mask for all heads: rows of exactly as many keys as there are.
Described SharedMask(In mask, std::int64_t batch, std::int64_t heads, std::int64_t rows) {
  const Described m = All(mask);
  return {m.type,
          {batch, heads, rows, mask.ne[0]},
          {mask.ne[3] == 1 ? 0 : m.strides[0], 0, m.strides[2], 1},
          mask.data};
}

void Attend(Backend& backend, const Described& q, const Described& k, const Described& v,
            const Described* shift, float scale, const Described& out) {
  const auto none = nullptr;
  const std::int64_t heads = q.dims[2], kv_heads = k.dims[2], most = 65535;
  Run(backend, NN(FusedInferAttentionScoreV2), q, List{k}, List{v}, shift, none, none, none, none, none, none,
      none, none, none, none, none, none, none, none, none, none, none, none, none, none, heads, scale, most,
      most, "BSND", kv_heads, 0, q.dims[1] == 1 ? 0 : 2, 0, 0, false, 0, 0, out, none);
}

}  // namespace

void Slopes(Backend& backend, std::int64_t heads, float max_bias, const Described& out) {
  const auto low = static_cast<std::int64_t>(1) << static_cast<int>(std::log2(static_cast<float>(heads)));
  const float first = std::pow(2.0f, -max_bias / static_cast<float>(low));
  const float second = std::pow(2.0f, -max_bias / 2 / static_cast<float>(low));
  Powers(backend, first, 1, 1, low, Described(out.type, {low}, out.data));
  if (low < heads)
    Powers(backend, second, 1, 2, heads - low, Described(out.type, {heads - low}, {1}, out.data, low));
}

void FlashAttention(Backend& backend, In q, In k, In v, const Tensor* mask, float scale, float max_bias,
                    In out) {
  const std::int64_t depth = q.ne[0], rows = q.ne[1], heads = q.ne[2], batch = q.ne[3];
  const Buffer half_q(backend.pool(), static_cast<std::size_t>(q.size()) * 2);
  const Described query(ACL_FLOAT16, {batch, rows, heads, depth}, half_q.data());
  Run(backend, NN(Cast), Bsnd(q), ACL_FLOAT16, query);
  const Padded wide_q(backend, query), wide_k(backend, Bsnd(k)), wide_v(backend, Bsnd(v));

  std::optional<Buffer> biased, slopes;
  std::optional<Described> shift;
  if (mask != nullptr) shift = SharedMask(*mask, batch, heads, rows);
  if (mask != nullptr && max_bias > 0) {
    slopes.emplace(backend.pool(), static_cast<std::size_t>(heads) * 2);
    Slopes(backend, heads, max_bias, Described(ACL_FLOAT16, {heads}, slopes->data()));
    biased.emplace(backend.pool(), static_cast<std::size_t>(batch * heads * rows * mask->ne[0]) * 2);
    const Described bias(ACL_FLOAT16, shift->dims, biased->data());
    Run(backend, NN(Mul), *shift, Described(ACL_FLOAT16, {1, heads, 1, 1}, slopes->data()), bias);
    shift = bias;
  }

  const std::int64_t wide = wide_q.view().dims[3];
  const Buffer half_out(backend.pool(), static_cast<std::size_t>(batch * rows * heads * wide) * 2);
  const Described found(ACL_FLOAT16, {batch, rows, heads, wide}, half_out.data());
  Attend(backend, wide_q.view(), wide_k.view(), wide_v.view(), shift ? &*shift : nullptr, scale, found);
  if (wide == depth) return Run(backend, NN(Cast), found, TypeOf(out.type), All(out));
  const Buffer narrow(backend.pool(), static_cast<std::size_t>(out.size()) * 2);
  const Described cut(ACL_FLOAT16, {batch, rows, heads, depth}, narrow.data());
  Run(backend, NN(Slice), found, -1, 0, depth, 1, cut);
  Run(backend, NN(Cast), cut, TypeOf(out.type), All(out));
}

}  // namespace llama
