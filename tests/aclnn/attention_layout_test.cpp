// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Fused attention in every layout, with masks, bands of tokens and lengths of sequences.
#include <cmath>
#include <functional>
#include <limits>

#include "aclnn/nn_case.h"
#include "aclnnop/aclnn_fused_infer_attention_score_v2.h"

namespace nn {
namespace {

constexpr std::size_t kBatch = 2, kRows = 4, kKeys = 6, kHeads = 4, kKvHeads = 2, kDepth = 16;
constexpr double kScale = 0.25;

using Sees = std::function<bool(std::size_t batch, std::size_t row, std::size_t key)>;

struct Attended {
  Values out, log_sum;  // [batch, row, head, depth] and [batch, head, row]
};

// Of [batch, row, head, depth]; rows that see nothing are 0.
Attended Attend(const Values& q, const Values& k, const Values& v, const Sees& sees) {
  Attended done{Values(q.size(), 0.0), Values(kBatch * kHeads * kRows, 0.0)};
  for (std::size_t i = 0; i < kBatch * kRows * kHeads; ++i) {
    const std::size_t b = i / (kRows * kHeads), row = i / kHeads % kRows, head = i % kHeads;
    const auto at = [&](std::size_t t) {
      return ((b * kKeys + t) * kKvHeads + head * kKvHeads / kHeads) * kDepth;
    };
    Values weights(kKeys, 0.0);
    double sum = 0;
    for (std::size_t t = 0; t < kKeys; ++t) {
      if (!sees(b, row, t)) continue;
      double score = 0;
      for (std::size_t d = 0; d < kDepth; ++d)
        score += q[i * kDepth + d] * k[at(t) + d] * kScale;
      sum += weights[t] = std::exp(score);
    }
    done.log_sum[(b * kHeads + head) * kRows + row] = std::log(sum);
    for (std::size_t t = 0; t < kKeys && sum > 0; ++t)
      for (std::size_t d = 0; d < kDepth; ++d)
        done.out[i * kDepth + d] += weights[t] / sum * v[at(t) + d];
  }
  return done;
}

// [batch, rows, heads, depth] as the layout has it.
Values InLayout(const std::string& layout, const Values& values, std::size_t rows, std::size_t heads) {
  if (layout != "BNSD") return values;
  Values turned(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t d = i % kDepth, n = i / kDepth % heads, s = i / (kDepth * heads) % rows,
                      b = i / (kDepth * heads * rows);
    turned[((b * heads + n) * rows + s) * kDepth + d] = values[i];
  }
  return turned;
}

Dims DimsIn(const std::string& layout, std::int64_t rows, std::int64_t heads) {
  const std::int64_t batch = kBatch, depth = kDepth;
  if (layout == "BSH") return {batch, rows, heads * depth};
  if (layout == "BNSD") return {batch, heads, rows, depth};
  if (layout == "TND") return {batch * rows, heads, depth};
  return {batch, rows, heads, depth};
}

struct Options {
  const Tensor* mask = nullptr;
  Ints rows = {}, keys = {};  // empty: not given
  std::int64_t before = 65535, after = 65535, mode = 0;
  const Tensor* log_sum = nullptr;
};

class Attention : public Nn {
 protected:
  const Values q = In(ACL_FLOAT16, {kBatch * kRows * kHeads * kDepth}, Spread(512, -2, 2, 1)).Read();
  const Values k = In(ACL_FLOAT16, {kBatch * kKeys * kKvHeads * kDepth}, Spread(384, -2, 2, 2)).Read();
  const Values v = In(ACL_FLOAT16, {kBatch * kKeys * kKvHeads * kDepth}, Spread(384, -2, 2, 3)).Read();

  void Expect(const std::string& layout, const Options& options, const Sees& sees,
              Layout memory = Layout::kContiguous) {
    SCOPED_TRACE(layout + " " + std::to_string(options.mode));
    const Tensor query =
        In(ACL_FLOAT16, DimsIn(layout, kRows, kHeads), InLayout(layout, q, kRows, kHeads), memory);
    const Tensor key =
        In(ACL_FLOAT16, DimsIn(layout, kKeys, kKvHeads), InLayout(layout, k, kKeys, kKvHeads), memory);
    const Tensor value =
        In(ACL_FLOAT16, DimsIn(layout, kKeys, kKvHeads), InLayout(layout, v, kKeys, kKvHeads), memory);
    const Tensor out = Out(ACL_FLOAT16, query.dims());
    Start(layout, options, query, key, value, out);
    const Attended expected = Attend(q, k, v, sees);
    EXPECT_LT(Nmse(out.Read(), InLayout(layout, expected.out, kRows, kHeads)), 1e-5);
    if (options.log_sum != nullptr) ExpectClose(options.log_sum->Read(), expected.log_sum, 1e-3);
  }

