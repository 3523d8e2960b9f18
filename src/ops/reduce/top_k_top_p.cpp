// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// ApplyTopKTopP: in each row of logits all but those of the k largest become -infinity, and of these the
// least probable whose probabilities have a sum of at most 1 - p. The largest one always stays.
#include <algorithm>
#include <cmath>
#include <optional>

#include "base/error.h"
#include "kernels/parallel_items.h"
#include "ops/data/index_reader.h"
#include "ops/input_checks.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

struct Rows {
  std::size_t count, width;
};

Rows RowsOf(const OpContext& context) {
  const Dims& logits = context.InDims(0);
  if (logits.size() != 2) context.Refuse("logits is {}, expected rows", ToString(context.In(0)));
  return {static_cast<std::size_t>(logits[0]), static_cast<std::size_t>(logits[1])};
}

class TopKTopPKernel : public Kernel {
 public:
  explicit TopKTopPKernel(const OpContext& context)
      : rows_(RowsOf(context)),
        p_(OptionalPort(context, "p")),
        slots_(SlotsFor(rows_.count, 32.0 * static_cast<double>(rows_.count * rows_.width))),
        name_(context.node().Description()) {
    if (const int port = OptionalPort(context, "k"); port >= 0) k_.emplace(context, port);
  }

  std::size_t WorkspaceBytes() const override { return slots_ * rows_.width * sizeof(std::int32_t); }

  void Run(const RunArgs& args) const override {
    auto* places = reinterpret_cast<std::int32_t*>(args.workspace);
    ForEachItem(rows_.count, slots_, [&](std::size_t slot, std::size_t row) {
      if (rows_.width > 0) RunRow(args, row, places + slot * rows_.width);
    });
  }

 private:
  void RunRow(const RunArgs& args, std::size_t row, std::int32_t* places) const {
    const float* x = args.In<float>(0) + row * rows_.width;
    float* y = args.Out<float>(0) + row * rows_.width;
    for (std::size_t i = 0; i < rows_.width; ++i)
      places[i] = static_cast<std::int32_t>(i);
    std::copy_n(x, rows_.width, y);
    const std::size_t left = k_ ? KeepLargest(y, KOf(args, row), places) : rows_.width;
    if (p_ >= 0) KeepProbable(y, 1.0f - args.In<float>(p_)[row], places, left);
  }

  std::size_t KOf(const RunArgs& args, std::size_t row) const {
    const std::int64_t k = k_->Raw(args, row);
    if (k < 1 || static_cast<std::size_t>(k) > rows_.width)
      Fail(kInvalidParam, "{}: k of row {} is {}, expected 1 to {}", name_, row, k, rows_.width);
    return static_cast<std::size_t>(k);
  }

  // A NaN counts as the largest number.
  static bool Less(float a, float b) { return b != b ? a == a : a < b; }

  // As many places as are left come first; those that equal the last of the k are among them.
  std::size_t KeepLargest(float* y, std::size_t k, std::int32_t* places) const {
    std::nth_element(places, places + (k - 1), places + rows_.width,
                     [&](std::int32_t a, std::int32_t b) { return Less(y[b], y[a]); });
    const float least = y[places[k - 1]];
    std::size_t left = 0;
    for (std::size_t i = 0; i < rows_.width; ++i) {
      if (y[i] < least)
        y[i] = -HUGE_VALF;
      else
        places[left++] = static_cast<std::int32_t>(i);
    }
    return left;
  }

  static void KeepProbable(float* y, float most, std::int32_t* places, std::size_t left) {
    std::sort(places, places + left, [&](std::int32_t a, std::int32_t b) {
      return Less(y[a], y[b]) || (!Less(y[b], y[a]) && a < b);
    });
    const double largest = y[places[left - 1]];
    double sum = 0, part = 0;
    for (std::size_t i = 0; i < left; ++i)
      sum += std::exp(y[places[i]] - largest);
    for (std::size_t i = 0; i + 1 < left; ++i) {
      part += std::exp(y[places[i]] - largest);
      if (part / sum <= most) y[places[i]] = -HUGE_VALF;
    }
  }

  Rows rows_;
  int p_;
  std::size_t slots_;
  std::optional<IndexReader> k_;
  std::string name_;
};

const RegisterOp top_k_top_p(OpDef("ApplyTopKTopP")
                                 .Infer([](OpContext& context) {
                                   CheckCount(context, "p", RowsOf(context).count, "row");
                                   CheckCount(context, "k", RowsOf(context).count, "row");
                                   context.SetOut(0, context.In(0));
                                 })
                                 .Lower([](OpContext& context) {
                                   CheckFloats(context, {"logits", "p"});
                                   return ThroughFloat(context, std::make_unique<TopKTopPKernel>(context));
                                 })
                                 .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16}));

}  // namespace
}  // namespace foothold
