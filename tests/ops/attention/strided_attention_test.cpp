// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// FusedInferAttentionScore on parts of caches, as programs with a cache of keys pass them.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <ostream>

#include "base/error.h"
#include "ops/strided_input.h"

namespace foothold {
namespace {

using Int = std::int64_t;

struct Sizes {
  Int batch, heads, kv_heads, rows, keys, depth;
  DataType type = DataType::kFloat16;
};

void PrintTo(const Sizes& s, std::ostream* out) {
  *out << s.batch << "x" << s.heads << "/" << s.kv_heads << " " << s.rows << "x" << s.keys << " of "
       << s.depth;
}

// Queries as [batch, heads, rows, depth], keys and values rows of a cache with room for more heads.
struct Inputs {
  StridedInput query, key, value, shift;
  explicit Inputs(const Sizes& s)
      : query(s.type, {s.batch, s.rows, s.heads, s.depth},
              {s.heads * s.rows * s.depth, s.depth, s.rows * s.depth, 1}, 1),
        key(s.type, KeyDims(s),
            {(s.keys + 3) * (s.kv_heads + 1) * s.depth, (s.kv_heads + 1) * s.depth, s.depth, 1}, 2),
        value(s.type, KeyDims(s), {s.kv_heads * (s.keys + 1) * s.depth, s.depth, (s.keys + 1) * s.depth, 1},
              3),
        shift(DataType::kFloat16, {s.batch, s.heads, s.rows, s.keys},
              {s.rows * (s.keys + 5), 0, s.keys + 5, 1}, 4) {
    // Every third key of a row is hidden, and the last row sees nothing.
    shift.Set([&](const Index& i, double number) {
      return (i[2] + i[3]) % 3 == 1 || i[2] + 1 == s.rows ? -INFINITY : 3 * number;
    });
  }
  static Dims KeyDims(const Sizes& s) { return {s.batch, s.keys, s.kv_heads, s.depth}; }
};

struct Expected {
  std::vector<double> out, log_sum;  // by batch, row, head, depth; by batch, head, row
};

Expected Attend(const Sizes& s, const Inputs& in, double scale, bool shifted) {
  Expected made{std::vector<double>(static_cast<std::size_t>(s.batch * s.rows * s.heads * s.depth)), {}};
  ForIndices({s.batch, s.heads, s.rows}, [&](const Index& at) {
    const Int b = at[0], head = at[1], row = at[2], kv = head * s.kv_heads / s.heads;
    std::vector<double> scores;
    double most = -INFINITY, sum = 0;
    for (Int j = 0; j < s.keys; ++j) {
      double score = 0;
      for (Int d = 0; d < s.depth; ++d)
        score += in.query.At({b, row, head, d}) * in.key.At({b, j, kv, d});
      scores.push_back(scale * score + (shifted ? in.shift.At({b, head, row, j}) : 0));
      most = std::max(most, scores.back());
    }
    for (double& score : scores)
      sum += score = most == -INFINITY ? 0 : std::exp(score - most);
    for (Int d = 0; d < s.depth && sum > 0; ++d)
      for (Int j = 0; j < s.keys; ++j)
        made.out[Offset({s.batch, s.rows, s.heads, s.depth}, {b, row, head, d})] +=
            scores[static_cast<std::size_t>(j)] / sum * in.value.At({b, j, kv, d});
    made.log_sum.push_back(most + std::log(sum));
  });
  return made;
}

std::vector<TensorValue> RunFused(const Sizes& s, const Inputs& in, float scale, bool shifted) {
  OpRun run("FusedInferAttentionScore");
  in.query.Connect(run, "query");
  in.key.Connect(run, "key0");
  in.value.Connect(run, "value0");
  if (shifted) in.shift.Connect(run, "pse_shift");
  run.Attr("num_heads", s.heads).Attr("num_key_value_heads", s.kv_heads).Attr("scale", scale);
  run.Attr("input_layout", std::string("BSND")).Attr("softmax_lse_flag", true);
  return run.Out("attention_out").Out("softmax_lse").RunAll();
}

class AttentionOfCaches : public testing::TestWithParam<Sizes> {};

TEST_P(AttentionOfCaches, EqualsItsDefinition) {
  const Sizes& s = GetParam();
  const Inputs in(s);
  for (const bool shifted : {false, true}) {
    const Expected expected = Attend(s, in, 0.25, shifted);
    const auto found = RunFused(s, in, 0.25f, shifted);
    EXPECT_EQ(found[0].dims(), (Dims{s.batch, s.rows, s.heads, s.depth}));
    EXPECT_EQ(found[0].type().type, s.type);
    const double tolerance = s.type == DataType::kFloat ? 1e-5 : s.type == DataType::kFloat16 ? 1e-3 : 8e-3;
    ExpectNear(found[0], expected.out, tolerance);
    ExpectNear(found[1], expected.log_sum, 1e-4);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, AttentionOfCaches,
    testing::Values(Sizes{1, 4, 4, 1, 113, 40}, Sizes{3, 4, 1, 1, 1030, 64}, Sizes{1, 6, 1, 3, 130, 72},
                    Sizes{1, 12, 1, 1, 75, 80, DataType::kBfloat16}, Sizes{1, 16, 1, 1, 600, 96},
                    Sizes{3, 8, 2, 32, 113, 64}, Sizes{1, 2, 2, 75, 150, 128}, Sizes{1, 4, 1, 20, 100, 192},
                    Sizes{1, 1, 1, 33, 70, 256, DataType::kFloat},
                    Sizes{1, 2, 1, 3, 520, 512, DataType::kFloat}, Sizes{2, 2, 1, 20, 50, 7},
                    Sizes{1, 1, 1, 200, 201, 16, DataType::kBfloat16}, Sizes{1, 2, 1, 2, 3, 5}));

TEST(StridedAttention, GivesExactZerosToRowsThatSeeNothing) {
  for (const Int rows : {1, 40}) {
    const Sizes s{1, 2, 1, rows, 70, 64};
    const Inputs in(s);
    const std::vector<double> out = Numbers(RunFused(s, in, 1.0f, true)[0]);
    for (std::size_t i = out.size() - 128; i < out.size(); ++i)
      EXPECT_EQ(out[i], 0.0);
  }
}

TEST(StridedAttention, GivesZerosWithoutKeys) {
  for (const Int rows : {1, 40}) {
    const Sizes s{1, 2, 1, rows, 0, 64};
    const auto found = RunFused(s, Inputs(s), 1.0f, false);
    ExpectNear(found[0], std::vector<double>(static_cast<std::size_t>(rows * 128)), 0);
  }
}

TEST(StridedAttention, ReadsKeysWhoseDepthIsNotDense) {
  const Sizes s{1, 2, 2, 1, 30, 12, DataType::kFloat};
  Inputs in(s);
  in.key = StridedInput(s.type, {1, 30, 2, 12}, {800, 1, 400, 31}, 9);
  ExpectNear(RunFused(s, in, 1.0f, true)[0], Attend(s, in, 1.0, true).out, 1e-5);
}

// Sequences of 9 and 26 queries with 20 and 31 keys, and five rows that belong to none.
TEST(PackedAttention, KeepsSequencesApart) {
  const StridedInput query(DataType::kFloat16, {40, 2, 16}, {40, 16, 1}, 1);
  const StridedInput key(DataType::kFloat16, {51, 1, 16}, {16, 16, 1}, 2), value = key;
  OpRun run("FusedInferAttentionScore");
  query.Connect(run, "query");
  key.Connect(run, "key0");
  value.Connect(run, "value0");
  run.Late("actual_seq_lengths", List({9, 35})).Late("actual_seq_lengths_kv", List({20, 51}));
  run.Attr("num_heads", Int{2}).Attr("num_key_value_heads", Int{1}).Attr("input_layout", std::string("TND"));
  const auto found = run.Attr("softmax_lse_flag", true).Out("attention_out").Out("softmax_lse").RunAll();
  std::vector<double> out, log_sums;
  ForIndices({40, 2}, [&](const Index& at) {
    const Int begin = at[0] < 9 ? 0 : 20, end = at[0] < 9 ? 20 : at[0] < 35 ? 51 : begin;
    std::vector<double> row(16);
    double sum = 0;
    for (Int j = begin; j < end; ++j) {
      double score = 0;
      for (Int d = 0; d < 16; ++d)
        score += query.At({at[0], at[1], d}) * key.At({j, 0, d});
      sum += std::exp(score);
      for (Int d = 0; d < 16; ++d)
        row[static_cast<std::size_t>(d)] += std::exp(score) * value.At({j, 0, d});
    }
    for (const double number : row)
      out.push_back(sum == 0 ? 0 : number / sum);
    log_sums.push_back(std::log(sum));
  });
  ExpectNear(found[0], out, 1e-3);
  EXPECT_EQ(found[1].dims(), (Dims{40, 2, 1}));
  ExpectNear(found[1], log_sums, 1e-4);
}

TEST(StridedAttention, KeepsNumbersThatAreNone) {
  for (const Int rows : {1, 40}) {
    const Sizes s{1, 1, 1, rows, 20, 8};
    Inputs in(s);
    in.query.Set([](const Index& i, double number) { return i[1] == 0 && i[3] == 2 ? NAN : number; });
    const std::vector<double> out = Numbers(RunFused(s, in, 1.0f, false)[0]);
    for (std::size_t i = 0; i < out.size(); ++i)
      EXPECT_EQ(std::isnan(out[i]), i < 8) << i;
  }
}

}  // namespace
}  // namespace foothold
