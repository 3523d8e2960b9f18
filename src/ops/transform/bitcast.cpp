// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The bytes of a tensor as elements of another type. Narrower elements stand in a new last dimension, wider
// ones take it away; with the undeclared attribute keep_dim it becomes longer or shorter instead.
#include "ops/data/rule_arguments.h"
#include "ops/op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

Dims Narrowed(const OpContext& context, Dims dims, std::int64_t ratio) {
  if (!context.node().Bool("keep_dim", false) || dims.empty()) {
    dims.push_back(ratio);
  } else {
    dims.back() = ElementCount({dims.back(), ratio});
  }
  return dims;
}

Dims Widened(const OpContext& context, Dims dims, std::int64_t ratio) {
  const bool keep = context.node().Bool("keep_dim", false);
  if (dims.empty() || dims.back() % ratio != 0 || (!keep && dims.back() != ratio))
    context.Refuse("x is {}; {} elements of it make one of the other type", ToString(context.In(0)), ratio);
  if (keep)
    dims.back() /= ratio;
  else
    dims.pop_back();
  return dims;
}

void InferBitcast(OpContext& context) {
  const TensorType& x = context.In(0);
  const DataType type = TypeAttribute(context, "type", DataType::kUndefined);
  if (type == DataType::kUndefined) context.Refuse("attribute 'type' is not set");
  const auto from = static_cast<std::int64_t>(ElementBytes(context, x.type));
  const auto to = static_cast<std::int64_t>(ElementBytes(context, type));
  Dims dims = from == to  ? x.dims
              : from > to ? Narrowed(context, x.dims, from / to)
                          : Widened(context, x.dims, to / from);
  context.SetOut(0, type, std::move(dims), from == to ? x.format : Format::kNd);
}

const RegisterOp bitcast(OpDef("Bitcast").Infer(InferBitcast).View().Types(WholeByteTypes()));

}  // namespace
}  // namespace foothold
