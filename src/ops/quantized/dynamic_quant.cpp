// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Rows to int8, each with the scale its own numbers ask for, or all with one ("pertensor"): DynamicQuant
// around zero, the V2 form with an offset. A row may be multiplied by 'smooth_scales' first; with
// 'group_index', which holds for each group where its rows end, every group has a row of these.
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/thread_pool.h"
#include "ops/data/rule_arguments.h"
#include "ops/quantized/quantized_row.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

bool IsOneScale(const OpContext& context) {
  const std::string mode = context.node().Text("quant_mode", "pertoken");
  if (mode == "pertensor") return true;
  if (mode != "pertoken")
    context.Unsupported("no kernel for quant_mode '{}'; pertoken and pertensor have one", mode);
  return false;
}

void InferDynamicQuant(OpContext& context) {
  const TensorType& x = context.In(0);
  if (x.dims.empty()) context.Refuse("x is a scalar, expected rows");
  const DataType type = TypeAttribute(context, "dst_type", DataType::kInt8);
  if (type != DataType::kInt8) context.Unsupported("no kernel gives {}; int8 would run", DataTypeName(type));
  context.SetOut(0, type, x.dims, x.format);
  for (int port = 1; port < context.outputs(); ++port)
    context.SetOut(port, DataType::kFloat,
                   IsOneScale(context) ? Dims{1} : Dims(x.dims.begin(), x.dims.end() - 1), Format::kNd);
}

struct Rows {
  std::size_t count = 0, width = 0;
  int smooth = -1, groups = -1;
  std::size_t group_count = 1;
  bool offset = false, one_scale = false;
  std::string name;
};

class DynamicQuantKernel : public Kernel {
 public:
  explicit DynamicQuantKernel(Rows rows) : r_(std::move(rows)) {}

  void Run(const RunArgs& args) const override {
    const Range all = r_.one_scale ? RangeOfAll(args) : Range{};
    if (r_.one_scale) Store(args, 0, all);
    ParallelFor(r_.count, 1 + 16384 / (r_.width + 1), [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row) {
        const Range range = r_.one_scale ? all : RangeBetween(ExtremesOf(args, row));
        if (!r_.one_scale) Store(args, row, range);
        Quantize(args, row, range);
      }
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

  struct Extremes {
    float low = HUGE_VALF, high = -HUGE_VALF;
  };
  Extremes ExtremesOf(const RunArgs& args, std::size_t row) const {
    const float* x = args.In<float>(0) + row * r_.width;
    const float* smooth = SmoothOf(args, row);
    Extremes found;
    for (std::size_t i = 0; i < r_.width; ++i) {
      const float value = smooth == nullptr ? x[i] : x[i] * smooth[i];
      found.low = std::min(found.low, value), found.high = std::max(found.high, value);
    }
    return found;
  }

  struct Range {
    float scale = 0, offset = 0;
  };
  Range RangeBetween(const Extremes& extremes) const {
    if (extremes.low > extremes.high) return {};
    if (!r_.offset) return {std::max(std::abs(extremes.low), std::abs(extremes.high)) / 127.0f, 0};
    const float scale = (extremes.high - extremes.low) / 255.0f;
    return {scale, scale > 0 ? 127.0f - extremes.high / scale : 0};
  }
  Range RangeOfAll(const RunArgs& args) const {
    Extremes all;
    for (std::size_t row = 0; row < r_.count; ++row) {
      const Extremes one = ExtremesOf(args, row);
      all.low = std::min(all.low, one.low), all.high = std::max(all.high, one.high);
    }
    return RangeBetween(all);
  }

  void Store(const RunArgs& args, std::size_t at, const Range& range) const {
    args.Out<float>(1)[at] = range.scale;
    if (r_.offset) args.Out<float>(2)[at] = range.offset;
  }

  void Quantize(const RunArgs& args, std::size_t row, const Range& range) const {
    const float* x = args.In<float>(0) + row * r_.width;
    const float* smooth = SmoothOf(args, row);
    auto* y = args.Out<std::int8_t>(0) + row * r_.width;
    for (std::size_t i = 0; i < r_.width; ++i) {
      const float value = smooth == nullptr ? x[i] : x[i] * smooth[i];
      y[i] = range.scale > 0 ? ToInt8(value / range.scale + range.offset) : std::int8_t{0};
    }
  }

  Rows r_;
};

Rows RowsOf(const OpContext& context) {
  const Dims& x = context.InDims(0);
  Rows rows;
  rows.count = Product(x, 0, x.size() - 1), rows.width = static_cast<std::size_t>(x.back());
  rows.offset = context.outputs() > 2, rows.one_scale = IsOneScale(context);
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
