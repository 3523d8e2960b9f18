// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// ClippedSwiglu: a gate g, at most 'limit', and a factor f between -limit and limit give
// g * sigmoid(alpha * g) * (f + bias). They lie side by side, or one half after the other. 'group_index'
// counts rows; those after the last group are zeros.
#include <algorithm>
#include <cmath>
#include <optional>

#include "base/thread_pool.h"
#include "ops/data/rule_arguments.h"
#include "ops/experts/group_list.h"
#include "ops/input_checks.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

// x as [rows, 2 * half]: the dimensions before 'dim', and the others.
struct Rows {
  std::size_t count, half;
  Dims out;
};

Rows RowsOf(const OpContext& context) {
  const Dims& x = context.InDims(0);
  const std::size_t axis = AxisIn(context, context.node().Int("dim", -1), x.size(), "attribute 'dim'");
  if (x[axis] % 2 != 0) context.Refuse("x is {}; dimension {} must be even", ToString(x), axis);
  ElementCount(x);
  Rows rows{Product(x, 0, axis), Product(x, axis, x.size()) / 2, x};
  rows.out[axis] /= 2;
  return rows;
}

class ClippedSwigluKernel : public Kernel {
 public:
  explicit ClippedSwigluKernel(const OpContext& context)
      : rows_(RowsOf(context)),
        alpha_(context.node().Float("alpha", 1.702f)),
        limit_(context.node().Float("limit", 7.0f)),
        bias_(context.node().Float("bias", 1.0f)),
        pairs_(context.node().Bool("interleaved", true)) {
    if (const int port = OptionalPort(context, "group_index"); port >= 0)
      groups_.emplace(context, port, GroupListKind::kCounts, rows_.count);
  }

  void Run(const RunArgs& args) const override {
    const std::size_t used =
        groups_ ? groups_->ForEach(args, groups_->size(), [](const RowGroup&) {}) : rows_.count;
    std::fill_n(args.Out<float>(0) + used * rows_.half, (rows_.count - used) * rows_.half, 0.0f);
    ParallelFor(used, 1 + 4096 / (1 + rows_.half), [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row)
        RunRow(args.In<float>(0) + 2 * row * rows_.half, args.Out<float>(0) + row * rows_.half);
    });
  }

 private:
  void RunRow(const float* x, float* y) const {
    for (std::size_t i = 0; i < rows_.half; ++i) {
      const float gate = std::min(pairs_ ? x[2 * i] : x[i], limit_);
      const float factor = std::clamp(pairs_ ? x[2 * i + 1] : x[i + rows_.half], -limit_, limit_);
      y[i] = gate / (1.0f + std::exp(-alpha_ * gate)) * (factor + bias_);
    }
  }

  Rows rows_;
  float alpha_, limit_, bias_;
  bool pairs_;
  std::optional<GroupList> groups_;
};

const RegisterOp clipped_swiglu(
    OpDef("ClippedSwiglu")
        .Infer([](OpContext& context) {
          if (const float limit = context.node().Float("limit", 7.0f); !(limit >= 0))
            context.Refuse("attribute 'limit' is {}, expected no negative number", limit);
          context.SetOut(0, context.In(0).type, RowsOf(context).out, context.In(0).format);
        })
        .Lower([](OpContext& context) {
          CheckFloats(context, {"x"});
          return ThroughFloat(context, std::make_unique<ClippedSwigluKernel>(context));
        })
        .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16}));

}  // namespace
}  // namespace foothold
