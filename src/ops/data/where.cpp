// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The places of elements that are not zero: as many as there are.
#include <vector>

#include "ops/data/rule_arguments.h"
#include "ops/element_types.h"
#include "ops/op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

std::vector<std::size_t> NonZeros(const OpContext& context, const TensorValue& x) {
  std::vector<std::size_t> places;
  VisitType(
      x.type().type,
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        const auto count = static_cast<std::size_t>(ElementCount(x.dims()));
        for (std::size_t i = 0; i < count; ++i)
          if (static_cast<Computed<T>>(x.As<T>()[i]) != Computed<T>(0)) places.push_back(i);
      },
      [&] { context.Unsupported("no kernel for {}; real numbers would run", DataTypeName(x.type().type)); });
  return places;
}

template <typename T>
void WriteCoordinates(const std::vector<std::size_t>& places, const Dims& dims, bool transpose, T* out) {
  const std::size_t rank = dims.size();
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::size_t rest = places[i];
    for (std::size_t axis = rank; axis-- > 0;) {
      const auto dim = static_cast<std::size_t>(dims[axis]);
      out[transpose ? axis * places.size() + i : i * rank + axis] = static_cast<T>(rest % dim);
      rest /= dim;
    }
  }
}

TensorValue Coordinates(const OpContext& context, DataType type, bool transpose) {
  const TensorValue& x = context.Needed(0);
  const std::vector<std::size_t> places = NonZeros(context, x);
  const auto found = static_cast<std::int64_t>(places.size());
  const auto rank = static_cast<std::int64_t>(x.dims().size());
  TensorValue y(TensorType{type, Format::kNd, transpose ? Dims{rank, found} : Dims{found, rank}});
  if (type == DataType::kInt64) {
    WriteCoordinates(places, x.dims(), transpose, y.MutableAs<std::int64_t>());
  } else {
    WriteCoordinates(places, x.dims(), transpose, y.MutableAs<std::int32_t>());
  }
  return y;
}

std::vector<TensorValue> EvaluateWhere(const OpContext& context) {
  return {Coordinates(context, DataType::kInt64, false)};
}

std::vector<TensorValue> EvaluateNonZero(const OpContext& context) {
  const DataType type = IndexTypeAttribute(context, "dtype", DataType::kInt64);
  return {Coordinates(context, type, context.node().Bool("transpose", false))};
}

const RegisterOp coordinates({
    OpDef("Where").Evaluate(EvaluateWhere).Types(NumberAndBoolTypes()),
    OpDef("NonZero").Evaluate(EvaluateNonZero).Types(NumberAndBoolTypes()),
});

}  // namespace
}  // namespace foothold
