// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// DynamicPartition deals the slices of a tensor to several outputs; DynamicStitch puts slices of several
// tensors together by index. The data decide how many there are.
#include <algorithm>
#include <cstring>

#include "ops/data/rule_arguments.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

// What a tensor has in each of the slices its first dimensions name, as `leading` says.
Dims SliceDims(const OpContext& context, const TensorValue& x, const Dims& leading, const char* what) {
  const auto rank = static_cast<std::ptrdiff_t>(leading.size());
  if (x.dims().size() < leading.size() || !std::equal(leading.begin(), leading.end(), x.dims().begin()))
    context.Refuse("{} is {}, but x is {}; its first dimensions must be the same", what, ToString(leading),
                   ToString(x.type()));
  return Dims(x.dims().begin() + rank, x.dims().end());
}

TensorValue Collected(const TensorType& type, std::int64_t slices, const Dims& slice) {
  Dims dims{slices};
  dims.insert(dims.end(), slice.begin(), slice.end());
  TensorValue value(TensorType{type.type, Format::kNd, dims});
  std::fill_n(value.mutable_data(), value.size(), std::byte{0});
  return value;
}

std::vector<TensorValue> EvaluatePartition(const OpContext& context) {
  const TensorValue& x = context.Needed("x");
  const TensorValue& partitions = context.Needed("partitions");
  const Dims slice = SliceDims(context, x, partitions.dims(), "partitions");
  const std::size_t bytes =
      ElementBytes(context, x.type().type) * static_cast<std::size_t>(ElementCount(slice));
  std::vector<std::vector<std::size_t>> parts(static_cast<std::size_t>(context.outputs()));
  const std::vector<std::int64_t> chosen = Integers(partitions);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (chosen[i] < 0 || static_cast<std::size_t>(chosen[i]) >= parts.size())
      context.Refuse("partitions has {}, expected 0 to {}", chosen[i], parts.size() - 1);
    parts[static_cast<std::size_t>(chosen[i])].push_back(i);
  }
  std::vector<TensorValue> outputs;
  for (const auto& part : parts) {
    TensorValue y = Collected(x.type(), static_cast<std::int64_t>(part.size()), slice);
    for (std::size_t i = 0; i < part.size() && bytes > 0; ++i)
      std::memcpy(y.mutable_data() + i * bytes, x.data() + part[i] * bytes, bytes);
    outputs.push_back(std::move(y));
  }
  return outputs;
}

std::int64_t RowsOf(const OpContext& context, const std::vector<int>& indices) {
  std::int64_t rows = 0;
  for (const int port : indices)
    for (const std::int64_t index : Integers(context.Needed(port))) {
      if (index < 0 || index >= INT32_MAX) context.Refuse("indices have {}, expected 0 or more", index);
      rows = std::max(rows, index + 1);
    }
  return rows;
}

// Where an index comes several times the last one counts; rows nobody names are zero.
std::vector<TensorValue> EvaluateStitch(const OpContext& context) {
  const std::vector<int> indices = DataPorts(context, "indices"), data = DataPorts(context, "x");
  if (indices.size() != data.size())
    context.Refuse("there are {} indices for {} tensors", indices.size(), data.size());
  const TensorValue& first = context.Needed(data[0]);
  const Dims slice = SliceDims(context, first, context.InDims(indices[0]), "indices");
  const std::size_t bytes =
      ElementBytes(context, first.type().type) * static_cast<std::size_t>(ElementCount(slice));
  TensorValue y = Collected(first.type(), RowsOf(context, indices), slice);
  for (std::size_t k = 0; k < data.size(); ++k) {
    const TensorValue& x = context.Needed(data[k]);
    if (SliceDims(context, x, context.InDims(indices[k]), "indices") != slice ||
        x.type().type != first.type().type)
      context.Refuse("x{} is {}; its slices must be like those of x0, {}", k, ToString(x.type()),
                     ToString(first.type()));
    const std::vector<std::int64_t> places = Integers(context.Needed(indices[k]));
    for (std::size_t i = 0; i < places.size() && bytes > 0; ++i)
      std::memcpy(y.mutable_data() + static_cast<std::size_t>(places[i]) * bytes, x.data() + i * bytes,
                  bytes);
  }
  return {std::move(y)};
}

const RegisterOp dynamic_partition(
    {OpDef("DynamicPartition").Evaluate(EvaluatePartition).Types(WholeByteTypes()),
     OpDef("DynamicStitch").Evaluate(EvaluateStitch).Types({DataType::kInt32, DataType::kInt64})});

}  // namespace
}  // namespace foothold
