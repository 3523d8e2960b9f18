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

AxisOrder CheckedOrder(const OpContext& context, const std::vector<std::int64_t>& axes, std::size_t rank) {
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

AxisOrder CheckedOrder(const OpContext& context, const std::vector<std::int64_t>& axes) {
  return CheckedOrder(context, axes, context.InDims(0).size());
}

Dims Reordered(const Dims& from, const AxisOrder& order) {
  Dims dims;
  for (const std::size_t axis : order)
    dims.push_back(from[axis]);
  return dims;
}

void SetReordered(OpContext& context, const AxisOrder& order, Format format) {
  context.SetOut(0, context.In(0).type, Reordered(context.InDims(0), order), format);
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

// A transpose and a reshape, in either order.
struct Confusion {
  Dims read_as;
  AxisOrder order;
  Dims out;
};

Confusion ConfusionOf(const OpContext& context) {
  const Dims& from = context.InDims(0);
  const Dims shape = RequiredInts(context, "shape");
  if (ElementCount(shape) != ElementCount(from))
    context.Refuse("attribute 'shape' is {}, which has not the elements of {}", ToString(shape),
                   ToString(from));
  const std::vector<std::int64_t> perm = RequiredInts(context, "perm");
  if (context.node().Bool("transpose_first", true)) return {from, CheckedOrder(context, perm), shape};
  const AxisOrder order = CheckedOrder(context, perm, shape.size());
  return {shape, order, Reordered(shape, order)};
}

void InferConfusion(OpContext& context) {
  context.SetOut(0, context.In(0).type, ConfusionOf(context).out, context.In(0).format);
}

std::unique_ptr<Kernel> LowerConfusion(OpContext& context) {
  const Confusion confusion = ConfusionOf(context);
  return LowerReorder(context, confusion.read_as, confusion.order);
}

const RegisterOp transposes({
    OpDef("ConfusionTransposeD").Infer(InferConfusion).Lower(LowerConfusion).Types(WholeByteTypes()),
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
