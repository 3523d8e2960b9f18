// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "foothold/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/error.h"
#include "base/half.h"

namespace foothold::run {
namespace {

using Reader = std::function<double(const TensorValue&, std::int64_t)>;

template <typename T>
double Read(const TensorValue& value, std::int64_t i) {
  return static_cast<double>(value.As<T>()[i]);
}

template <typename T>
double ReadShort(const TensorValue& value, std::int64_t i) {
  return static_cast<double>(static_cast<float>(value.As<T>()[i]));
}

Reader ReaderOf(DataType type) {
  switch (type) {
    case DataType::kFloat:
      return Read<float>;
    case DataType::kDouble:
      return Read<double>;
    case DataType::kFloat16:
      return ReadShort<Half>;
    case DataType::kBfloat16:
      return ReadShort<Bfloat16>;
    case DataType::kBool:
    case DataType::kUint8:
      return Read<std::uint8_t>;
    case DataType::kInt8:
      return Read<std::int8_t>;
    case DataType::kInt16:
      return Read<std::int16_t>;
    case DataType::kUint16:
      return Read<std::uint16_t>;
    case DataType::kInt32:
      return Read<std::int32_t>;
    case DataType::kUint32:
      return Read<std::uint32_t>;
    case DataType::kInt64:
      return Read<std::int64_t>;
    case DataType::kUint64:
      return Read<std::uint64_t>;
    default:
      Fail(kInvalidParam, "elements of type {} cannot be compared", DataTypeName(type));
  }
}

bool Fits(double found, double expected, double tolerance) {
  if (std::isnan(found) || std::isnan(expected)) return std::isnan(found) && std::isnan(expected);
  if (std::isinf(found) || std::isinf(expected)) return found == expected;
  return std::fabs(found - expected) <= tolerance * (1 + std::fabs(expected));
}

// Two that are equal have no distance, also where there is no number to subtract.
double Distance(double found, double expected) {
  if (found == expected || (std::isnan(found) && std::isnan(expected))) return 0;
  const double distance = std::fabs(found - expected);
  return std::isnan(distance) ? INFINITY : distance;
}

class Sums {
 public:
  void Add(double found, double expected) {
    if (!std::isfinite(found) || !std::isfinite(expected)) return;
    product_ += found * expected;
    found_ += found * found;
    expected_ += expected * expected;
  }
  double Cosine() const {
    if (found_ == 0 || expected_ == 0) return found_ == expected_ ? 1 : 0;
    return product_ / (std::sqrt(found_) * std::sqrt(expected_));
  }

 private:
  double product_ = 0, found_ = 0, expected_ = 0;
};

}  // namespace

Comparison Compare(const TensorValue& found, const TensorValue& expected, double tolerance,
                   const std::string& name) {
  const bool as_bits = found.type().type == DataType::kBfloat16 && expected.type().type == DataType::kUint16;
  if ((!as_bits && found.type().type != expected.type().type) || found.dims() != expected.dims())
    Fail(kInvalidParam, "output '{}' is {}, and {} was expected", name, ToString(found.type()),
         ToString(expected.type()));
  const Reader read = ReaderOf(found.type().type);
  Comparison result;
  Sums sums;
  result.elements = ElementCount(found.dims());
  for (std::int64_t i = 0; i < result.elements; ++i) {
    const double have = read(found, i), want = read(expected, i);
    const double distance = Distance(have, want);
    sums.Add(have, want);
    result.largest_difference = std::max(result.largest_difference, distance);
    if (distance > 0) result.largest_relative = std::max(result.largest_relative, distance / std::fabs(want));
    if (Fits(have, want, tolerance)) continue;
    if (result.beyond++ == 0) result.first_beyond = i;
  }
  result.cosine = sums.Cosine();
  return result;
}

std::string Comparison::Text() const {
  std::string text = fmt::format("max abs {:.3e}  max rel {:.3e}  cosine {:.6f}  ", largest_difference,
                                 largest_relative, cosine);
  if (fits()) return text + "fits";
  return text +
         fmt::format("DIFFERS in {} of {} elements, first in element {}", beyond, elements, first_beyond);
}

}  // namespace foothold::run
