// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Caches of keys and values, and what serving does around attention.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "aclnn/quantized_values.h"
#include "aclnnop/aclnn_apply_top_k_top_p.h"
#include "aclnnop/aclnn_attention_update.h"
#include "aclnnop/aclnn_gather_pa_kv_cache.h"
#include "aclnnop/aclnn_kv_rms_norm_rope_cache.h"
#include "aclnnop/aclnn_kv_rms_norm_rope_cache_v2.h"
#include "aclnnop/aclnn_rope_with_sin_cos_cache.h"
#include "aclnnop/aclnn_scatter_pa_cache.h"
#include "aclnnop/aclnn_scatter_pa_kv_cache.h"

namespace nn {
namespace {

constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
constexpr Layout kLayouts[] = {Layout::kContiguous, Layout::kPaddedRows};

// Rows of `width` to the slots; -1 goes nowhere.
void WriteSlots(Values& cache, const Values& rows, const Values& slots, std::size_t width) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (const double slot = slots[i / width]; slot >= 0)
      cache[static_cast<std::size_t>(slot) * width + i % width] = rows[i];
}

TEST_F(Nn, TokensGoToTheSlotsOfAPagedCache) {
  const auto none = nullptr;
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16, ACL_INT8})
    for (const Layout layout : kLayouts) {
      const Tensor key = In(type, {3, 2, 4}, SpreadInts(24, -99, 99), layout),
                   value = In(type, {3, 2, 4}, SpreadInts(24, -99, 99, 2), layout);
      const Tensor keys = Ref(type, {2, 4, 2, 4}, SpreadInts(64, -9, 9, 3), layout),
                   values = Ref(type, {2, 4, 2, 4}, SpreadInts(64, -9, 9, 4), layout);
      const Tensor slots = In(ACL_INT32, {3}, {5, -1, 0});
      Values expected_keys = keys.Read(), expected_values = values.Read();
      WriteSlots(expected_keys, key.Read(), slots.Read(), 8);
      WriteSlots(expected_values, value.Read(), slots.Read(), 8);
      Run(NN(ScatterPaKvCache), key, keys, slots, value, values, none, none, none, "Norm", none, none, none);
      ExpectClose(keys.Read(), expected_keys, 0);
      ExpectClose(values.Read(), expected_values, 0);
      const Tensor alone = Ref(type, {2, 4, 2, 4}, SpreadInts(64, -9, 9, 3), layout);
      Run(NN(ScatterPaCache), key, alone, slots, none, none, none, "Norm");
      ExpectClose(alone.Read(), expected_keys, 0);
      ExpectRefused(161002, "PA_XY", NN(ScatterPaCache), key, alone, slots, none, none, none, "PA_XY");
      ExpectRefused(561003, "seqLensOptional", NN(ScatterPaKvCache), key, keys, slots, value, values, none,
                    none, slots, "Norm", none, none, none);
    }
}

// Blocks [heads * width / 16, slots, 16].
TEST_F(Nn, PagedCachesMayLieInFractals) {
  const auto none = nullptr;
  const Tensor key = In(ACL_FLOAT16, {2, 2, 16}, Spread(64)), slots = In(ACL_INT64, {2}, {1, 6});
  const Tensor cache = Ref(ACL_FLOAT16, {2, 2, 4, 16}, Values(256, 0.0));
  Run(NN(ScatterPaCache), key, cache, slots, none, none, none, "PA_NZ");
  Values expected(256, 0.0);
  const Values rows = key.Read();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t slot = i < 32 ? 1 : 6, piece = i % 32 / 16;
    expected[((slot / 4 * 2 + piece) * 4 + slot % 4) * 16 + i % 16] = rows[i];
  }
  ExpectClose(cache.Read(), expected, 0);
}

TEST_F(Nn, SequencesComeOutOfAPagedCache) {
  const auto none = nullptr;
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16, ACL_INT8})
    for (const bool ends : {false, true}) {
      const Tensor keys = In(type, {4, 2, 1, 3}, SpreadInts(24, -99, 99), Layout::kPaddedRows),
                   values = In(type, {4, 2, 1, 3}, SpreadInts(24, -99, 99, 2));
      const Tensor table = In(ACL_INT32, {2, 2}, {3, 1, 0, 2}),
                   lengths = ends ? In(ACL_INT32, {3}, {0, 3, 5}) : In(ACL_INT32, {2}, {3, 2});
      const Tensor key = Ref(type, {5, 1, 3}, Values(15, 0.0)), value = Ref(type, {5, 1, 3}, Values(15, 0.0));
      Run(NN(GatherPaKvCache), keys, values, table, lengths, key, value, none, "Norm", ends);
      Values expected_keys, expected_values;
      for (const std::size_t slot : {6, 7, 2, 0, 1})
        for (std::size_t i = 0; i < 3; ++i) {
          expected_keys.push_back(keys.Read()[slot * 3 + i]);
          expected_values.push_back(values.Read()[slot * 3 + i]);
        }
      ExpectClose(key.Read(), expected_keys, 0);
      ExpectClose(value.Read(), expected_values, 0);
      ExpectRefused(161002, "seq_lens", NN(GatherPaKvCache), keys, values, table, lengths, key, value, none,
                    "Norm", !ends);
    }
}

