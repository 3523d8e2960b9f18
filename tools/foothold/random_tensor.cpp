// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "foothold/random_tensor.h"

#include <cmath>
#include <random>

#include "base/error.h"
#include "base/half.h"

namespace foothold::run {
namespace {

constexpr ValueRange kUsualFloats = {-1, 1};
constexpr ValueRange kUsualIntegers = {0, 1};

// The distributions of the standard library differ between implementations, its generators do not.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : engine_(seed) {}

  double Float(const ValueRange& range) {
    const double part = static_cast<double>(engine_() >> 11) * 0x1p-53;
    return range.least + part * (range.most - range.least);
  }
  double Integer(const ValueRange& range) {
    const double count = std::floor(range.most) - std::ceil(range.least) + 1;
    return std::ceil(range.least) + std::floor(Float({0, 1}) * count);
  }

 private:
  std::mt19937_64 engine_;
};

template <typename T>
void FillFloats(TensorValue& value, const ValueRange& range, Generator& generator) {
  for (std::size_t i = 0; i < value.size() / sizeof(T); ++i)
    value.MutableAs<T>()[i] = T(static_cast<float>(generator.Float(range)));
}

template <typename T>
void FillIntegers(TensorValue& value, const ValueRange& range, Generator& generator) {
  for (std::size_t i = 0; i < value.size() / sizeof(T); ++i)
    value.MutableAs<T>()[i] = static_cast<T>(generator.Integer(range));
}

}  // namespace

TensorValue RandomTensor(const TensorType& type, const std::optional<ValueRange>& range, std::uint64_t seed) {
  TensorValue value(type);
  Generator generator(seed);
  const ValueRange floats = range.value_or(kUsualFloats), integers = range.value_or(kUsualIntegers);
  switch (type.type) {
    case DataType::kFloat:
    case DataType::kComplex64:
      FillFloats<float>(value, floats, generator);
      break;
    case DataType::kDouble:
    case DataType::kComplex128:
      FillFloats<double>(value, floats, generator);
      break;
    case DataType::kFloat16:
      FillFloats<Half>(value, floats, generator);
      break;
    case DataType::kBfloat16:
      FillFloats<Bfloat16>(value, floats, generator);
      break;
    case DataType::kBool:
      FillIntegers<std::uint8_t>(value, kUsualIntegers, generator);
      break;
    case DataType::kInt8:
      FillIntegers<std::int8_t>(value, integers, generator);
      break;
    case DataType::kUint8:
      FillIntegers<std::uint8_t>(value, integers, generator);
      break;
    case DataType::kInt16:
      FillIntegers<std::int16_t>(value, integers, generator);
      break;
    case DataType::kUint16:
      FillIntegers<std::uint16_t>(value, integers, generator);
      break;
    case DataType::kInt32:
      FillIntegers<std::int32_t>(value, integers, generator);
      break;
    case DataType::kUint32:
      FillIntegers<std::uint32_t>(value, integers, generator);
      break;
    case DataType::kInt64:
      FillIntegers<std::int64_t>(value, integers, generator);
      break;
    case DataType::kUint64:
      FillIntegers<std::uint64_t>(value, integers, generator);
      break;
    default:
      Fail(kInvalidParam, "random elements of type {} cannot be made; give a file", DataTypeName(type.type));
  }
  return value;
}

}  // namespace foothold::run
