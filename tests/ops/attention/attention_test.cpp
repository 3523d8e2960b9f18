// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/error.h"
#include "ops/data/reference.h"

namespace foothold {
namespace {

using Int = std::int64_t;

// Everything by meaning: [batch, heads, rows, depth].
struct Sizes {
  Int batch, heads, kv_heads, rows, columns, depth;
};

// Where an element of [batch, heads, rows, depth] is in a layout.
Dims InLayout(const std::string& layout, const Index& i, bool sizes) {
  if (layout == "BNSD") return i;
  if (layout == "BSND") return {i[0], i[2], i[1], i[3]};
  if (layout == "NSD") return {i[1], i[2], i[3]};
  if (sizes) return layout == "BSH" ? Dims{i[0], i[2], i[1] * i[3]} : Dims{i[2], i[0], i[1] * i[3]};
  return layout == "BSH" ? Dims{i[0], i[2], -1} : Dims{i[2], i[0], -1};
}

std::size_t PlaceIn(const std::string& layout, const Dims& sizes, const Index& i) {
  Dims at = InLayout(layout, i, false);
  if (at.back() == -1) at.back() = i[1] * sizes[3] + i[3];
  return Offset(InLayout(layout, sizes, true), at);
}

using Visible = std::function<bool(Int batch, Int row, Int column)>;
using Shift = std::function<double(Int batch, Int head, Int row, Int column)>;

struct Expected {
  std::vector<double> out, most, sum;
};

Expected Attend(const Sizes& s, const std::string& layout, const TensorValue& q, const TensorValue& k,
                const TensorValue& v, double scale, const Visible& visible, const Shift& shift) {
  const Dims query{s.batch, s.heads, s.rows, s.depth}, key{s.batch, s.kv_heads, s.columns, s.depth};
  const auto qs = Numbers(q), ks = Numbers(k), vs = Numbers(v);
  Expected made{std::vector<double>(qs.size()), {}, {}};
  ForIndices({s.batch, s.heads, s.rows}, [&](const Index& at) {
    const Int kv = at[1] / (s.heads / s.kv_heads);
    std::vector<double> scores;
    double most = -INFINITY, sum = 0;
    for (Int j = 0; j < s.columns; ++j) {
      double score = 0;
      for (Int d = 0; d < s.depth; ++d)
        score += qs[PlaceIn(layout, query, {at[0], at[1], at[2], d})] *
                 ks[PlaceIn(layout, key, {at[0], kv, j, d})];
      score = visible(at[0], at[2], j) ? scale * score + shift(at[0], at[1], at[2], j) : -INFINITY;
      scores.push_back(score);
      most = std::max(most, score);
    }
    for (const double score : scores)
      sum += most == -INFINITY ? 0 : std::exp(score - most);
    for (Int j = 0; j < s.columns; ++j)
      for (Int d = 0; d < s.depth && sum > 0; ++d)
        made.out[PlaceIn(layout, query, {at[0], at[1], at[2], d})] +=
            std::exp(scores[static_cast<std::size_t>(j)] - most) / sum *
            vs[PlaceIn(layout, key, {at[0], kv, j, d})];
    made.most.insert(made.most.end(), 8, most);
    made.sum.insert(made.sum.end(), 8, sum);
  });
  return made;
}

bool All(Int, Int, Int) {
  return true;
}
double Nothing(Int, Int, Int, Int) {
  return 0;
}

struct Tensors {
  TensorValue q, k, v;
};

Tensors Make(const Sizes& s, const std::string& layout, DataType type) {
  const Dims query = InLayout(layout, {s.batch, s.heads, s.rows, s.depth}, true);
  const Dims key = InLayout(layout, {s.batch, s.kv_heads, s.columns, s.depth}, true);
  return {Random(type, query, 1), Random(type, key, 2), Random(type, key, 3)};
}

void Connect(OpRun& run, const Tensors& t, const Sizes& s, const std::string& layout) {
  run.Late("query", t.q).Late("key", t.k).Late("value", t.v);
  run.Attr("num_heads", s.heads).Attr("num_key_value_heads", s.kv_heads).Attr("input_layout", layout);
}

class AttentionLayout : public testing::TestWithParam<std::string> {};

TEST_P(AttentionLayout, EqualsItsDefinition) {
  const Sizes s{GetParam() == "NSD" ? 1 : 2, 4, 2, 3, 5, 8};
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16}) {
    const Tensors t = Make(s, GetParam(), type);
    const Expected expected = Attend(s, GetParam(), t.q, t.k, t.v, 0.5, All, Nothing);
    const double tolerance = type == DataType::kFloat ? 1e-5 : 1e-2;
    OpRun prompt("PromptFlashAttention"), fused("FusedInferAttentionScore"), score("FlashAttentionScore");
    Connect(prompt, t, s, GetParam());
    ExpectNear(prompt.Attr("scale_value", 0.5f).Out("attention_out").Run(), expected.out, tolerance);
    Connect(fused, t, s, GetParam());
    fused.Attr("scale", 0.5f).Attr("softmax_lse_flag", true).Out("attention_out").Out("softmax_lse");
    const auto both = fused.RunAll();
    ExpectNear(both[0], expected.out, tolerance);
    EXPECT_EQ(both[1].dims(), (Dims{s.batch, s.heads, s.rows, 1}));
    EXPECT_NEAR(Numbers(both[1])[3], expected.most[24] + std::log(expected.sum[24]), 1e-2);
    Connect(score, t, s, GetParam());
    score.Attr("head_num", s.heads).Attr("scale_value", 0.5f);
    const auto all =
        score.Out("softmax_max").Out("softmax_sum").Out("softmax_out").Out("attention_out").RunAll();
    ExpectNear(all[0], expected.most, 1e-2);
    ExpectNear(all[1], expected.sum, 2e-2);
    ExpectNear(all[3], expected.out, tolerance);
  }
}

