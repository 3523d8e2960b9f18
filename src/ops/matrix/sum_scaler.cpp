// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/matrix/sum_scaler.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/half.h"
#include "base/thread_pool.h"
#include "kernels/half_convert.h"
#include "kernels/workspace_parts.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

bool HoldsFloat(DataType type) {
  return type == DataType::kUint64 || type == DataType::kInt64;
}

float OneFloat(DataType type, const std::byte* data, std::size_t index) {
  float value = 0;
  if (type == DataType::kFloat16) return static_cast<float>(reinterpret_cast<const Half*>(data)[index]);
  if (type == DataType::kBfloat16) return static_cast<float>(reinterpret_cast<const Bfloat16*>(data)[index]);
  const std::size_t bytes = HoldsFloat(type) ? sizeof(std::uint64_t) : sizeof(float);
  std::memcpy(&value, data + index * bytes, sizeof(value));
  return value;
}

std::int8_t Rounded(float value) {
  if (std::isnan(value)) return 0;
  return static_cast<std::int8_t>(std::clamp(std::nearbyint(value), -128.0f, 127.0f));
}

void StoreAs(DataType type, const float* from, std::size_t count, std::byte* to) {
  if (type == DataType::kInt8)
    std::transform(from, from + count, reinterpret_cast<std::int8_t*>(to), Rounded);
  else if (type == DataType::kFloat)
    std::memcpy(to, from, count * sizeof(float));
  else
    HalvesFromFloats(type == DataType::kFloat16 ? HalfKind::kFloat16 : HalfKind::kBfloat16, from,
                     reinterpret_cast<std::uint16_t*>(to), count);
}

}  // namespace

// The inputs of a run as floats.
struct SumScaler::Values {
  Values(const SumScaler& of, WorkspaceParts& parts)
      : scale(parts.Take<float>(of.columns_)),
        added(parts.Take<float>(of.columns_)),
        row_scale(parts.Take<float>(of.row_scale_.count)) {}
  float *scale, *added, *row_scale;
};

SumScaler::SumScaler(const OpContext& context, const ScalePorts& ports, std::size_t rows,
                     std::size_t matrix_rows, std::size_t columns)
    : rows_(rows),
      columns_(columns),
      scale_(FactorOf(context, ports.scale, columns)),
      row_scale_(FactorOf(context, ports.row_scale,
                          ports.row_scale >= 0 && ElementCount(context.InDims(ports.row_scale)) ==
                                                      static_cast<std::int64_t>(rows)
                              ? rows
                              : matrix_rows)),
      bias_(FactorOf(context, ports.bias, columns)),
      offset_(FactorOf(context, ports.offset, columns)),
      out_(context.Out(0).type) {}

SumScaler::Factor SumScaler::FactorOf(const OpContext& context, int port, std::size_t each) const {
  if (port < 0) return {};
  const TensorType& type = context.In(port);
  const std::string& name = context.node().inputs()[static_cast<std::size_t>(port)].name;
  if (!ComputesInFloat(type.type) && !HoldsFloat(type.type))
    context.Refuse("'{}' is {}, expected float16, bfloat16, float, or uint64 with a float in it", name,
                   ToString(type));
  const auto count = static_cast<std::size_t>(ElementCount(type.dims));
  if (count != 1 && count != each)
    context.Refuse("'{}' is {}, expected one number or {}", name, ToString(type), each);
  return {port, type.type, count};
}

void SumScaler::Factor::Read(const RunArgs& args, std::size_t wanted, float* to) const {
  for (std::size_t i = 0; i < wanted; ++i)
    to[i] = OneFloat(type, args.inputs[port], count == 1 ? 0 : i);
}

std::size_t SumScaler::WorkspaceBytes() const {
  WorkspaceParts parts(nullptr);
  Values(*this, parts);
  return parts.bytes();
}

void SumScaler::Run(const RunArgs& args, const std::int32_t* sums, std::byte* workspace) const {
  WorkspaceParts parts(workspace);
  const Values values(*this, parts);
  std::fill_n(values.scale, columns_, 1.0f);
  std::fill_n(values.added, columns_, 0.0f);
  if (scale_.port >= 0) scale_.Read(args, columns_, values.scale);
  if (row_scale_.port >= 0) row_scale_.Read(args, row_scale_.count, values.row_scale);
  for (const Factor* added : {&bias_, &offset_})
    for (std::size_t j = 0; added->port >= 0 && j < columns_; ++j)
      values.added[j] += OneFloat(added->type, args.inputs[added->port], added->count == 1 ? 0 : j);
  const std::size_t bytes = BytesPerElement(out_) * columns_;
  ParallelFor(rows_, 1 + 65536 / (1 + columns_), [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row)
      WriteRow(values, row, sums + row * columns_, args.outputs[0] + row * bytes);
  });
}

void SumScaler::WriteRow(const Values& values, std::size_t row, const std::int32_t* sums,
                         std::byte* out) const {
  constexpr std::size_t kPiece = 256;
  float piece[kPiece];
  const float factor = row_scale_.port < 0 ? 1.0f : values.row_scale[row % row_scale_.count];
  for (std::size_t begin = 0; begin < columns_; begin += kPiece) {
    const std::size_t count = std::min(kPiece, columns_ - begin);
    for (std::size_t i = 0; i < count; ++i)
      piece[i] =
          static_cast<float>(sums[begin + i]) * values.scale[begin + i] * factor + values.added[begin + i];
    StoreAs(out_, piece, count, out + begin * BytesPerElement(out_));
  }
}

}  // namespace foothold
