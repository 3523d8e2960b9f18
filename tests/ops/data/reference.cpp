// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/data/reference.h"

namespace foothold {

TensorValue Counted(const Dims& dims, DataType type, Format format) {
  std::vector<double> values(static_cast<std::size_t>(ElementCount(dims)));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<double>(i % 101);
  return Tensor(type, dims, values, format);
}

TensorValue List(const Ints& values) {
  return TensorValue::Of<std::int64_t>(DataType::kInt64, {static_cast<std::int64_t>(values.size())},
                                       std::span<const std::int64_t>(values));
}

void ForIndices(const Dims& dims, const std::function<void(const Index&)>& visit) {
  Index index(dims.size(), 0);
  for (std::int64_t left = ElementCount(dims); left > 0; --left) {
    visit(index);
    for (std::size_t i = dims.size(); i-- > 0;) {
      if (++index[i] < dims[i]) break;
      index[i] = 0;
    }
  }
}

std::size_t Offset(const Dims& dims, const Index& index) {
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < dims.size(); ++i)
    offset = offset * dims[i] + index[i];
  return static_cast<std::size_t>(offset);
}

std::vector<double> Picked(const TensorValue& x, const Dims& dims,
                           const std::function<Index(const Index&)>& from) {
  const std::vector<double> numbers = Numbers(x);
  std::vector<double> picked;
  ForIndices(dims, [&](const Index& index) { picked.push_back(numbers.at(Offset(x.dims(), from(index)))); });
  return picked;
}

}  // namespace foothold
