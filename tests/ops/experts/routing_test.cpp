// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gmock/gmock.h>

#include <numeric>
#include <optional>

#include "ops/quantized/rounded.h"

namespace foothold {
namespace {

using List = std::vector<double>;
using testing::HasSubstr;

constexpr DataType kTypes[] = {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16};
constexpr std::size_t kTokens = 4, kEach = 3, kWidth = 5, kPlaces = kTokens * kEach;
const List kExperts{5, 0, 3, 2, 5, 1, 3, 2, 0, 4, 3, 5};

// Tokens whose elements differ in every type.
TensorValue Numbered(DataType type) {
  List numbers(kTokens * kWidth);
  std::iota(numbers.begin(), numbers.end(), -7);
  return Tensor(type, {4, 5}, numbers);
}

struct Case {
  TensorValue x = Random(DataType::kFloat, {4, 5}, 1);
  std::optional<TensorValue> scale, offset;
  Attributes attributes;
  std::int64_t first = 0, last = 6;
};

std::vector<TensorValue> RunOf(const Case& one) {
  OpRun run("MoeInitRoutingV3");
  run.node().attributes = one.attributes;
  run.Late("x", one.x).Late("expert_idx", Int32s({4, 3}, kExperts));
  one.scale ? run.Late("scale", *one.scale) : run.NoInput("scale");
  one.offset ? run.Late("offset", *one.offset) : run.NoInput("offset");
  run.Attr("expert_num", std::int64_t{6}).Attr("expert_tokens_num_flag", true);
  run.Attr("active_expert_range", std::vector<std::int64_t>{one.first, one.last});
  run.Out("expanded_x").Out("expanded_row_idx").Out("expert_tokens_count_or_cumsum").Out("expanded_scale");
  return run.RunAll();
}

// Places of the active experts in the order of these, then the others.
std::vector<std::size_t> Order(const Case& one) {
  const auto key = [&](std::size_t place) {
    return kExperts[place] < static_cast<double>(one.first) ? 1e9 : kExperts[place];
  };
  std::vector<std::size_t> order(kPlaces);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  return order;
}

List Counts(const Case& one) {
  List counts(static_cast<std::size_t>(one.last - one.first));
  for (const double expert : kExperts)
    if (expert >= static_cast<double>(one.first) && expert < static_cast<double>(one.last))
      ++counts[static_cast<std::size_t>(expert) - static_cast<std::size_t>(one.first)];
  return counts;
}

std::size_t Active(const Case& one) {
  double sum = 0;
  for (const double count : Counts(one))
    sum += count;
  return static_cast<std::size_t>(sum);
}

List Expanded(const Case& one) {
  List rows(kPlaces * kWidth);
  for (std::size_t row = 0; row < Active(one); ++row)
    for (std::size_t i = 0; i < kWidth; ++i)
      rows[row * kWidth + i] = Numbers(one.x)[Order(one)[row] / kEach * kWidth + i];
  return rows;
}

TEST(MoeInitRoutingV3, PutsTokensInTheOrderOfExperts) {
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kInt8})
    for (const auto& [first, last] : {std::pair{0, 6}, {2, 5}, {3, 3}}) {
      Case one;
      one.x = Numbered(type), one.first = first, one.last = last;
      one.scale = Random(DataType::kFloat, {4}, 2);
      const auto found = RunOf(one);
      EXPECT_EQ(found[0].type().type, type);
      EXPECT_EQ(Numbers(found[0]), Expanded(one));
      List index(kPlaces, -1), scales(kPlaces);
      for (std::size_t row = 0; row < Active(one); ++row) {
        index[Order(one)[row]] = static_cast<double>(row);
        scales[row] = Numbers(*one.scale)[Order(one)[row] / kEach];
      }
      EXPECT_EQ(Numbers(found[1]), index);
      EXPECT_EQ(Numbers(found[3]), scales);
    }
}

TEST(MoeInitRoutingV3, LeadsBackAndCountsInThreeWays) {
  Case one;
  one.first = 1, one.last = 5;
  one.attributes = {{"row_idx_type", std::int64_t{1}}, {"expert_tokens_num_type", std::int64_t{1}}};
  const auto counted = RunOf(one);
  List order;
  for (const std::size_t place : Order(one))
    order.push_back(static_cast<double>(place));
  EXPECT_EQ(Numbers(counted[1]), order);
  EXPECT_EQ(Numbers(counted[2]), Counts(one));
  EXPECT_EQ(counted[2].type().type, DataType::kInt64);
  one.attributes = {{"expert_tokens_num_type", std::int64_t{0}}};
  List ends = Counts(one);
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  EXPECT_EQ(Numbers(RunOf(one)[2]), ends);
  one.attributes = {{"expert_tokens_num_type", std::int64_t{2}}};
  EXPECT_EQ(Numbers(RunOf(one)[2]), (List{1, 1, 2, 2, 3, 3, 4, 1, 0, 0, 0, 0}));
}

