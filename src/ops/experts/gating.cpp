// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Which experts work on a token: the k with the largest scores, of equals the first. MoeGatingTopKSoftmax
// scores by softmax. MoeGatingTopK scores by softmax or sigmoid, to which a bias may be added while choosing,
// and can first choose groups of experts, by their best one or the sum of their best two.
#include <algorithm>
#include <cmath>

#include "base/thread_pool.h"
#include "ops/data/rule_arguments.h"
#include "ops/input_checks.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

struct Tokens {
  std::size_t rows, experts, chosen;
};

Tokens TokensOf(const OpContext& context) {
  const Dims& x = context.InDims(0);
  if (x.empty()) context.Refuse("x is a scalar, expected scores of experts");
  const std::int64_t k = RequiredInt(context, "k");
  if (k < 1 || k > x.back()) context.Refuse("attribute 'k' is {}, expected 1 to {} experts", k, x.back());
  return {Product(x, 0, x.size() - 1), static_cast<std::size_t>(x.back()), static_cast<std::size_t>(k)};
}

Dims ChosenDims(const OpContext& context) {
  Dims dims = context.InDims(0);
  dims.back() = static_cast<std::int64_t>(TokensOf(context).chosen);
  return dims;
}

void Softmax(const float* x, std::size_t count, float* y) {
  float most = -HUGE_VALF, sum = 0;
  for (std::size_t i = 0; i < count; ++i)
    most = std::max(most, x[i]);
  for (std::size_t i = 0; i < count; ++i)
    sum += y[i] = std::exp(x[i] - most);
  for (std::size_t i = 0; i < count; ++i)
    y[i] /= sum;
}

// The `chosen` largest of `count` scores come first in `order`; a NaN counts as the largest number.
void ChooseLargest(const float* scores, std::size_t count, std::size_t chosen, std::int32_t* order) {
  for (std::size_t i = 0; i < count; ++i)
    order[i] = static_cast<std::int32_t>(i);
  std::partial_sort(order, order + chosen, order + count, [&](std::int32_t a, std::int32_t b) {
    const float left = scores[a], right = scores[b];
    const bool left_nan = left != left, right_nan = right != right;
    if (left_nan || right_nan) return left_nan == right_nan ? a < b : left_nan;
    return left == right ? a < b : left > right;
  });
}

// Scratch memory of a row.
struct Scratch {
  float* scores;
  float* groups;
  std::int32_t* order;
};

class ChoosingKernel : public Kernel {
 public:
  explicit ChoosingKernel(const OpContext& context) : t_(TokensOf(context)) {}

  std::size_t WorkspaceBytes() const override {
    return t_.rows * t_.experts * (2 * sizeof(float) + sizeof(std::int32_t));
  }

  void Run(const RunArgs& args) const override {
    auto* scores = reinterpret_cast<float*>(args.workspace);
    auto* groups = scores + t_.rows * t_.experts;
    auto* order = reinterpret_cast<std::int32_t*>(groups + t_.rows * t_.experts);
    ParallelFor(t_.rows, 1 + 1024 / t_.experts, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row)
        RunRow(args, row, {scores + row * t_.experts, groups + row * t_.experts, order + row * t_.experts});
    });
  }

 protected:
  virtual void RunRow(const RunArgs& args, std::size_t row, const Scratch& scratch) const = 0;
  const Tokens t_;
};

std::int64_t OneOrZero(const OpContext& context, const char* name) {
  const std::int64_t value = context.node().Int(name, 0);
  if (value != 0 && value != 1) context.Refuse("attribute '{}' is {}; 0 and 1 are possible", name, value);
  return value;
}

class SoftmaxKernel final : public ChoosingKernel {
 public:
  explicit SoftmaxKernel(const OpContext& context)
      : ChoosingKernel(context),
        finished_(OptionalPort(context, "finished")),
        rows_(context.node().OutputIndex("row_idx")),
        renorm_(OneOrZero(context, "renorm") == 1),
        whole_(context.node().OutputIndex("softmax_result")) {
    if (whole_ >= 0 && ElementCount(context.Out(whole_).dims) == 0) whole_ = -1;
  }

