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

List Softmax(const List& x) {
  List y;
  double sum = 0;
  for (const double value : x)
    y.push_back(std::exp(value)), sum += y.back();
  for (double& value : y)
    value /= sum;
  return y;
}

// Places of numbers, the largest first, of equals the one that comes first.
std::vector<std::size_t> Descending(const List& x) {
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return x[a] > x[b]; });
  return order;
}

List Row(const TensorValue& value, std::size_t row, std::size_t width) {
  const List all = Numbers(value);
  return List(all.begin() + static_cast<std::ptrdiff_t>(row * width),
              all.begin() + static_cast<std::ptrdiff_t>((row + 1) * width));
}

std::vector<TensorValue> SoftmaxRun(const TensorValue& x, const std::optional<TensorValue>& finished,
                                    std::int64_t k) {
  OpRun run("MoeGatingTopKSoftmax");
  run.Late("x", x);
  finished ? run.Late("finished", *finished) : run.NoInput("finished");
  return run.Attr("k", k).Out("y").Out("expert_idx").Out("row_idx").RunAll();
}

TEST(MoeGatingTopKSoftmax, ChoosesTheMostProbableExperts) {
  for (const DataType type : kTypes) {
    const TensorValue x = Random(type, {5, 12}, 1);
    const auto found = SoftmaxRun(x, Tensor(DataType::kBool, {5}, {0, 0, 1, 0, 1}), 3);
    List y, experts, rows;
    for (std::size_t row = 0; row < 5; ++row) {
      const List softmax = Softmax(Row(x, row, 12));
      for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t expert = Descending(softmax)[i];
        y.push_back(softmax[expert]);
        experts.push_back(row == 2 || row == 4 ? 12 : static_cast<double>(expert));
        rows.push_back(static_cast<double>(i * 5 + row));
      }
    }
    ExpectNear(found[0], y, type == DataType::kFloat ? 1e-6 : 4e-3);
    EXPECT_EQ(Numbers(found[1]), experts);
    EXPECT_EQ(Numbers(found[2]), rows);
    EXPECT_EQ(found[1].type().type, DataType::kInt32);
  }
}

TEST(MoeGatingTopKSoftmax, TakesTheFirstOfEquals) {
  EXPECT_EQ(Numbers(SoftmaxRun(Floats({1, 4}, {1, 2, 2, 2}), {}, 2)[1]), (List{1, 2}));
  EXPECT_EQ(SoftmaxRun(Floats({0, 4}, {}), {}, 2)[0].dims(), (Dims{0, 2}));
  EXPECT_THAT(MessageOf([] { SoftmaxRun(Floats({1, 4}, {1, 2, 2, 2}), {}, 5); }), HasSubstr("'k' is 5"));
}

TEST(MoeGatingTopKSoftmaxV2, GivesChosenScoresTheSumOneOrAllScores) {
  const TensorValue x = Random(DataType::kFloat, {2, 6}, 1);
  const auto run = [&](std::int64_t renorm, bool all) {
    OpRun run("MoeGatingTopKSoftmaxV2");
    run.Late("x", x).NoInput("finished").Attr("k", std::int64_t{2});
    run.Attr("renorm", renorm).Attr("output_softmax", all);
    return run.Out("y").Out("expert_idx").Out("softmax_result").RunAll();
  };
  List chosen, normal, experts, all;
  for (std::size_t row = 0; row < 2; ++row) {
    const List softmax = Softmax(Row(x, row, 6));
    const auto order = Descending(softmax);
    all.insert(all.end(), softmax.begin(), softmax.end());
    for (std::size_t i = 0; i < 2; ++i) {
      chosen.push_back(softmax[order[i]]), experts.push_back(static_cast<double>(order[i]));
      normal.push_back(softmax[order[i]] / (softmax[order[0]] + softmax[order[1]]));
    }
  }
  const auto plain = run(0, true), renormed = run(1, true);
  ExpectNear(plain[0], chosen);
  EXPECT_EQ(Numbers(plain[1]), experts);
  ExpectNear(plain[2], all);
  ExpectNear(renormed[0], normal);
  EXPECT_EQ(renormed[2].dims(), (Dims{0}));
  EXPECT_EQ(run(0, false)[2].dims(), (Dims{0}));
  EXPECT_THAT(MessageOf([&] { run(2, false); }), HasSubstr("renorm"));
}