INSTANTIATE_TEST_SUITE_P(All, AttentionLayout, testing::Values("BSH", "SBH", "BNSD", "BSND", "NSD"));

struct Masking {
  Int mode, before, after;
  bool mask;
  Visible visible;
};

class AttentionMask : public testing::TestWithParam<Masking> {};

TEST_P(AttentionMask, HidesKeys) {
  const Masking& m = GetParam();
  const Sizes s{2, 2, 2, 4, 6, 4};
  const Tensors t = Make(s, "BNSD", DataType::kFloat);
  OpRun run("FusedInferAttentionScore");
  Connect(run, t, s, "BNSD");
  std::vector<double> mask;
  ForIndices({2, 1, 4, 6}, [&](const Index& i) { mask.push_back((i[0] + i[2] + i[3]) % 3 == 0); });
  if (m.mask) run.Late("atten_mask", Tensor(DataType::kBool, {2, 1, 4, 6}, mask));
  run.Attr("sparse_mode", m.mode).Attr("pre_tokens", m.before).Attr("next_tokens", m.after);
  const auto expected = Attend(s, "BNSD", t.q, t.k, t.v, 1.0, m.visible, Nothing);
  ExpectNear(run.Out("attention_out").Run(), expected.out, 1e-5);
}

const Int kFar = 2147483647;

INSTANTIATE_TEST_SUITE_P(
    Modes, AttentionMask,
    testing::Values(Masking{0, 1, 0, false, All},
                    Masking{0, kFar, kFar, true, [](Int b, Int i, Int j) { return (b + i + j) % 3 != 0; }},
                    Masking{0, 1, 0, true,
                            [](Int b, Int i, Int j) { return (b + i + j) % 3 != 0 && j <= i && j >= i - 1; }},
                    Masking{1, 0, 0, true, [](Int b, Int i, Int j) { return (b + i + j) % 3 != 0; }},
                    Masking{2, 0, 0, true, [](Int, Int i, Int j) { return j <= i; }},
                    Masking{3, 0, 0, true, [](Int, Int i, Int j) { return j <= i + 2; }},
                    Masking{4, 1, 1, false, [](Int, Int i, Int j) { return j >= i + 1 && j <= i + 3; }},
                    Masking{4, -1, 0, false, [](Int, Int, Int) { return false; }}));

