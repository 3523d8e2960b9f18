// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What passes want to know of the nodes between floats and bytes, OnnxQuantizeLinear and
// OnnxDequantizeLinear. One thread at a time, like the graph.
#pragma once

#include <optional>
#include <vector>

#include "ir/graph.h"
#include "ops/quantized/integer_blocks.h"

namespace foothold {

// Bytes with one scale and zero point that are known.
struct Quantized {
  OutputRef bytes;
  DataType type = DataType::kUint8;
  float scale = 1;
  int zero = 0;

  // What the bytes can be, less the zero point.
  IntegerLimits Limits() const;
  // Its magnitude.
  std::int64_t Largest() const;
};

// What a dequantised value is made of. Nothing: it is not that, or not of this kind.
std::optional<Quantized> QuantizedOf(const OutputRef& value);
// What a node makes of floats.
std::optional<Quantized> QuantizationBy(Node& node);

// Constants, with a scale for all or one for each index of `axis`, which is then of that length; zero points
// are null where they are 0.
struct QuantizedConstant {
  OutputRef numbers, zeros;
  std::vector<float> scales;
};
std::optional<QuantizedConstant> QuantizedConstantOf(const OutputRef& value, std::size_t axis);
// The same for int8 and uint8 only.
std::optional<QuantizedConstant> QuantizedBytesOf(const OutputRef& value, std::size_t axis);

// Whether all are finite and positive.
bool AreUsable(const std::vector<float>& scales);

}  // namespace foothold