struct Case {
  std::int64_t k = 3, groups = 1, chosen = 1, select = 0, renorm = 0, norm = 0;
  bool biased = false;
};

struct Expected {
  List y, experts, scores;
};

Expected ExpectedOf(const Case& one, const TensorValue& x, const TensorValue& bias) {
  Expected made;
  for (std::size_t row = 0; row < 4; ++row) {
    List scores = Row(x, row, 12);
    if (one.norm == 0) scores = Softmax(scores);
    for (double& score : scores)
      score = one.norm == 0 ? score : 1 / (1 + std::exp(-score));
    made.scores.insert(made.scores.end(), scores.begin(), scores.end());
    List choice = scores;
    for (std::size_t i = 0; one.biased && i < 12; ++i)
      choice[i] += Numbers(bias)[i];
    const auto groups = static_cast<std::size_t>(one.groups), size = 12 / groups;
    List group_scores;
    for (std::size_t group = 0; group < groups; ++group) {
      List members(choice.begin() + static_cast<std::ptrdiff_t>(group * size),
                   choice.begin() + static_cast<std::ptrdiff_t>((group + 1) * size));
      std::sort(members.rbegin(), members.rend());
      group_scores.push_back(one.select == 0 ? members[0] : members[0] + members[1]);
    }
    const auto order = Descending(group_scores);
    for (std::size_t i = static_cast<std::size_t>(one.chosen); i < groups; ++i)
      std::fill_n(choice.begin() + static_cast<std::ptrdiff_t>(order[i] * size), size, -HUGE_VAL);
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i)
      sum += scores[Descending(choice)[i]];
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t expert = Descending(choice)[i];
      made.experts.push_back(static_cast<double>(expert));
      made.y.push_back(scores[expert] / (one.norm == 1 || one.renorm == 1 ? sum : 1) * 2.5);
    }
  }
  return made;
}

std::vector<TensorValue> RunOf(const Case& one, const TensorValue& x, const TensorValue& bias) {
  OpRun run("MoeGatingTopK");
  run.Late("x", x);
  one.biased ? run.In("bias", bias) : run.NoInput("bias");
  run.Attr("k", one.k).Attr("k_group", one.chosen).Attr("group_count", one.groups);
  run.Attr("group_select_mode", one.select).Attr("renorm", one.renorm).Attr("norm_type", one.norm);
  run.Attr("routed_scaling_factor", 2.5f);
  return run.Out("y").Out("expert_idx").Out("out").RunAll();
}

TEST(MoeGatingTopK, ChoosesGroupsAndThenExperts) {
  for (const DataType type : kTypes)
    for (const std::int64_t norm : {0, 1})
      for (const std::int64_t select : {0, 1})
        for (const std::int64_t groups : {1, 4})
          for (const bool biased : {false, true})
            for (const std::int64_t renorm : {0, 1}) {
              const Case one{3, groups, groups == 1 ? 1 : 2, select, renorm, norm, biased};
              const TensorValue x = Random(type, {4, 12}, 1), bias = Random(type, {12}, 2);
              const auto found = RunOf(one, x, bias);
              const Expected expected = ExpectedOf(one, x, bias);
              EXPECT_EQ(Numbers(found[1]), expected.experts);
              ExpectNear(found[0], expected.y, type == DataType::kFloat ? 1e-5 : 8e-3);
              ExpectNear(found[2], expected.scores, 1e-5);
            }
}

TEST(MoeGatingTopK, RefusesGroupsThatDoNotFit) {
  const TensorValue x = Random(DataType::kFloat, {4, 12}, 1);
  const auto run = [&](const Case& one) { return MessageOf([&] { RunOf(one, x, x); }); };
  EXPECT_THAT(run({.groups = 5}), HasSubstr("group_count"));
  EXPECT_THAT(run({.groups = 4, .chosen = 5}), HasSubstr("k_group"));
  EXPECT_THAT(run({.k = 4, .groups = 4, .chosen = 1}), HasSubstr("have 3 experts"));
  EXPECT_THAT(run({.select = 2}), HasSubstr("group_select_mode"));
  EXPECT_THAT(run({.norm = 2}), HasSubstr("norm_type"));
  EXPECT_THAT(run({.biased = true}), HasSubstr("'bias'"));
}

}  // namespace
}  // namespace foothold