TEST(MoeInitRoutingV3, GivesRowsTheirScale) {
  for (const DataType type : kTypes)
    for (const int scales : {0, 1, 3}) {
      Case one;
      one.x = Random(type, {4, 5}, 1), one.first = 2, one.last = 5;
      one.attributes = {{"quant_mode", std::int64_t{1}}};
      if (scales > 0) one.scale = Random(DataType::kFloat, {scales, 5}, 2);
      const auto found = RunOf(one);
      List rows = Expanded(one), factors(kPlaces);
      for (std::size_t row = 0; row < Active(one); ++row) {
        double most = 0;
        const std::size_t expert = static_cast<std::size_t>(kExperts[Order(one)[row]]) - 2;
        for (std::size_t i = 0; i < kWidth; ++i) {
          if (scales > 0)
            rows[row * kWidth + i] *= Numbers(*one.scale)[(scales == 1 ? 0 : expert) * kWidth + i];
          most = std::max(most, std::abs(rows[row * kWidth + i]));
        }
        factors[row] = most / 127;
        for (std::size_t i = 0; i < kWidth; ++i)
          rows[row * kWidth + i] /= factors[row];
      }
      ExpectRounded(found[0], rows);
      ExpectNear(found[3], factors, 1e-6);
    }
}

TEST(MoeInitRoutingV3, UsesTheScaleGiven) {
  Case one;
  one.attributes = {{"quant_mode", std::int64_t{0}}};
  one.scale = Floats({1}, {100}), one.offset = Floats({1}, {-3});
  List rows = Expanded(one);
  for (double& value : rows)
    value = value * 100 - 3;
  ExpectRounded(RunOf(one)[0], rows);
  one.offset.reset();
  EXPECT_THAT(MessageOf([&] { RunOf(one); }), HasSubstr("'offset'"));
}

TEST(MoeInitRoutingV3, RefusesFormsThatAreNotThere) {
  const auto with = [](const char* name, std::int64_t value) {
    Case one;
    one.attributes = {{name, value}};
    return MessageOf([&] { RunOf(one); });
  };
  EXPECT_THAT(with("drop_pad_mode", 1), HasSubstr("drop_pad_mode 1"));
  EXPECT_THAT(with("quant_mode", 2), HasSubstr("quant_mode 2"));
  EXPECT_THAT(with("active_num", 5), HasSubstr("active_num 5"));
  EXPECT_THAT(with("row_idx_type", 2), HasSubstr("row_idx_type 2"));
  EXPECT_EQ(with("active_num", 12), "");
  Case one;
  one.last = 7;
  EXPECT_THAT(MessageOf([&] { RunOf(one); }), HasSubstr("active_expert_range"));
}

struct Back {
  TensorValue rows;
  List index;
  std::optional<TensorValue> x1, x2, bias, scales, experts;
  std::int64_t mode = 0;
};

TensorValue Finalized(const Back& one) {
  OpRun run("MoeFinalizeRoutingV2");
  const auto maybe = [&](const char* name, const std::optional<TensorValue>& value) {
    value ? run.Late(name, *value) : run.NoInput(name);
  };
  run.Late("expanded_x", one.rows);
  run.Late("expanded_row_idx", Int32s({static_cast<std::int64_t>(one.index.size())}, one.index));
  maybe("x1", one.x1), maybe("x2", one.x2), maybe("bias", one.bias), maybe("scales", one.scales);
  maybe("expert_idx", one.experts);
  return run.Attr("drop_pad_mode", one.mode).Out("y").Run();
}

List Summed(const Back& one, std::size_t tokens, std::size_t each) {
  const List rows = Numbers(one.rows);
  List y(tokens * kWidth);
  for (std::size_t i = 0; i < y.size(); ++i) {
    y[i] = (one.x1 ? Numbers(*one.x1)[i] : 0) + (one.x2 ? Numbers(*one.x2)[i] : 0);
    const std::size_t token = i / kWidth, column = i % kWidth;
    for (std::size_t k = 0; k < each; ++k) {
      const double row = one.index[one.mode < 2 ? k * tokens + token : token * each + k];
      double value = row < 0 ? 0 : rows[static_cast<std::size_t>(row) * kWidth + column];
      if (one.bias)
        value += Numbers(
            *one.bias)[static_cast<std::size_t>(Numbers(*one.experts)[token * each + k]) * kWidth + column];
      y[i] += value * (one.scales ? Numbers(*one.scales)[token * each + k] : 1);
    }
  }
  return y;
}

