// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/elements.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace nn {
namespace {

// To the nearest, ties to even.
struct Bfloat16 {
  Bfloat16() = default;
  explicit Bfloat16(double value) {
    const auto single = static_cast<float>(value);
    std::uint32_t word = 0;
    std::memcpy(&word, &single, sizeof(word));
    if (!std::isnan(single)) word += 0x7fffu + (word >> 16 & 1u);
    bits = static_cast<std::uint16_t>(word >> 16);
  }
  explicit operator double() const {
    const std::uint32_t word = static_cast<std::uint32_t>(bits) << 16;
    float single = 0;
    std::memcpy(&single, &word, sizeof(single));
    return static_cast<double>(single);
  }
  std::uint16_t bits = 0;
};

// Not by the functions of the interface, which know no infinities.
struct Float16 {
  Float16() = default;
  explicit Float16(double value) : number(static_cast<_Float16>(value)) {}
  explicit operator double() const { return static_cast<double>(number); }
  _Float16 number = 0;
};

// Calls `use` with a null pointer to the C++ type of the elements.
template <typename Use>
void WithType(aclDataType type, const Use& use) {
  switch (type) {
    case ACL_FLOAT:
    case ACL_COMPLEX64:
      return use(static_cast<float*>(nullptr));
    case ACL_DOUBLE:
    case ACL_COMPLEX128:
      return use(static_cast<double*>(nullptr));
    case ACL_FLOAT16:
      return use(static_cast<Float16*>(nullptr));
    case ACL_BF16:
      return use(static_cast<Bfloat16*>(nullptr));
    case ACL_INT8:
      return use(static_cast<std::int8_t*>(nullptr));
    case ACL_INT16:
      return use(static_cast<std::int16_t*>(nullptr));
    case ACL_INT32:
      return use(static_cast<std::int32_t*>(nullptr));
    case ACL_INT64:
      return use(static_cast<std::int64_t*>(nullptr));
    case ACL_BOOL:
    case ACL_UINT8:
      return use(static_cast<std::uint8_t*>(nullptr));
    case ACL_UINT16:
      return use(static_cast<std::uint16_t*>(nullptr));
    case ACL_UINT32:
      return use(static_cast<std::uint32_t*>(nullptr));
    case ACL_UINT64:
      return use(static_cast<std::uint64_t*>(nullptr));
    default:
      throw std::invalid_argument("tests do not make tensors of type " + std::to_string(type));
  }
}

}  // namespace

std::size_t PartsOf(aclDataType type) {
  return type == ACL_COMPLEX64 || type == ACL_COMPLEX128 ? 2 : 1;
}

void WriteElement(aclDataType type, const double* parts, std::byte* place) {
  WithType(type, [&]<typename T>(T*) {
    for (std::size_t i = 0; i < PartsOf(type); ++i) {
      const auto value = static_cast<T>(parts[i]);
      std::memcpy(place + i * sizeof(T), &value, sizeof(T));
    }
  });
}

void ReadElement(aclDataType type, const std::byte* place, double* parts) {
  WithType(type, [&]<typename T>(T*) {
    for (std::size_t i = 0; i < PartsOf(type); ++i) {
      T value{};
      std::memcpy(&value, place + i * sizeof(T), sizeof(T));
      parts[i] = static_cast<double>(value);
    }
  });
}

}  // namespace nn
