// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <cstring>

#include "ops/data/broadcast_copy.h"
#include "ops/data/rule_arguments.h"
#include "ops/op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

void CheckMask(const OpContext& context) {
  if (BitsPerElement(context.In("mask").type) != 8)
    context.Refuse("mask is {}, expected bool", ToString(context.In("mask")));
}

std::vector<TensorValue> EvaluateMaskedSelect(const OpContext& context) {
  CheckMask(context);
  const TensorValue& x = context.Needed("x");
  const TensorValue& mask = context.Needed("mask");
  const std::size_t size = ElementBytes(context, x.type().type);
  const Dims whole = BroadcastDims(context, x.dims(), mask.dims());
  TensorValue values(TensorType{x.type().type, Format::kNd, whole});
  TensorValue flags(TensorType{DataType::kBool, Format::kNd, whole});
  RepeatingCopy(x.dims(), whole, size).Run(x.data(), values.mutable_data());
  RepeatingCopy(mask.dims(), whole, 1).Run(mask.data(), flags.mutable_data());
  std::size_t taken = 0;
  for (std::size_t i = 0; i < flags.size(); ++i)
    if (flags.data()[i] != std::byte{0})
      std::memmove(values.mutable_data() + taken++ * size, values.data() + i * size, size);
  TensorValue y(TensorType{x.type().type, Format::kNd, {static_cast<std::int64_t>(taken)}});
  if (taken > 0) std::memcpy(y.mutable_data(), values.data(), taken * size);
  return {std::move(y)};
}

const RegisterOp masked_select(OpDef("MaskedSelect").Evaluate(EvaluateMaskedSelect).Types(WholeByteTypes()));

}  // namespace
}  // namespace foothold
