// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/element_convert.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "kernels/half_float.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/element_convert.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Both return how many elements they did: whole vectors only.
std::size_t LoadFloat16(const std::uint16_t* from, float* to, std::size_t count) {
  const hn::ScalableTag<float> d;
  const hn::Rebind<hwy::float16_t, decltype(d)> half;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const auto bits = hn::LoadU(half, reinterpret_cast<const hwy::float16_t*>(from + i));
    hn::StoreU(hn::PromoteTo(d, bits), d, to + i);
  }
  return i;
}

std::size_t StoreFloat16(const float* from, std::uint16_t* to, std::size_t count) {
  const hn::ScalableTag<float> d;
  const hn::Rebind<hwy::float16_t, decltype(d)> half;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const auto value = hn::DemoteTo(half, hn::LoadU(d, from + i));
    hn::StoreU(value, half, reinterpret_cast<hwy::float16_t*>(to + i));
  }
  return i;
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {

HWY_EXPORT(LoadFloat16);
HWY_EXPORT(StoreFloat16);

struct Float16Bits {
  std::uint16_t bits;
};
struct Bfloat16Bits {
  std::uint16_t bits;
};
struct Truth {
  std::uint8_t byte;
};

template <typename T>
float ToFloat(T value) {
  if constexpr (std::is_same_v<T, Float16Bits>) {
    return FloatFromFloat16(value.bits);
  } else if constexpr (std::is_same_v<T, Bfloat16Bits>) {
    return FloatFromBFloat16(value.bits);
  } else if constexpr (std::is_same_v<T, Truth>) {
    return value.byte != 0 ? 1.0f : 0.0f;
  } else {
    return static_cast<float>(value);
  }
}

template <typename T>
T FromFloat(float value) {
  if constexpr (std::is_same_v<T, Float16Bits>) {
    return {Float16FromFloat(value)};
  } else if constexpr (std::is_same_v<T, Bfloat16Bits>) {
    return {BFloat16FromFloat(value)};
  } else if constexpr (std::is_same_v<T, Truth>) {
    return {static_cast<std::uint8_t>(value != 0)};
  } else if constexpr (std::is_integral_v<T>) {
    if (std::isnan(value)) return 0;
    constexpr auto kLow = static_cast<float>(std::numeric_limits<T>::min());
    constexpr auto kBeyond = -2.0f * static_cast<float>(std::numeric_limits<T>::min() / 2);
    constexpr float kHigh = std::is_signed_v<T> ? kBeyond : 256.0f;
    if (value >= kHigh) return std::numeric_limits<T>::max();
    return value <= kLow ? std::numeric_limits<T>::min() : static_cast<T>(value);
  } else {
    return value;
  }
}

// Brought together first: vectors convert much faster.
void LoadApart(const Float16Bits* from, std::int64_t stride, float* to, std::size_t count) {
  constexpr std::size_t kPiece = 256;
  Float16Bits packed[kPiece];
  while (count > 0) {
    const std::size_t piece = std::min(count, kPiece);
    for (std::size_t i = 0; i < piece; ++i, from += stride)
      packed[i] = *from;
    std::size_t i = HWY_DYNAMIC_DISPATCH(LoadFloat16)(&packed->bits, to, piece);
    for (; i < piece; ++i)
      to[i] = ToFloat(packed[i]);
    to += piece;
    count -= piece;
  }
}

template <typename T>
void Load(const T* from, std::int64_t stride, float* to, std::size_t count) {
  if (stride == 0) {
    std::fill_n(to, count, count > 0 ? ToFloat(*from) : 0.0f);
    return;
  }
  if (stride == 1) {
    std::size_t i = 0;
    if constexpr (std::is_same_v<T, Float16Bits>)
      i = HWY_DYNAMIC_DISPATCH(LoadFloat16)(&from->bits, to, count);
    for (; i < count; ++i)
      to[i] = ToFloat(from[i]);
    return;
  }
  if constexpr (std::is_same_v<T, Float16Bits>) return LoadApart(from, stride, to, count);
  for (std::size_t i = 0; i < count; ++i, from += stride)
    to[i] = ToFloat(*from);
}

template <typename T>
void Store(const float* from, T* to, std::size_t count) {
  std::size_t i = 0;
  if constexpr (std::is_same_v<T, Float16Bits>)
    i = HWY_DYNAMIC_DISPATCH(StoreFloat16)(from, &to->bits, count);
  for (; i < count; ++i)
    to[i] = FromFloat<T>(from[i]);
}

template <typename Visit>
void VisitElement(ElementType type, Visit&& visit) {
  switch (type) {
    case ElementType::kFloat:
      return visit(float{});
    case ElementType::kFloat16:
      return visit(Float16Bits{});
    case ElementType::kBfloat16:
      return visit(Bfloat16Bits{});
    case ElementType::kBool:
      return visit(Truth{});
    case ElementType::kInt8:
      return visit(std::int8_t{});
    case ElementType::kUint8:
      return visit(std::uint8_t{});
    case ElementType::kInt32:
      return visit(std::int32_t{});
  }
}

}  // namespace

std::size_t SizeOf(ElementType type) {
  std::size_t size = 0;
  VisitElement(type, [&](auto sample) { size = sizeof(sample); });
  return size;
}

void LoadFloats(ElementType type, const std::byte* from, std::int64_t stride, float* to, std::size_t count) {
  VisitElement(type, [&](auto sample) {
    using T = decltype(sample);
    if constexpr (std::is_same_v<T, float>) {
      if (stride == 1 && count > 0) std::memcpy(to, from, count * sizeof(float));
      if (stride == 1) return;
    }
    Load(reinterpret_cast<const T*>(from), stride, to, count);
  });
}

void StoreFloats(ElementType type, const float* from, std::byte* to, std::size_t count) {
  VisitElement(type, [&](auto sample) { Store(from, reinterpret_cast<decltype(sample)*>(to), count); });
}

}  // namespace foothold
#endif