 private:
  void RunRow(const RunArgs& args, std::size_t row, const Scratch& scratch) const override {
    Softmax(args.In<float>(0) + row * t_.experts, t_.experts, scratch.scores);
    ChooseLargest(scratch.scores, t_.experts, t_.chosen, scratch.order);
    const bool finished = finished_ >= 0 && args.In<bool>(finished_)[row];
    float sum = 0;
    for (std::size_t i = 0; i < t_.chosen; ++i)
      sum += scratch.scores[scratch.order[i]];
    for (std::size_t i = 0; i < t_.chosen; ++i) {
      const std::size_t at = row * t_.chosen + i;
      args.Out<float>(0)[at] = scratch.scores[scratch.order[i]] / (renorm_ ? sum : 1.0f);
      args.Out<std::int32_t>(1)[at] = finished ? static_cast<std::int32_t>(t_.experts) : scratch.order[i];
      if (rows_ >= 0) args.Out<std::int32_t>(rows_)[at] = static_cast<std::int32_t>(i * t_.rows + row);
    }
    if (whole_ >= 0) std::copy_n(scratch.scores, t_.experts, args.Out<float>(whole_) + row * t_.experts);
  }

  int finished_, rows_;
  bool renorm_;
  int whole_;
};

// The V2 form can give the chosen scores the sum 1, or give all scores; else its third output is empty.
void InferSoftmax(OpContext& context) {
  const Tokens tokens = TokensOf(context);
  if (context.Has("finished") && context.In("finished").type != DataType::kBool)
    context.Refuse("'finished' is {}, expected bool", ToString(context.In("finished")));
  CheckCount(context, "finished", tokens.rows, "token");
  context.SetOut(0, context.In(0).type, ChosenDims(context), context.In(0).format);
  context.SetOut(1, DataType::kInt32, ChosenDims(context), Format::kNd);
  if (context.node().OutputIndex("row_idx") >= 0)
    return context.SetOut(2, DataType::kInt32, ChosenDims(context), Format::kNd);
  const bool whole = OneOrZero(context, "renorm") == 0 && context.node().Bool("output_softmax", false);
  context.SetOut(2, DataType::kFloat, whole ? context.InDims(0) : Dims{0}, Format::kNd);
}

struct Form {
  std::size_t groups, chosen_groups;
  bool two;         // a group counts as much as its best two
  bool sigmoid;     // else softmax
  bool normalizes;  // the chosen scores have the sum 1
  float factor, epsilon;
};

Form FormOf(const OpContext& context) {
  const Tokens tokens = TokensOf(context);
  const Node& node = context.node();
  const std::int64_t groups = node.Int("group_count", 1), chosen = node.Int("k_group", 1);
  if (groups < 1 || tokens.experts % static_cast<std::size_t>(groups) != 0)
    context.Refuse("attribute 'group_count' is {}, which does not divide {} experts", groups, tokens.experts);
  if (chosen < 1 || chosen > groups)
    context.Refuse("attribute 'k_group' is {}, expected 1 to {} groups", chosen, groups);
  const std::size_t within =
      tokens.experts / static_cast<std::size_t>(groups) * static_cast<std::size_t>(chosen);
  if (tokens.chosen > within)
    context.Refuse("attribute 'k' is {}, and {} groups have {} experts", tokens.chosen, chosen, within);
  const bool sigmoid = OneOrZero(context, "norm_type") == 1, renorm = OneOrZero(context, "renorm") == 1;
  return {static_cast<std::size_t>(groups),
          static_cast<std::size_t>(chosen),
          OneOrZero(context, "group_select_mode") == 1,
          sigmoid,
          sigmoid || renorm,
          node.Float("routed_scaling_factor", 1.0f),
          node.Float("eps", 1e-20f)};
}

