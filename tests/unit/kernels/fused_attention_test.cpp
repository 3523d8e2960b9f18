// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/fused_attention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>
#include <vector>

#include "base/half.h"

namespace foothold {
namespace {

constexpr float kHidden = -std::numeric_limits<float>::infinity();

struct Sizes {
  std::size_t heads, kv_heads, rows, keys, depth, value_depth;
};

void PrintTo(const Sizes& s, std::ostream* out) {
  *out << s.heads << "/" << s.kv_heads << " heads, " << s.rows << " rows, " << s.keys << " keys of "
       << s.depth;
}

std::vector<float> Wave(std::size_t count, float step) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = std::sin(step * static_cast<float>(i) + step);
  return values;
}

template <typename T>
std::vector<T> As(const std::vector<float>& values) {
  std::vector<T> made(values.size());
  std::transform(values.begin(), values.end(), made.begin(), [](float value) { return T(value); });
  return made;
}

template <typename T>
const std::byte* BytesOf(const std::vector<T>& values) {
  return reinterpret_cast<const std::byte*>(values.data());
}

// Rows of heads side by side; the shift has a row for each query, whatever the head.
FusedAttention AttentionFor(const Sizes& s, ElementType type) {
  FusedAttention made;
  AttentionShape& shape = made.shape;
  shape.batch = 1;
  shape.heads = s.heads;
  shape.kv_heads = s.kv_heads;
  shape.rows = s.rows;
  shape.columns = s.keys;
  shape.depth = s.depth;
  shape.value_depth = s.value_depth;
  shape.query = {0, s.depth, s.heads * s.depth, 1};
  shape.key = {0, s.depth, s.kv_heads * s.depth, 1};
  shape.value = {0, s.value_depth, s.kv_heads * s.value_depth, 1};
  shape.out = {0, s.value_depth, s.heads * s.value_depth, 1};
  shape.shift = {0, 0, s.keys, 1};
  shape.scale = 0.5f;
  made.type = type;
  made.sums = {0, s.rows, 1, 0};
  return made;
}

template <typename T>
struct Memory {
  std::vector<T> query, key, value, out;
  std::vector<float> shift, log_sum;

  explicit Memory(const Sizes& s)
      : query(As<T>(Wave(s.rows * s.heads * s.depth, 0.31f))),
        key(As<T>(Wave(s.keys * s.kv_heads * s.depth, 0.73f))),
        value(As<T>(Wave(s.keys * s.kv_heads * s.value_depth, 1.1f))),
        out(s.rows * s.heads * s.value_depth, T(7.0f)),
        shift(Wave(s.rows * s.keys, 0.9f)),
        log_sum(s.rows * s.heads) {
    for (std::size_t i = 0; i < shift.size(); ++i)
      if (i % 5 == 0 || i / s.keys == 1) shift[i] = kHidden;  // row 1 sees nothing
  }