 private:
  static void Start(const std::string& layout, const Options& options, const Tensor& query, const Tensor& key,
                    const Tensor& value, const Tensor& out) {
    const auto none = nullptr;
    const auto call = [&](const auto& rows, const auto& keys) {
      nn::Run(NN(FusedInferAttentionScoreV2), query, List{&key}, List{&value}, none, options.mask, rows, keys,
              none, none, none, none, none, none, none, none, none, none, none, none, none, none, none, none,
              none, std::int64_t{kHeads}, kScale, options.before, options.after, layout.c_str(),
              std::int64_t{kKvHeads}, options.mode, std::int64_t{2}, std::int64_t{0}, std::int64_t{0},
              options.log_sum != nullptr, std::int64_t{0}, std::int64_t{0}, out, options.log_sum);
    };
    if (options.keys.empty()) return call(none, none);
    options.rows.empty() ? call(none, options.keys) : call(options.rows, options.keys);
  }
};

bool All(std::size_t, std::size_t, std::size_t) {
  return true;
}

TEST_F(Attention, TakesLayouts) {
  for (const char* layout : {"BSH", "BSND", "BNSD"})
    for (const Layout memory :
         {Layout::kContiguous, Layout::kPaddedRows, Layout::kTransposed, Layout::kEveryOther})
      Expect(layout, {}, All, memory);
}

TEST_F(Attention, EndsWhereSequencesEnd) {
  for (const char* layout : {"BSH", "BSND", "BNSD"}) {
    Expect(layout, {.keys = {3, 5}}, [](auto b, auto, auto t) { return t < (b == 0 ? 3U : 5U); });
    Expect(layout, {.rows = {2, 4}, .keys = {6, 1}},
           [](auto b, auto s, auto t) { return s < (b == 0 ? 2U : 4U) && t < (b == 0 ? 6U : 1U); });
    Expect(layout, {.keys = {0, 6}}, [](auto b, auto, auto) { return b == 1; });
  }
}

TEST_F(Attention, OfPackedSequencesTakesWhereTheyEnd) {
  Expect("TND", {.rows = {4, 8}, .keys = {6, 12}}, All);
  // Causal, counted from the first token and from the last.
  Expect("TND", {.rows = {4, 8}, .keys = {6, 12}, .mode = 2}, [](auto, auto s, auto t) { return t <= s; });
  Expect("TND", {.rows = {4, 8}, .keys = {6, 12}, .mode = 3},
         [](auto, auto s, auto t) { return t <= s + kKeys - kRows; });
}

Values Masked(const Sees& sees, std::size_t batches) {
  Values mask;
  for (std::size_t b = 0; b < batches; ++b)
    for (std::size_t i = 0; i < kRows * kKeys; ++i)
      mask.push_back(sees(b, i / kKeys, i % kKeys) ? 0 : 1);
  return mask;
}

TEST_F(Attention, LeavesOutWhatIsMasked) {
  const Sees sees = [](auto b, auto s, auto t) { return (b + s + t) % 3 != 0; };
  for (const aclDataType type : {ACL_BOOL, ACL_INT8, ACL_UINT8})
    for (const Dims& dims : {Dims{2, 4, 6}, Dims{2, 1, 4, 6}}) {
      const Tensor mask = In(type, dims, Masked(sees, 2));
      Expect("BNSD", {.mask = &mask}, sees);
      Expect("BSH", {.mask = &mask, .mode = 1}, sees);
    }
  const Sees shared = [](auto, auto s, auto t) { return t <= s + 1 && s != 2; };
  const Tensor mask = In(ACL_BOOL, {4, 6}, Masked(shared, 1), Layout::kPaddedRows);
  Expect("BSND", {.mask = &mask, .mode = 1}, shared);
}

TEST_F(Attention, SeesTokensAround) {
  const Tensor none = In(ACL_BOOL, {4, 6}, Values(24, 0));
  Expect("BSND", {.mask = &none, .before = 1, .after = 2},
         [](auto, auto s, auto t) { return t + 1 >= s && t <= s + 2; });
  Expect("BSND", {.mask = &none, .before = 1, .after = 0, .mode = 1}, All);
  const Tensor compressed = In(ACL_BOOL, {2048, 2048}, Values(2048 * 2048, 0));
  Expect("BNSD", {.mask = &compressed, .mode = 2}, [](auto, auto s, auto t) { return t <= s; });
  Expect("BNSD", {.mask = &compressed, .mode = 3}, [](auto, auto s, auto t) { return t <= s + 2; });
  Expect("BSH", {.mask = &compressed, .before = 2, .after = 1, .mode = 4},
         [](auto, auto s, auto t) { return t + 2 >= s + 2 && t <= s + 3; });
}

// From the last key of each sequence, not of the tensor.
TEST_F(Attention, CountsTokensFromTheEndOfEachSequence) {
  const Tensor compressed = In(ACL_BOOL, {2048, 2048}, Values(2048 * 2048, 0));
  Expect("BSND", {.mask = &compressed, .rows = {4, 4}, .keys = {5, 6}, .mode = 3},
         [](auto b, auto s, auto t) { return t <= s + (b == 0 ? 1U : 2U); });
}

TEST_F(Attention, TellsTheLogarithmsOfSums) {
  const Tensor sums = Out(ACL_FLOAT, {2, 4, 4, 1});
  Expect("BNSD", {.log_sum = &sums}, All);
  Expect("BSND", {.log_sum = &sums}, All);
}

}  // namespace
}  // namespace nn
