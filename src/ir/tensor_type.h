// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What is known about a tensor before it has data: element type, layout, dimensions. Used by every part that
// works on graphs. Values; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/data_type.h"
#include "base/format.h"

namespace foothold {

// -1 is not known yet; the single dimension -2 says that not even their number is. No dimensions is a scalar.
using Dims = std::vector<std::int64_t>;

constexpr std::int64_t kUnknownDim = -1;
constexpr std::int64_t kUnknownRank = -2;

bool IsStatic(const Dims& dims) noexcept;
inline bool RankKnown(const Dims& dims) noexcept {
  return dims.size() != 1 || dims[0] != kUnknownRank;
}
// Two shapes that may be the same once all of both is known.
bool Compatible(const Dims& a, const Dims& b) noexcept;

// How many elements; 1 for a scalar. Throws kInvalidParam if a dimension is not known or the number does not
// fit.
std::int64_t ElementCount(const Dims& dims);

struct TensorType {
  DataType type = DataType::kFloat;
  Format format = Format::kNd;
  Dims dims;

  bool operator==(const TensorType&) const = default;
};

// Bytes of all elements, packed. Throws as ElementCount does, and for a type without a fixed size.
std::size_t ByteSize(const TensorType& type);

// "float[1,3,224,224]": as messages and the text form of graphs print it.
std::string ToString(const Dims& dims);
std::string ToString(const TensorType& type);

}  // namespace foothold
