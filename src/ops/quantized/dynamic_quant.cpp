// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Rows to int8, each with the scale its own numbers ask for: DynamicQuant around zero, the V2 form with an
// offset. A row may be multiplied by 'smooth_scales' first; with 'group_index', which holds for each group
// where its rows end, every group has a row of these.
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/thread_pool.h"
#include "ops/data/rule_arguments.h"
#include "ops/quantized/quantized_row.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

void InferDynamicQuant(OpContext& context) {
  const TensorType& x = context.In(0);
  if (x.dims.empty()) context.Refuse("x is a scalar, expected rows");
  const DataType type = TypeAttribute(context, "dst_type", DataType::kInt8);
  if (type != DataType::kInt8) context.Unsupported("no kernel gives {}; int8 would run", DataTypeName(type));
  context.SetOut(0, type, x.dims, x.format);
  for (int port = 1; port < context.outputs(); ++port)
    context.SetOut(port, DataType::kFloat, Dims(x.dims.begin(), x.dims.end() - 1), Format::kNd);
}

struct Rows {
  std::size_t count = 0, width = 0;
  int smooth = -1, groups = -1;
  std::size_t group_count = 1;
  bool offset = false;
  std::string name;
};

class DynamicQuantKernel : public Kernel {
 public:
  explicit DynamicQuantKernel(Rows rows) : r_(std::move(rows)) {}

  void Run(const RunArgs& args) const override {
    ParallelFor(r_.count, 1 + 16384 / (r_.width + 1), [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row)
        RunRow(args, row);
    });
  }

 private:
  const float* SmoothOf(const RunArgs& args, std::size_t row) const {
    if (r_.smooth < 0) return nullptr;
    if (r_.groups < 0) return args.In<float>(r_.smooth);
    const auto* ends = args.In<std::int32_t>(r_.groups);
    const auto* end = std::find_if(ends, ends + r_.group_count,
                                   [&](std::int32_t one) { return static_cast<std::int64_t>(row) < one; });
    if (end == ends + r_.group_count) Fail(kInvalidParam, "{}: row {} is in no group", r_.name, row);
    return args.In<float>(r_.smooth) + static_cast<std::size_t>(end - ends) * r_.width;
  }

  struct Range {
    float scale, offset;
  };
  Range RangeOf(const float* x, const float* smooth) const {
    float low = HUGE_VALF, high = -HUGE_VALF;
    for (std::size_t i = 0; i < r_.width; ++i) {
      const float value = smooth == nullptr ? x[i] : x[i] * smooth[i];
      low = std::min(low, value), high = std::max(high, value);
    }
    if (r_.width == 0) low = high = 0;
    if (!r_.offset) return {std::max(std::abs(low), std::abs(high)) / 127.0f, 0};
    const float scale = (high - low) / 255.0f;
    return {scale, scale > 0 ? 127.0f - high / scale : 0};
  }

  void RunRow(const RunArgs& args, std::size_t row) const {
    const float* x = args.In<float>(0) + row * r_.width;
    const float* smooth = SmoothOf(args, row);
    const Range range = RangeOf(x, smooth);
    auto* y = args.Out<std::int8_t>(0) + row * r_.width;
    for (std::size_t i = 0; i < r_.width; ++i) {
      const float value = smooth == nullptr ? x[i] : x[i] * smooth[i];
      y[i] = range.scale > 0 ? ToInt8(value / range.scale + range.offset) : std::int8_t{0};
    }
    args.Out<float>(1)[row] = range.scale;
    if (r_.offset) args.Out<float>(2)[row] = range.offset;
  }

  Rows r_;
};

Rows RowsOf(const OpContext& context) {
  const Dims& x = context.InDims(0);
  Rows rows;
  rows.count = Product(x, 0, x.size() - 1), rows.width = static_cast<std::size_t>(x.back());
  rows.offset = context.outputs() > 2;
  rows.name = context.node().Description();
  rows.smooth = context.Has("smooth_scales") ? context.Port("smooth_scales") : -1;
  rows.groups = context.Has("group_index") ? context.Port("group_index") : -1;
  if (rows.smooth < 0) return rows;
  if (rows.groups >= 0)
    rows.group_count = static_cast<std::size_t>(ElementCount(context.InDims(rows.groups)));
  if (rows.groups >= 0 && context.In(rows.groups).type != DataType::kInt32)
    context.Refuse("'group_index' is {}, expected int32", ToString(context.In(rows.groups)));
  if (static_cast<std::size_t>(ElementCount(context.InDims(rows.smooth))) != rows.group_count * rows.width)
    context.Refuse("'smooth_scales' is {}, expected {} for each of {} groups",
                   ToString(context.In(rows.smooth)), rows.width, rows.group_count);
  return rows;
}

std::unique_ptr<Kernel> LowerDynamicQuant(OpContext& context) {
  Rows rows = RowsOf(context);
  for (const int port : {0, rows.smooth})
    if (port >= 0 && !ComputesInFloat(context.In(port).type))
      context.Unsupported("no kernel for {}; float, float16 and bfloat16 have one",
                          DataTypeName(context.In(port).type));
  return ThroughFloat(context, std::make_unique<DynamicQuantKernel>(std::move(rows)));
}

OpDef Def(const char* type) {
  return OpDef(type)
      .Infer(InferDynamicQuant)
      .Lower(LowerDynamicQuant)
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16});
}

const RegisterOp dynamic_quant({Def("DynamicQuant"), Def("DynamicQuantV2")});

}  // namespace
}  // namespace foothold
