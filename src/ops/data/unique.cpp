// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "ops/data/rule_arguments.h"
#include "ops/element_types.h"
#include "ops/op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

// Different values in the order of their first appearance, and for each element the number of its value.
// NaNs differ from each other, as they do from everything.
template <typename T>
std::vector<std::size_t> FirstAppearances(const T* x, std::size_t count, std::vector<std::int64_t>& numbers) {
  std::unordered_map<Computed<T>, std::int64_t> known;
  std::vector<std::size_t> firsts;
  for (std::size_t i = 0; i < count; ++i) {
    const auto [found, fresh] =
        known.emplace(static_cast<Computed<T>>(x[i]), static_cast<std::int64_t>(firsts.size()));
    if (fresh) firsts.push_back(i);
    numbers.push_back(found->second);
  }
  return firsts;
}

TensorValue Taken(const TensorValue& x, const std::vector<std::size_t>& places) {
  const std::size_t size = BytesPerElement(x.type().type);
  TensorValue y(TensorType{x.type().type, Format::kNd, {static_cast<std::int64_t>(places.size())}});
  for (std::size_t i = 0; i < places.size(); ++i)
    std::memcpy(y.mutable_data() + i * size, x.data() + places[i] * size, size);
  return y;
}

TensorValue Whole(DataType type, const std::vector<std::int64_t>& numbers) {
  TensorValue value(TensorType{type, Format::kNd, {static_cast<std::int64_t>(numbers.size())}});
  if (type == DataType::kInt64) {
    std::copy(numbers.begin(), numbers.end(), value.MutableAs<std::int64_t>());
  } else {
    std::transform(numbers.begin(), numbers.end(), value.MutableAs<std::int32_t>(),
                   [](std::int64_t number) { return static_cast<std::int32_t>(number); });
  }
  return value;
}

std::vector<TensorValue> EvaluateUnique(const OpContext& context) {
  const TensorValue& x = context.Needed(0);
  if (x.dims().size() != 1) context.Refuse("x is {}, expected 1 dimension", ToString(x.type()));
  std::vector<std::int64_t> numbers;
  const auto firsts = VisitType(
      x.type().type,
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        return FirstAppearances(x.As<T>(), static_cast<std::size_t>(x.dims()[0]), numbers);
      },
      [&]() -> std::vector<std::size_t> {
        context.Unsupported("no kernel for {}; real numbers would run", DataTypeName(x.type().type));
      });
  std::vector<TensorValue> outputs;
  outputs.push_back(Taken(x, firsts));
  outputs.push_back(Whole(IndexTypeAttribute(context, "out_idx", DataType::kInt32), numbers));
  return outputs;
}

const RegisterOp unique(OpDef("Unique").Evaluate(EvaluateUnique).Types(NumberAndBoolTypes()));

}  // namespace
}  // namespace foothold