TEST(Attention, AddsAShiftAndEndsSequencesWhereTheirLengthsSay) {
  const Sizes s{2, 2, 2, 3, 4, 4};
  const Tensors t = Make(s, "BSH", DataType::kFloat);
  const TensorValue shift = Random(DataType::kFloat, {1, 2, 3, 4}, 9);
  OpRun run("PromptFlashAttention");
  Connect(run, t, s, "BSH");
  run.Late("pse_shift", shift)
      .Late("actual_seq_lengths", List({3, 2}))
      .Late("actual_seq_lengths_kv", List({4, 1}));
  Expected expected = Attend(
      s, "BSH", t.q, t.k, t.v, 1.0, [](Int b, Int i, Int j) { return b == 0 || (i < 2 && j < 1); },
      [&](Int, Int h, Int i, Int j) {
        return Numbers(shift)[Offset({2, 3, 4}, {h, i, j})];
      });
  ExpectNear(run.Out("attention_out").Run(), expected.out, 1e-5);
  OpRun wrong("PromptFlashAttention");
  Connect(wrong, t, s, "BSH");
  wrong.Late("actual_seq_lengths_kv", List({4, 5}));
  EXPECT_THROW(wrong.Out("attention_out").Run(), Error);
}

TEST(Attention, KeepsPackedSequencesApart) {
  const Sizes whole{1, 2, 2, 5, 6, 4};
  const Tensors t = Make(whole, "BSND", DataType::kFloat);
  const auto packed = [](const TensorValue& value) {
    TensorValue same = value;
    const Dims& d = value.dims();
    same.set_type({value.type().type, Format::kNd, {d[1], d[2], d[3]}});
    return same;
  };
  OpRun run("FlashAttentionScore");
  run.Late("query", packed(t.q)).Late("key", packed(t.k)).Late("value", packed(t.v));
  run.Late("actual_seq_qlen", List({2, 5})).Late("actual_seq_kvlen", List({2, 6})).Attr("head_num", Int{2});
  run.Attr("input_layout", std::string("TND")).Attr("sparse_mode", Int{3});
  run.Out("softmax_max").Out("softmax_sum").Out("softmax_out").Out("attention_out");
  const Visible visible = [](Int, Int i, Int j) {
    return i < 2 ? j < 2 && j <= i : j >= 2 && j - 2 <= i - 2 + 1;
  };
  ExpectNear(run.RunAll()[3], Attend(whole, "BSND", t.q, t.k, t.v, 1.0, visible, Nothing).out, 1e-5);
}

TEST(IncreFlashAttention, TakesOneTensorOfKeysForEachBatch) {
  const Sizes s{2, 4, 1, 1, 3, 4};
  const Tensors t = Make(s, "BNSD", DataType::kFloat);
  OpRun run("IncreFlashAttention");
  run.Late("query", t.q);
  for (const char* name : {"key", "value"})
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
      const auto numbers = Numbers(std::string(name) == "key" ? t.k : t.v);
      const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(i * 12);
      run.Late(name + std::to_string(i), Floats({1, 1, 3, 4}, std::vector<double>(begin, begin + 12)));
    }
  run.Late("actual_seq_lengths", List({2}))
      .Attr("num_heads", Int{4})
      .Attr("input_layout", std::string("BNSD"));
  const auto expected = Attend(
      s, "BNSD", t.q, t.k, t.v, 1.0, [](Int, Int, Int j) { return j < 2; }, Nothing);
  ExpectNear(run.Out("attention_out").Run(), expected.out, 1e-5);
}

TEST(Attention, RefusesWhatCannotBe) {
  const Sizes s{1, 4, 2, 3, 5, 8};
  const Tensors t = Make(s, "BNSD", DataType::kFloat);
  const auto run = [&](const Sizes& sizes, const char* layout, const Attributes& others, const char* port) {
    OpRun op("FusedInferAttentionScore");
    Connect(op, t, sizes, layout);
    for (const auto& [name, value] : others)
      op.Attr(name, value);
    if (port != nullptr) op.Late(port, Floats({1}, {1}));
    return op.Out("attention_out").Run();
  };
  EXPECT_NO_THROW(run(s, "BNSD", {}, nullptr));
  EXPECT_THROW(run({1, 3, 2, 3, 5, 8}, "BNSD", {}, nullptr), Error);
  EXPECT_THROW(run({1, 4, 4, 3, 5, 8}, "BNSD", {}, nullptr), Error);
  EXPECT_THROW(run(s, "BSH", {}, nullptr), Error);
  EXPECT_THROW(run(s, "HSB", {}, nullptr), Error);
  EXPECT_THROW(run(s, "BNSD", {{"sparse_mode", Int{9}}}, nullptr), Error);
  EXPECT_THROW(run(s, "BNSD", {}, "dequant_scale1"), Error);
  EXPECT_THROW(run(s, "BNSD", {}, "block_table"), Error);
  EXPECT_THROW(run(s, "BNSD", {}, "atten_mask"), Error);
}

}  // namespace
}  // namespace foothold
