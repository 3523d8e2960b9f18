// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/quantized_weights.h"

#include <algorithm>
#include <cstring>

#include "kernels/half_float.h"
#include "kernels/transpose_tile.h"

namespace foothold {
namespace {

void TransposeFloats(const float* from, std::size_t from_width, std::size_t rows, std::size_t columns,
                     float* to, std::size_t to_width) {
  TransposeTile(reinterpret_cast<const std::byte*>(from),
                static_cast<std::ptrdiff_t>(from_width * sizeof(float)), reinterpret_cast<std::byte*>(to),
                static_cast<std::ptrdiff_t>(to_width * sizeof(float)), columns, rows, sizeof(float));
}

float OneFloat(std::optional<HalfKind> half, const std::byte* values, std::size_t index) {
  float value;
  ReadFloats(half, values, index, 1, &value);
  return value;
}

int WeightAt(const QuantizedForm& form, const std::byte* weights, std::size_t index) {
  if (form.bits == WeightBits::kEight) return static_cast<std::int8_t>(weights[index]);
  const int byte = std::to_integer<int>(weights[index / 2]);
  const int number = index % 2 == 0 ? byte & 15 : byte >> 4;
  return number >= 8 ? number - 16 : number;
}

// The index of a group's scale.
std::size_t ScaleIndex(const QuantizedForm& form, std::size_t group, std::size_t column) {
  if (form.order == ScaleOrder::kOne) return 0;
  return form.order == ScaleOrder::kColumnsByGroups ? column * form.Groups() + group
                                                    : group * form.columns + column;
}

// Part of one column that shares a scale; in the panel, elements are `width` apart.
void WidenRun(const QuantizedForm& form, const QuantizedWeights& from, std::size_t column, std::size_t begin,
              std::size_t count, std::size_t width, float* to) {
  const std::size_t index = ScaleIndex(form, begin / form.group, column);
  const float scale = OneFloat(form.scale_type, from.scales, index);
  const float offset = from.offsets == nullptr ? 0.0f : OneFloat(form.scale_type, from.offsets, index);
  const std::size_t step = form.by_column ? 1 : form.columns;
  std::size_t at = form.by_column ? column * form.depth + begin : begin * form.columns + column;
  for (std::size_t k = 0; k < count; ++k, at += step)
    to[k * width] = (static_cast<float>(WeightAt(form, from.weights, at)) + offset) * scale;
}

}  // namespace

void ReadFloats(std::optional<HalfKind> half, const std::byte* from, std::size_t begin, std::size_t count,
                float* to) {
  if (half)
    FloatsFromHalves(*half, reinterpret_cast<const std::uint16_t*>(from) + begin, to, count);
  else
    std::memcpy(to, from + begin * sizeof(float), count * sizeof(float));
}

void WriteFloats(std::optional<HalfKind> half, const float* from, std::size_t count, std::byte* to,
                 std::size_t begin) {
  if (half)
    HalvesFromFloats(*half, from, reinterpret_cast<std::uint16_t*>(to) + begin, count);
  else
    std::memcpy(to + begin * sizeof(float), from, count * sizeof(float));
}

std::size_t ScaleScratchFloats(const QuantizedForm& form, std::size_t columns) {
  return RoundUp(form.Groups() * columns, 16);
}

void ReadGroups(const QuantizedForm& form, const std::byte* values, std::size_t column, std::size_t columns,
                std::size_t width, float* scratch, float* to) {
  const std::size_t groups = form.Groups();
  if (form.order == ScaleOrder::kOne) {
    std::fill_n(to, groups * width, OneFloat(form.scale_type, values, 0));
    return;
  }
  if (columns < width) std::fill_n(to, groups * width, 0.0f);
  if (form.order == ScaleOrder::kColumnsByGroups) {
    ReadFloats(form.scale_type, values, column * groups, columns * groups, scratch);
    return TransposeFloats(scratch, groups, columns, groups, to, width);
  }
  for (std::size_t g = 0; g < groups; ++g)
    ReadFloats(form.scale_type, values, g * form.columns + column, columns, to + g * width);
}

void ReadColumns(const QuantizedForm& form, const std::byte* values, std::size_t column, std::size_t columns,
                 float* scratch, float* to) {
  const std::size_t groups = form.Groups();
  if (form.order == ScaleOrder::kColumnsByGroups)
    return ReadFloats(form.scale_type, values, column * groups, columns * groups, to);
  ReadGroups(form, values, column, columns, columns, nullptr, scratch);
  TransposeFloats(scratch, columns, groups, columns, to, groups);
}

void WidenPanel(const QuantizedForm& form, const QuantizedWeights& from, const PanelPlace& place, float* to) {
  const std::size_t width = TileOfGemm().columns;
  for (std::size_t j = 0; j < place.columns; ++j)
    for (std::size_t k = 0, count; k < place.depth; k += count) {
      const std::size_t begin = place.begin + k;
      count = std::min(place.depth - k, form.group - begin % form.group);
      WidenRun(form, from, place.column + j, begin, count, width, to + k * width + j);
    }
}

}  // namespace foothold