// A row of kv: 8 numbers that are normalised, then 4 that are turned in pairs, the results apart.
struct Parts {
  Values normed, turned;
};
Parts PartsOf(const Tensor& kv, const Tensor& gamma, const Tensor& cosine, const Tensor& sine) {
  Parts made;
  const Values x = kv.Read(), c = cosine.Read(), s = sine.Read();
  for (std::size_t row = 0; row < x.size() / 12; ++row) {
    double squares = 0;
    for (std::size_t i = 0; i < 8; ++i)
      squares += x[row * 12 + i] * x[row * 12 + i];
    for (std::size_t i = 0; i < 8; ++i)
      made.normed.push_back(x[row * 12 + i] / std::sqrt(squares / 8 + 1e-5) * gamma.Read()[i]);
    for (std::size_t i = 0; i < 4; ++i) {
      const double a = x[row * 12 + 8 + i % 2 * 2], b = x[row * 12 + 8 + i % 2 * 2 + 1];
      made.turned.push_back(i < 2 ? a * c[row * 4 + i] - b * s[row * 4 + i]
                                  : b * c[row * 4 + i] + a * s[row * 4 + i]);
    }
  }
  return made;
}

TEST_F(Nn, KeysAreNormalisedTurnedAndCached) {
  const auto none = nullptr;
  for (const aclDataType type : kTypes)
    for (const Layout layout : kLayouts)
      for (const bool second : {false, true}) {
        const Tensor kv = In(type, {3, 1, 1, 12}, Spread(36), layout),
                     gamma = In(type, {8}, Spread(8, 0.5, 2));
        const Tensor cosine = In(type, {3, 1, 1, 4}, Spread(12, -1, 1, 2), layout),
                     sine = In(type, {3, 1, 1, 4}, Spread(12, -1, 1, 3), layout);
        const Tensor slots = In(ACL_INT64, {3}, {6, 0, -1});
        const Tensor turned = Ref(type, {2, 4, 1, 4}, Values(32, 1.0), layout),
                     normed = Ref(type, {2, 4, 1, 8}, Values(64, 2.0), layout);
        const Tensor k = Out(type, {3, 1, 1, 4}), c = Out(type, {3, 1, 1, 8});
        if (second)
          Run(NN(KvRmsNormRopeCacheV2), kv, gamma, cosine, sine, slots, turned, normed, none, none, none,
              none, none, 1e-5, "PA", true, k, c);
        else
          Run(NN(KvRmsNormRopeCache), kv, gamma, cosine, sine, slots, turned, normed, none, none, none, none,
              1e-5, "PA", true, k, c);
        const Parts parts = PartsOf(kv, gamma, cosine, sine);
        Values expected_turned(32, 1.0), expected_normed(64, 2.0);
        WriteSlots(expected_turned, parts.turned, slots.Read(), 4);
        WriteSlots(expected_normed, parts.normed, slots.Read(), 8);
        ExpectClose(turned.Read(), expected_turned, Tolerance(type));
        ExpectClose(normed.Read(), expected_normed, Tolerance(type));
        ExpectClose(k.Read(), parts.turned, Tolerance(type));
        ExpectClose(c.Read(), parts.normed, Tolerance(type));
        ExpectRefused(161002, "cache_mode", NN(KvRmsNormRopeCache), kv, gamma, cosine, sine, slots, turned,
                      normed, none, none, none, none, 1e-5, "Nowhere", false, none, none);
        ExpectRefused(561003, "vOptional", NN(KvRmsNormRopeCacheV2), kv, gamma, cosine, sine, slots, turned,
                      normed, none, none, none, none, kv, 1e-5, "PA", false, none, none);
      }
}