class GroupsKernel final : public ChoosingKernel {
 public:
  explicit GroupsKernel(const OpContext& context)
      : ChoosingKernel(context), form_(FormOf(context)), bias_(OptionalPort(context, "bias")) {}

 private:
  void RunRow(const RunArgs& args, std::size_t row, const Scratch& scratch) const override {
    float* scores = args.Out<float>(2) + row * t_.experts;
    Score(args.In<float>(0) + row * t_.experts, scores);
    for (std::size_t i = 0; i < t_.experts; ++i)
      scratch.scores[i] = scores[i] + (bias_ < 0 ? 0.0f : args.In<float>(bias_)[i]);
    if (form_.groups > 1) LeaveGroups(scratch);
    ChooseLargest(scratch.scores, t_.experts, t_.chosen, scratch.order);
    float sum = 0;
    for (std::size_t i = 0; i < t_.chosen; ++i)
      sum += scores[scratch.order[i]];
    const float factor = form_.normalizes ? form_.factor / (sum + form_.epsilon) : form_.factor;
    for (std::size_t i = 0; i < t_.chosen; ++i) {
      args.Out<float>(0)[row * t_.chosen + i] = scores[scratch.order[i]] * factor;
      args.Out<std::int32_t>(1)[row * t_.chosen + i] = scratch.order[i];
    }
  }

  void Score(const float* x, float* y) const {
    if (!form_.sigmoid) return Softmax(x, t_.experts, y);
    for (std::size_t i = 0; i < t_.experts; ++i)
      y[i] = 1.0f / (1.0f + std::exp(-x[i]));
  }

  float GroupScore(const float* scores) const {
    float best = -HUGE_VALF, second = -HUGE_VALF;
    for (std::size_t i = 0; i < t_.experts / form_.groups; ++i) {
      second = std::max(second, std::min(best, scores[i]));
      best = std::max(best, scores[i]);
    }
    return form_.two ? best + second : best;
  }

  // Experts of groups that are not chosen get the least score there is.
  void LeaveGroups(const Scratch& scratch) const {
    const std::size_t size = t_.experts / form_.groups;
    for (std::size_t group = 0; group < form_.groups; ++group)
      scratch.groups[group] = GroupScore(scratch.scores + group * size);
    ChooseLargest(scratch.groups, form_.groups, form_.chosen_groups, scratch.order);
    for (std::size_t i = form_.chosen_groups; i < form_.groups; ++i)
      std::fill_n(scratch.scores + static_cast<std::size_t>(scratch.order[i]) * size, size, -HUGE_VALF);
  }

  Form form_;
  int bias_;
};

void InferGroups(OpContext& context) {
  const Tokens tokens = TokensOf(context);
  FormOf(context);
  CheckCount(context, "bias", tokens.experts, "expert");
  context.SetOut(0, context.In(0).type, ChosenDims(context), context.In(0).format);
  context.SetOut(1, DataType::kInt32, ChosenDims(context), Format::kNd);
  context.SetOut(2, DataType::kFloat, context.InDims(0), Format::kNd);
}

template <typename Made>
std::unique_ptr<Kernel> Lower(OpContext& context) {
  CheckFloats(context, {"x", "bias"});
  return ThroughFloat(context, std::make_unique<Made>(context));
}

OpDef Gating(const char* type, OpDef::InferRule infer, OpDef::LowerRule lower) {
  return OpDef(type)
      .Infer(std::move(infer))
      .Lower(std::move(lower))
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16});
}

const RegisterOp gating({
    Gating("MoeGatingTopKSoftmax", InferSoftmax, Lower<SoftmaxKernel>),
    Gating("MoeGatingTopKSoftmaxV2", InferSoftmax, Lower<SoftmaxKernel>),
    Gating("MoeGatingTopK", InferGroups, Lower<GroupsKernel>),
});

}  // namespace
}  // namespace foothold
