// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Elements along an axis in order, with the places they came from; equals keep their order, and a NaN counts
// as the largest number.
#include "ops/data/rule_arguments.h"
#include "ops/op.h"
#include "ops/reduce/ordered_lines.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

std::size_t AxisOf(const OpContext& context) {
  return AxisIn(context, context.node().Int("axis", -1), context.InDims(0).size(), "attribute 'axis'");
}

void InferSort(OpContext& context) {
  const TensorType& x = context.In(0);
  if (!x.dims.empty() && x.dims[AxisOf(context)] > INT32_MAX)
    context.Refuse("x is {}; the axis must have less than 2^31 elements", ToString(x));
  context.SetOut(0, x);
  if (context.outputs() > 1) context.SetOut(1, DataType::kInt32, x.dims, x.format);
}

std::unique_ptr<Kernel> LowerSort(OpContext& context) {
  const Dims& x = context.InDims(0);
  LineOrder order;
  order.descending = context.node().Bool("descending", false);
  order.places = context.outputs() > 1;
  if (!x.empty()) {
    const std::size_t axis = AxisOf(context);
    order.outer = Product(x, 0, axis);
    order.count = order.length = static_cast<std::size_t>(x[axis]);
    order.inner = Product(x, axis + 1, x.size());
  }
  if (auto kernel = OrderLines(context.In(0).type, order)) return kernel;
  context.Unsupported("no kernel for {}; real numbers would run", DataTypeName(context.In(0).type));
}

const RegisterOp sorts({OpDef("Sort").Infer(InferSort).Lower(LowerSort).Types(NumberAndBoolTypes()),
                        OpDef("SortV2").Infer(InferSort).Lower(LowerSort).Types(NumberAndBoolTypes())});

}  // namespace
}  // namespace foothold
