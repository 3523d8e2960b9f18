// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Fused attention and rotary embeddings as language models call them.
#include <cmath>
#include <limits>

#include "aclnn/nn_case.h"
#include "aclnnop/aclnn_fused_infer_attention_score_v2.h"
#include "aclnnop/aclnn_incre_flash_attention.h"
#include "aclnnop/aclnn_incre_flash_attention_v4.h"
#include "aclnnop/aclnn_prompt_flash_attention.h"
#include "aclnnop/aclnn_prompt_flash_attention_v3.h"
#include "aclnnop/aclnn_rotary_position_embedding.h"

namespace nn {
namespace {

struct Shape {
  std::size_t batch, rows, keys, heads, kv_heads, depth;
};

// Query [b, s, n, d], keys and values [b, t, m, d], shifts [b, s, t] or none: softmax in double.
Values Attend(const Shape& s, const Values& q, const Values& k, const Values& v, const Values& shift,
              double scale) {
  Values out(s.batch * s.rows * s.heads * s.depth, 0.0);
  for (std::size_t i = 0; i < s.batch * s.rows * s.heads; ++i) {
    const std::size_t b = i / (s.rows * s.heads), row = i / s.heads % s.rows, head = i % s.heads;
    const std::size_t kv = head / (s.heads / s.kv_heads);
    Values scores(s.keys);
    double most = -std::numeric_limits<double>::infinity(), sum = 0;
    for (std::size_t t = 0; t < s.keys; ++t) {
      for (std::size_t d = 0; d < s.depth; ++d)
        scores[t] += q[i * s.depth + d] * k[((b * s.keys + t) * s.kv_heads + kv) * s.depth + d];
      scores[t] = scores[t] * scale + (shift.empty() ? 0 : shift[(b * s.rows + row) * s.keys + t]);
      most = std::max(most, scores[t]);
    }
    if (std::isinf(most)) continue;  // all of the row is masked
    for (double& score : scores)
      sum += score = std::exp(score - most);
    for (std::size_t t = 0; t < s.keys; ++t)
      for (std::size_t d = 0; d < s.depth; ++d)
        out[i * s.depth + d] += scores[t] / sum * v[((b * s.keys + t) * s.kv_heads + kv) * s.depth + d];
  }
  return out;
}

void RunAttention(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor* shift,
                  std::int64_t heads, std::int64_t kv_heads, double scale, std::int64_t precise,
                  const Tensor& out) {
  const auto none = nullptr;
  nn::Run(NN(FusedInferAttentionScoreV2), query, List{&key}, List{&value}, shift, none, none, none, none,
          none, none, none, none, none, none, none, none, none, none, none, none, none, none, none, none,
          heads, scale, std::int64_t{65535}, std::int64_t{65535}, "BSND", kv_heads, std::int64_t{0}, precise,
          std::int64_t{0}, std::int64_t{0}, false, std::int64_t{0}, std::int64_t{0}, out, none);
}

Tensor Half(const Dims& dims, unsigned seed) {
  return In(ACL_FLOAT16, dims, Spread(CountOf(dims), -1, 1, seed));
}

Dims Signed(std::initializer_list<std::size_t> sizes) {
  Dims dims;
  for (const std::size_t size : sizes)
    dims.push_back(static_cast<std::int64_t>(size));
  return dims;
}

TEST_F(Nn, FusedAttentionSharesHeadsAndReadsCachesWhereTheyLie) {
  for (const Shape& s : {Shape{1, 1, 113, 8, 2, 64}, Shape{1, 3, 130, 4, 4, 128}, Shape{3, 5, 40, 6, 1, 80},
                         Shape{1, 75, 113, 4, 1, 40}, Shape{1, 2, 20, 2, 1, 576}}) {
    const Tensor query = Half(Signed({s.batch, s.rows, s.heads, s.depth}), 1);
    // A cache with room for more, heads before tokens.
    const std::size_t room = s.keys + 15;
    const Tensor keys = Half(Signed({s.batch, s.kv_heads, room, s.depth}), 2);
    const Tensor values = Half(Signed({s.batch, s.kv_heads, room, s.depth}), 3);
    const auto view = [&](const Tensor& cache) {
      return cache.View(Role::kIn, Signed({s.batch, s.keys, s.kv_heads, s.depth}),
                        Signed({s.kv_heads * room * s.depth, s.depth, room * s.depth, 1}), 0);
    };
    const Tensor key = view(keys), value = view(values);
    const Tensor out = Out(ACL_FLOAT16, query.dims());
    const double scale = 1 / std::sqrt(static_cast<double>(s.depth));
    RunAttention(query, key, value, nullptr, static_cast<std::int64_t>(s.heads),
                 static_cast<std::int64_t>(s.kv_heads), scale, s.rows == 1 ? 0 : 2, out);
    EXPECT_LT(Nmse(out.Read(), Attend(s, query.Read(), key.Read(), value.Read(), {}, scale)), 5e-4)
        << s.depth;
  }
}

TEST_F(Nn, FusedAttentionAddsShiftsThatAllHeadsShareAndMasksRowsToZero) {
  const Shape s{1, 4, 33, 4, 2, 64};
  const double inf = std::numeric_limits<double>::infinity();
  Values mask = Spread(4 * 33, -1, 1);
  for (std::size_t i = 0; i < mask.size(); ++i)
    if (i / 33 == 2 || i % 33 > i / 33 + 20) mask[i] = -inf;  // the third row as a whole
  const Tensor stored = In(ACL_FLOAT16, {1, 4, 33}, mask);
  const Tensor shift = stored.View(Role::kIn, {1, 4, 4, 33}, {132, 0, 33, 1}, 0);
  const Tensor query = Half({1, 4, 4, 64}, 1), key = Half({1, 33, 2, 64}, 2), value = Half({1, 33, 2, 64}, 3);
  const Tensor out = Out(ACL_FLOAT16, {1, 4, 4, 64});
  RunAttention(query, key, value, &shift, 4, 2, 0.125, 2, out);
  const Values found = out.Read();
  EXPECT_LT(Nmse(found, Attend(s, query.Read(), key.Read(), value.Read(), stored.Read(), 0.125)), 5e-4);
  for (std::size_t i = 2 * 256; i < 3 * 256; ++i)
    EXPECT_EQ(found[i], 0.0);
}

TEST_F(Nn, FusedAttentionSaysWhichFormIsNotSupported) {
  const Tensor query = Half({1, 1, 2, 16}, 1), key = Half({1, 4, 2, 16}, 2),
               out = Out(ACL_FLOAT16, {1, 1, 2, 16});
  const Tensor table = In(ACL_INT32, {1, 4}, {0, 1, 2, 3});
  const auto none = nullptr;
  ExpectRefused(561003, "blockTableOptional", NN(FusedInferAttentionScoreV2), query, List{&key}, List{&key},
                none, none, none, none, none, none, none, none, none, none, none, table, none, none, none,
                none, none, none, none, none, none, std::int64_t{2}, 1.0, std::int64_t{65535},
                std::int64_t{65535}, "BSND", std::int64_t{2}, std::int64_t{0}, std::int64_t{0},
                std::int64_t{0}, std::int64_t{0}, false, std::int64_t{0}, std::int64_t{0}, out, none);
}

constexpr Layout kKeys[] = {Layout::kContiguous, Layout::kPaddedRows, Layout::kEveryOther};

TEST_F(Nn, PromptAttentionOfAllVersionsIsTheSame) {
  const Shape s{2, 5, 9, 4, 2, 16};
  const std::int64_t most = 2147483647;
  const auto none = nullptr;
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16})
    for (const Layout layout : kKeys) {
      const Tensor query = In(type, {2, 5, 64}, Spread(640, -1, 1), layout),
                   key = In(type, {2, 9, 32}, Spread(576, -1, 1, 2), layout),
                   value = In(type, {2, 9, 32}, Spread(576, -1, 1, 3), layout);
      const Tensor out = Out(type, {2, 5, 64});
      const Values expected = Attend(s, query.Read(), key.Read(), value.Read(), {}, 0.25);
      Run(NN(PromptFlashAttention), query, key, value, none, none, none, 4, 0.25, most, most, "BSH", 2, out);
      EXPECT_LT(Nmse(out.Read(), expected), 5e-4);
      Run(NN(PromptFlashAttentionV3), query, key, value, none, none, none, none, none, none, none, none, none,
          4, 0.25, most, most, "BSH", 2, 0, 0, out);
      EXPECT_LT(Nmse(out.Read(), expected), 5e-4);
      ExpectRefused(161002, "input_layout", NN(PromptFlashAttention), query, key, value, none, none, none, 4,
                    0.25, most, most, "HSB", 2, out);
      ExpectRefused(561003, "deqScale1", NN(PromptFlashAttentionV3), query, key, value, none, none, none,
                    none, out.As(Role::kIn), none, none, none, none, 4, 0.25, most, most, "BSH", 2, 0, 0,
                    out);
    }
}