TEST_F(Nn, RopeReadsAnglesFromATable) {
  const auto none = nullptr;
  for (const aclDataType type : kTypes)
    for (const bool halves : {true, false}) {
      const Tensor query = In(type, {4, 16}, Spread(64), Layout::kPaddedRows),
                   key = In(type, {4, 8}, Spread(32, -1, 1, 2));
      const Tensor table = In(type, {10, 8}, Spread(80, -1, 1, 3)),
                   positions = In(ACL_INT64, {4}, {9, 0, 3, 3});
      const Tensor turned = Out(type, {4, 16}), other = Out(type, {4, 8});
      Run(NN(RopeWithSinCosCache), positions, query, key, table, none, 8, halves, turned, other);
      const auto expected = [&](const Tensor& x, std::size_t width) {
        const Values values = x.Read(), angles = table.Read();
        Values out(values.size());
        for (std::size_t i = 0; i < out.size(); i += 8)
          for (std::size_t pair = 0; pair < 4; ++pair) {
            const auto row = static_cast<std::size_t>(positions.Read()[i / width]) * 8;
            const std::size_t a = i + (halves ? pair : 2 * pair), b = i + (halves ? pair + 4 : 2 * pair + 1);
            out[a] = values[a] * angles[row + pair] - values[b] * angles[row + 4 + pair];
            out[b] = values[b] * angles[row + pair] + values[a] * angles[row + 4 + pair];
          }
        return out;
      };
      ExpectClose(turned.Read(), expected(query, 16), Tolerance(type));
      ExpectClose(other.Read(), expected(key, 8), Tolerance(type));
      ExpectRefused(161002, "query", NN(RopeWithSinCosCache), positions, query, key, table, none, 9, halves,
                    turned, other);
    }
}

TEST_F(Nn, PartialAttentionsAreJoined) {
  for (const aclDataType type : kTypes)
    for (const Layout layout : kLayouts) {
      const Tensor a = In(type, {5, 8}, Spread(40), layout),
                   b = In(type, {5, 8}, Spread(40, -1, 1, 2), layout);
      const Tensor first = In(ACL_FLOAT, {5}, Spread(5)), second = In(ACL_FLOAT, {5}, Spread(5, -3, 3, 2));
      const Tensor out = Out(type, {5, 8}), sum = Out(ACL_FLOAT, {5});
      Run(NN(AttentionUpdate), List{&first, &second}, List{&a, &b}, 1, out, sum);
      Values expected, sums;
      for (std::size_t row = 0; row < 5; ++row)
        sums.push_back(std::log(std::exp(first.Read()[row]) + std::exp(second.Read()[row])));
      for (std::size_t i = 0; i < 40; ++i)
        expected.push_back(a.Read()[i] * std::exp(first.Read()[i / 8] - sums[i / 8]) +
                           b.Read()[i] * std::exp(second.Read()[i / 8] - sums[i / 8]));
      ExpectClose(out.Read(), expected, Tolerance(type));
      ExpectClose(sum.Read(), sums, 1e-5);
      ExpectRefused(161002, "update_type", NN(AttentionUpdate), List{&first, &second}, List{&a, &b}, 2, out,
                    sum);
      ExpectRefused(161002, "parts", NN(AttentionUpdate), List{&first}, List{&a, &b}, 0, out, nullptr);
    }
}

TEST_F(Nn, TopKTopPLeavesTheMostProbable) {
  for (const aclDataType type : kTypes)
    for (const Layout layout : kLayouts) {
      Values logits(40);
      for (std::size_t i = 0; i < 40; ++i)
        logits[i] = static_cast<double>(i * 7 % 20) / 4;  // no two alike in a row
      const Tensor x = In(type, {2, 20}, logits, layout), p = In(type, {2}, {0.5, 0.75}),
                   k = In(ACL_INT32, {2}, {4, 8});
      const Tensor out = Out(type, {2, 20});
      Run(NN(ApplyTopKTopP), x, p, k, out);
      Values expected(40, -std::numeric_limits<double>::infinity());
      for (std::size_t row = 0; row < 2; ++row) {
        std::vector<std::size_t> order(20);
        std::iota(order.begin(), order.end(), row * 20);
        std::sort(order.begin(), order.end(), [&](auto a, auto b) { return logits[a] > logits[b]; });
        order.resize(row == 0 ? 4 : 8);
        double all = 0, sum = 0;
        for (const std::size_t place : order)
          all += std::exp(logits[place]);
        for (const std::size_t place : order) {
          if (sum / all < p.Read()[row]) expected[place] = logits[place];
          sum += std::exp(logits[place]);
        }
      }
      ExpectClose(out.Read(), expected, 0);
      ExpectRefused(161002, "'p'", NN(ApplyTopKTopP), x, x, k, out);
    }
}

}  // namespace
}  // namespace nn