TEST(MoeFinalizeRoutingV2, SumsWhatTheExpertsMade) {
  for (const DataType type : kTypes)
    for (const std::int64_t mode : {0, 1, 2, 3}) {
      Back one;
      one.mode = mode;
      one.rows = mode % 2 == 0 ? Random(type, {12, 5}, 1) : Random(type, {6, 2, 5}, 1);
      one.index = {3, 0, -1, 7, 11, 2, 1, 5, 6, 4, 10, 8};
      one.scales = Random(type, {4, 3}, 2);
      ExpectNear(Finalized(one), Summed(one, 4, 3), type == DataType::kFloat ? 1e-6 : 1.6e-2);
      one.x1 = Random(type, {4, 5}, 3), one.x2 = Random(type, {4, 5}, 4);
      one.bias = Random(type, {6, 5}, 5), one.experts = Int32s({4, 3}, kExperts);
      ExpectNear(Finalized(one), Summed(one, 4, 3), type == DataType::kFloat ? 1e-6 : 1.6e-2);
    }
}

TEST(MoeFinalizeRoutingV2, HasOneExpertWithoutScales) {
  Back one;
  one.rows = Random(DataType::kFloat, {3, 5}, 1), one.index = {2, 0, 1};
  ExpectNear(Finalized(one), Summed(one, 3, 1));
}

TEST(MoeFinalizeRoutingV2, RefusesWhatDoesNotFit) {
  Back one;
  one.rows = Random(DataType::kFloat, {3, 5}, 1), one.index = {2, 0, 3};
  EXPECT_THAT(MessageOf([&] { Finalized(one); }), HasSubstr("row 3 of 3"));
  one.index = {2, 0, 1}, one.mode = 4;
  EXPECT_THAT(MessageOf([&] { Finalized(one); }), HasSubstr("drop_pad_mode"));
  one.mode = 1;
  EXPECT_THAT(MessageOf([&] { Finalized(one); }), HasSubstr("[experts, capacity, width]"));
  one.mode = 0, one.bias = Random(DataType::kFloat, {2, 5}, 1);
  EXPECT_THAT(MessageOf([&] { Finalized(one); }), HasSubstr("'expert_idx'"));
}

std::vector<TensorValue> Permuted(const TensorValue& tokens, const TensorValue& indices,
                                  std::int64_t wanted = 0, bool padded = false) {
  OpRun run("MoeTokenPermute");
  run.Late("tokens", tokens).Late("indices", indices);
  run.Attr("num_out_tokens", wanted).Attr("padded_mode", padded);
  return run.Out("permute_tokens").Out("sorted_indices").RunAll();
}

TensorValue Unpermuted(const TensorValue& rows, const TensorValue& indices,
                       const std::optional<TensorValue>& probs) {
  OpRun run("MoeTokenUnpermute");
  run.Late("permuted_tokens", rows).Late("sorted_indices", indices);
  probs ? run.Late("probs", *probs) : run.NoInput("probs");
  return run.Out("out").Run();
}

TEST(MoeTokenPermute, SortsTokensByTheirExperts) {
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kInt8})
    for (const DataType index : {DataType::kInt32, DataType::kInt64}) {
      Case one;
      one.x = Numbered(type);
      const auto found = Permuted(one.x, Tensor(index, {4, 3}, kExperts));
      EXPECT_EQ(Numbers(found[0]), Expanded(one));
      List places(kPlaces);
      for (std::size_t row = 0; row < kPlaces; ++row)
        places[Order(one)[row]] = static_cast<double>(row);
      EXPECT_EQ(Numbers(found[1]), places);
    }
  EXPECT_EQ(Numbers(Permuted(Floats({3, 1}, {7, 8, 9}), Int32s({3}, {2, 0, 1}))[0]), (List{8, 9, 7}));
}

TEST(MoeTokenUnpermute, WeighsAndSumsTheRowsOfAToken) {
  for (const DataType type : kTypes) {
    const TensorValue rows = Random(type, {12, 5}, 1), probs = Random(type, {4, 3}, 2);
    Back one;
    one.rows = rows, one.index = {3, 0, 9, 7, 11, 2, 1, 5, 6, 4, 10, 8}, one.mode = 2, one.scales = probs;
    const TensorValue indices = Int32s({12}, one.index);
    ExpectNear(Unpermuted(rows, indices, probs), Summed(one, 4, 3), type == DataType::kFloat ? 1e-6 : 1.6e-2);
    one.scales.reset();
    ExpectNear(Unpermuted(rows, indices, {}), Summed(one, 12, 1), 1e-6);
  }
}

TEST(MoeTokenPermute, RefusesPaddedTokensAndFewerRows) {
  const TensorValue tokens = Floats({2, 1}, {1, 2}), indices = Int32s({2}, {0, 1});
  EXPECT_THAT(MessageOf([&] { Permuted(tokens, indices, 1); }), HasSubstr("num_out_tokens 1"));
  EXPECT_THAT(MessageOf([&] { Permuted(tokens, indices, 0, true); }), HasSubstr("padded_mode"));
  EXPECT_THAT(MessageOf([&] { Unpermuted(tokens, Int32s({2}, {0, 2}), {}); }), HasSubstr("index 2"));
}

}  // namespace
}  // namespace foothold