// One row of each batch, over as many keys as are there so far.
TEST_F(Nn, IncrementalAttentionOfAllVersionsIsTheSame) {
  const Shape s{1, 1, 9, 4, 2, 16};
  const auto none = nullptr;
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16})
    for (const Layout layout : kKeys) {
      const Tensor query = In(type, {1, 1, 64}, Spread(64, -1, 1), layout),
                   key = In(type, {1, 12, 32}, Spread(384, -1, 1, 2), layout),
                   value = In(type, {1, 12, 32}, Spread(384, -1, 1, 3), layout);
      const Tensor out = Out(type, {1, 1, 64});
      const Values expected = Attend(s, query.Read(), key.Read(), value.Read(), {}, 0.25);
      Run(NN(IncreFlashAttention), query, List{&key}, List{&value}, none, none, Ints{9}, 4, 0.25, "BSH", 2,
          out);
      EXPECT_LT(Nmse(out.Read(), expected), 5e-4);
      Run(NN(IncreFlashAttentionV4), query, List{&key}, List{&value}, none, none, Ints{9}, none, none, none,
          none, none, none, none, none, none, 4, 0.25, "BSH", 2, 0, 0, out);
      EXPECT_LT(Nmse(out.Read(), expected), 5e-4);
      ExpectRefused(161002, "input_layout", NN(IncreFlashAttention), query, List{&key}, List{&value}, none,
                    none, none, 4, 0.25, "HSB", 2, out);
    }
}