  AttentionSequence Sequence(const Sizes& s) {
    AttentionSequence made;
    made.query = BytesOf(query);
    made.key = BytesOf(key);
    made.value = BytesOf(value);
    made.shift = BytesOf(shift);
    made.out = reinterpret_cast<std::byte*>(out.data());
    made.log_sum = log_sum.data();
    made.rows = made.own_rows = s.rows;
    made.keys = s.keys;
    return made;
  }
};

template <typename T>
void ExpectRow(const Sizes& s, const Memory<T>& m, std::size_t head, std::size_t row, double tolerance) {
  const std::size_t kv = head * s.kv_heads / s.heads;
  const auto at = [](const std::vector<T>& values, std::size_t i) {
    return static_cast<double>(static_cast<float>(values[i]));
  };
  std::vector<double> scores, expected(s.value_depth);
  double most = -INFINITY, sum = 0;
  for (std::size_t j = 0; j < s.keys; ++j) {
    double score = 0;
    for (std::size_t d = 0; d < s.depth; ++d)
      score +=
          at(m.query, (row * s.heads + head) * s.depth + d) * at(m.key, (j * s.kv_heads + kv) * s.depth + d);
    scores.push_back(0.5 * score + static_cast<double>(m.shift[row * s.keys + j]));
    most = std::max(most, scores.back());
  }
  for (std::size_t j = 0; j < s.keys && most > -INFINITY; ++j) {
    const double weight = std::exp(scores[j] - most);
    sum += weight;
    for (std::size_t d = 0; d < s.value_depth; ++d)
      expected[d] += weight * at(m.value, (j * s.kv_heads + kv) * s.value_depth + d);
  }
  for (std::size_t d = 0; d < s.value_depth; ++d) {
    const double found = at(m.out, (row * s.heads + head) * s.value_depth + d);
    if (sum == 0)
      EXPECT_EQ(found, 0.0) << row;
    else
      EXPECT_NEAR(found, expected[d] / sum, tolerance) << head << " " << row << " " << d;
  }
  const double log_sum = static_cast<double>(m.log_sum[head * s.rows + row]);
  if (sum == 0)
    EXPECT_EQ(log_sum, -INFINITY);
  else
    EXPECT_NEAR(log_sum, most + std::log(sum), 1e-4);
}

template <typename T>
void Check(const Sizes& s, ElementType type, double tolerance) {
  Memory<T> memory(s);
  const FusedAttentionPlan plan(AttentionFor(s, type));
  std::vector<std::byte> workspace(plan.WorkspaceBytes());
  plan.Run([&](std::size_t) { return memory.Sequence(s); }, workspace.data());
  for (std::size_t head = 0; head < s.heads; ++head)
    for (std::size_t row = 0; row < s.rows; ++row)
      ExpectRow(s, memory, head, row, tolerance);
}

class FusedAttentionSizes : public testing::TestWithParam<Sizes> {};

TEST_P(FusedAttentionSizes, EqualTheDefinitionInEveryType) {
  Check<float>(GetParam(), ElementType::kFloat, 1e-5);
  Check<Half>(GetParam(), ElementType::kFloat16, 1e-3);
  Check<Bfloat16>(GetParam(), ElementType::kBfloat16, 1e-2);
}

INSTANTIATE_TEST_SUITE_P(All, FusedAttentionSizes,
                         testing::Values(Sizes{1, 1, 1, 1, 1, 1}, Sizes{2, 2, 1, 0, 8, 8},
                                         Sizes{2, 1, 20, 0, 8, 8}, Sizes{4, 4, 1, 1300, 40, 40},
                                         Sizes{5, 1, 1, 70, 64, 64}, Sizes{6, 2, 2, 65, 33, 17},
                                         Sizes{7, 1, 2, 9000, 16, 8}, Sizes{8, 2, 5, 200, 96, 128},
                                         Sizes{1, 1, 17, 31, 20, 36}, Sizes{3, 3, 64, 300, 80, 80},
                                         Sizes{2, 1, 150, 145, 24, 40}, Sizes{1, 1, 35, 97, 512, 512}));

TEST(FusedAttention, HidesWhatABandLeavesOut) {
  for (const std::size_t rows : {3u, 40u}) {
    const Sizes s{2, 1, rows, 50, 8, 8};
    Memory<float> memory(s);
    FusedAttention attention = AttentionFor(s, ElementType::kFloat);
    attention.shape.banded = true;
    attention.shape.before = 4;
    attention.shape.after = 1;
    const FusedAttentionPlan plan(attention);
    std::vector<std::byte> workspace(plan.WorkspaceBytes());
    AttentionSequence sequence = memory.Sequence(s);
    sequence.own_rows = rows - 1;  // the last row sees nothing
    plan.Run([&](std::size_t) { return sequence; }, workspace.data());
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < s.keys; ++j)
        if (j + 4 < i || j > i + 1 || i + 1 == rows) memory.shift[i * s.keys + j] = kHidden;
    for (std::size_t row = 0; row < rows; ++row)
      ExpectRow(s, memory, 1, row, 1e-5);
  }
}

}  // namespace
}  // namespace foothold
