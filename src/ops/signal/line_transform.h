// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Fourier transforms along one axis of a tensor, of real or complex numbers. Made while lowering.
#pragma once

#include <memory>

#include "kernels/fourier.h"
#include "ops/op.h"

namespace foothold {

// The tensor is [outer, line, inner]. Complex numbers are pairs in memory.
struct LineTransform {
  std::size_t outer = 1, inner = 1;
  std::size_t length = 1;  // of the transform
  std::size_t in = 1;      // numbers of a line that are given: more are cut off, missing ones are 0
  std::size_t out = 1;     // numbers of a line that are written
  bool inverse = false;    // divides by the length
  bool real_in = false, real_out = false;
  bool mirrored_in = false;  // the given numbers are the first half of a spectrum of real numbers

  std::size_t lines() const { return outer * inner; }
};

constexpr std::int64_t kLongestTransform = std::int64_t{1} << 30;

// The type of complex numbers with parts of a type, and back. Unsupported for other types.
DataType ComplexOf(const OpContext& context, DataType part);
DataType PartOf(const OpContext& context, DataType complex);

// From input 0 to output 0, whose parts are float or double as `part` says. One transform after the other;
// those after the first work on the output where it stands, and have as many numbers in as out.
std::unique_ptr<Kernel> MakeTransforms(DataType part, const std::vector<LineTransform>& transforms);

}  // namespace foothold