// [1, s, n, d] with angles [1, s, 1, d].
Values Turned(const Values& x, const Values& cosine, const Values& sine, std::size_t heads, std::size_t depth,
              bool halves) {
  Values out(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t d = i % depth, half = depth / 2, first = i - d;
    const std::size_t angle = i / (heads * depth) * depth + d;
    const bool low = halves ? d < half : d % 2 == 0;
    const std::size_t other = halves ? (low ? d + half : d - half) : (low ? d + 1 : d - 1);
    out[i] = x[i] * cosine[angle] + (low ? -1 : 1) * x[first + other] * sine[angle];
  }
  return out;
}

TEST_F(Nn, RotaryEmbeddingsTurnHalvesAndPairsOfStridedRows) {
  for (const std::int64_t mode : {0, 1})
    for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16})
      for (const Layout layout : {Layout::kContiguous, Layout::kPaddedRows, Layout::kEveryOther}) {
        const Tensor x = In(type, {1, 5, 3, 64}, Spread(960), layout);
        const Tensor cosine = In(type, {1, 5, 1, 64}, Spread(320, -1, 1, 2)),
                     sine = In(type, {1, 5, 1, 64}, Spread(320, -1, 1, 3));
        const Tensor out = Out(type, {1, 5, 3, 64});
        Run(NN(RotaryPositionEmbedding), x, cosine, sine, mode, out);
        ExpectClose(out.Read(), Turned(x.Read(), cosine.Read(), sine.Read(), 3, 64, mode == 0),
                    Tolerance(type));
      }
}

}  // namespace
}  // namespace nn
