// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The k largest or smallest elements along an axis, in order; of equals the one that comes first. A NaN
// counts as the largest number.
#include "ops/data/rule_arguments.h"
#include "ops/op.h"
#include "ops/reduce/ordered_lines.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

std::size_t AxisOf(const OpContext& context) {
  return AxisIn(context, context.node().Int("dim", -1), context.InDims(0).size(), "attribute 'dim'");
}

std::int64_t CheckedK(const OpContext& context) {
  const std::int64_t k = IntArgument(context, "k");
  const std::int64_t length = context.InDims(0)[AxisOf(context)];
  if (k < 0 || k > length || length > INT32_MAX)
    context.Refuse("k is {}, expected 0 to the {} elements of the axis, below 2^31", k, length);
  return k;
}

void InferTopK(OpContext& context) {
  Dims dims = context.InDims(0);
  dims[AxisOf(context)] = CheckedK(context);
  context.SetOut(0, context.In(0).type, dims, context.In(0).format);
  context.SetOut(1, DataType::kInt32, dims, context.In(0).format);
}

std::unique_ptr<Kernel> LowerTopK(OpContext& context) {
  const Dims& x = context.InDims(0);
  const std::size_t axis = AxisOf(context);
  LineOrder order{Product(x, 0, axis), static_cast<std::size_t>(x[axis]), Product(x, axis + 1, x.size())};
  order.count = static_cast<std::size_t>(CheckedK(context));
  order.descending = context.node().Bool("largest", true);
  Ignore(context, {"k", "assist_seq"});
  if (auto kernel = OrderLines(context.In(0).type, order)) return kernel;
  context.Unsupported("no kernel for {}; real numbers would run", DataTypeName(context.In(0).type));
}

OpDef TopK(const char* type) {
  return OpDef(type).Infer(InferTopK).Lower(LowerTopK).Types(NumberAndBoolTypes());
}

const RegisterOp top_k({TopK("TopK"), TopK("TopKV2"), TopK("TopKD"), TopK("TopKV2D")});

}  // namespace
}  // namespace foothold
