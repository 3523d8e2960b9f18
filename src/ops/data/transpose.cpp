// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A change of the order of axes, given as such or as two layouts (TransData).
#include <optional>

#include "ops/data/reorder.h"
#include "ops/data/rule_arguments.h"
#include "ops/matrix/fractal_weights.h"
#include "ops/op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

AxisOrder CheckedOrder(const OpContext& context, const std::vector<std::int64_t>& axes) {
  const std::size_t rank = context.InDims(0).size();
  if (axes.size() != rank) context.Refuse("the order has {} axes, x has {}", axes.size(), rank);
  std::vector<bool> seen(rank, false);
  AxisOrder order;
  for (const std::int64_t axis : axes) {
    order.push_back(AxisIn(context, axis, rank, "an axis of the order"));
    if (seen[order.back()]) context.Refuse("the order names axis {} twice", axis);
    seen[order.back()] = true;
  }
  return order;
}

void SetReordered(OpContext& context, const AxisOrder& order, Format format) {
  Dims dims;
  for (const std::size_t axis : order)
    dims.push_back(context.InDims(0)[axis]);
  context.SetOut(0, context.In(0).type, std::move(dims), format);
}

AxisOrder PermOrder(const OpContext& context) {
  return CheckedOrder(context, IntsArgument(context, "perm"));
}

AxisOrder PermuteOrder(const OpContext& context) {
  return CheckedOrder(context, context.node().Ints("order", {0}));
}

OpDef Transposing(const char* type, AxisOrder (*order)(const OpContext&)) {
  return OpDef(type)
      .Infer([order](OpContext& context) { SetReordered(context, order(context), context.In(0).format); })
      .Lower([order](OpContext& context) {
        const AxisOrder axes = order(context);
        Ignore(context, {"perm"});
        return LowerReorder(context, context.InDims(0), axes);
      })
      .Selects("x", [order](const OpContext& context, int,
                            const StridedView& x) { return std::optional(Permuted(x, order(context))); })
      .Types(WholeByteTypes());
}

std::optional<Format> PlainFormat(std::string_view name) {
  if (name == "NCHW") return Format::kNchw;
  if (name == "NHWC") return Format::kNhwc;
  if (name == "HWCN") return Format::kHwcn;
  if (name == "NCDHW") return Format::kNcdhw;
  if (name == "NDHWC") return Format::kNdhwc;
  if (name == "ND") return Format::kNd;
  return std::nullopt;
}

AxisOrder LayoutOrder(const OpContext& context) {
  const std::string from = context.node().Text("src_format", "");
  const std::string to = context.node().Text("dst_format", "");
  const std::size_t rank = context.InDims(0).size();
  AxisOrder order;
  if (from == to && PlainFormat(to)) {
    for (std::size_t i = 0; i < rank; ++i)
      order.push_back(i);
    return order;
  }
  for (const char letter : to)
    if (const std::size_t at = from.find(letter); at != std::string::npos) order.push_back(at);
  const bool plain = PlainFormat(from) && PlainFormat(to) && from != "ND" && to != "ND";
  if (!plain || order.size() != from.size() || order.size() != to.size())
    context.Unsupported(
        "no kernel from layout '{}' to '{}'; NCHW, NHWC, HWCN, and NCDHW, NDHWC, and ND, FRACTAL_NZ would "
        "run",
        from, to);
  if (rank != order.size()) context.Refuse("x has {} dimensions, layout {} has {}", rank, from, from.size());
  return order;
}

void InferTransData(OpContext& context) {
  if (IsFractalChange(context)) return InferFractalChange(context);
  const AxisOrder order = LayoutOrder(context);
  SetReordered(context, order, *PlainFormat(context.node().Text("dst_format", "")));
}

std::optional<StridedView> SelectTransData(const OpContext& context, int, const StridedView& src) {
  if (IsFractalChange(context)) return std::nullopt;
  return Permuted(src, LayoutOrder(context));
}

std::unique_ptr<Kernel> LowerTransData(OpContext& context) {
  if (IsFractalChange(context)) return LowerFractalChange(context);
  return LowerReorder(context, context.InDims(0), LayoutOrder(context));
}

const RegisterOp transposes({
    Transposing("Transpose", PermOrder),
    Transposing("TransposeD", PermOrder),
    Transposing("Permute", PermuteOrder),
    OpDef("TransData")
        .Infer(InferTransData)
        .Lower(LowerTransData)
        .Selects("src", SelectTransData)
        .Types(WholeByteTypes()),
});

}  // namespace
}  // namespace foothold
