// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Matrices of weights of 4 or 8 bits as programs give them: (weight + offset) * scale, where groups along the
// depth of a column share a scale and an offset. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "kernels/half_convert.h"
#include "kernels/panel_product.h"
#include "kernels/quantized_dot.h"

namespace foothold {

// How the scales lie: one number for all weights, or matrices of groups and columns.
enum class ScaleOrder : std::uint8_t { kOne, kGroupsByColumns, kColumnsByGroups };

struct QuantizedForm {
  std::size_t depth = 0, columns = 0;
  WeightBits bits = WeightBits::kEight;
  // A column lies one weight after the other, else a row does. Two weights of 4 bits share a byte, the first
  // in its low half, two's complement.
  bool by_column = true;
  std::size_t group = 1;  // elements of the depth that share a scale
  ScaleOrder order = ScaleOrder::kOne;
  std::optional<HalfKind> scale_type;  // of scales and offsets; nothing: float

  std::size_t Groups() const { return (depth + group - 1) / group; }
};

// Where they are in one run. No offsets: null.
struct QuantizedWeights {
  const std::byte* weights = nullptr;
  const std::byte* scales = nullptr;
  const std::byte* offsets = nullptr;
};

// Bytes of scratch memory for the functions below, for `columns` columns at a time.
std::size_t ScaleScratchFloats(const QuantizedForm& form, std::size_t columns);
// Scales or offsets of some columns for each group, `width` floats from one group to the next.
void ReadGroups(const QuantizedForm& form, const std::byte* values, std::size_t column, std::size_t columns,
                std::size_t width, float* scratch, float* to);
// The same for each column, one group after the other.
void ReadColumns(const QuantizedForm& form, const std::byte* values, std::size_t column, std::size_t columns,
                 float* scratch, float* to);

// (weight + offset) * scale for a panel, in float.
void WidenPanel(const QuantizedForm& form, const QuantizedWeights& from, const PanelPlace& place, float* to);

// Floats from, and to, `half` or floats themselves.
void ReadFloats(std::optional<HalfKind> half, const std::byte* from, std::size_t begin, std::size_t count,
                float* to);
void WriteFloats(std::optional<HalfKind> half, const float* from, std::size_t count, std::byte* to,
                 std::size_t begin);

}  // namespace foothold
