// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/reduce.h"

#include <atomic>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "base/thread_pool.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/reduce.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

// What the loops below need to know of a floating-point type.
#ifndef FOOTHOLD_KERNELS_REDUCE_TYPES
#define FOOTHOLD_KERNELS_REDUCE_TYPES
namespace foothold {
namespace {

struct Float16Bits {
  using Stored = std::uint16_t;
  static constexpr float kLargest = 65504.0f;
  static constexpr float kRoundsUp = 65520.0f;  // from here on rounding gives infinity
};
struct BFloat16Bits {
  using Stored = std::uint16_t;
  static constexpr float kLargest = 0x1.FEp127f;
  static constexpr float kRoundsUp = 0x1.FFp127f;
};
struct Float32Bits {
  using Stored = float;
  static constexpr float kLargest = 0x1.FFFFFEp127f;
  static constexpr float kRoundsUp = HUGE_VALF;
};

}  // namespace
}  // namespace foothold
#endif

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <typename Format, class D>
hn::Vec<D> LoadAsFloat(D d, const typename Format::Stored* from) {
  if constexpr (std::is_same_v<Format, Float32Bits>) {
    return hn::LoadU(d, from);
  } else if constexpr (std::is_same_v<Format, BFloat16Bits>) {
    const hn::Rebind<std::uint16_t, D> half;
    const hn::RebindToUnsigned<D> wide;
    return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(wide, hn::LoadU(half, from))));
  } else {
    const hn::Rebind<hwy::float16_t, D> half;
    return hn::PromoteTo(d, hn::LoadU(half, reinterpret_cast<const hwy::float16_t*>(from)));
  }
}

template <typename Format, class D>
void StoreFromFloat(D d, hn::Vec<D> value, typename Format::Stored* to) {
  if constexpr (std::is_same_v<Format, Float32Bits>) {
    hn::StoreU(value, d, to);
  } else if constexpr (std::is_same_v<Format, BFloat16Bits>) {
    const hn::Rebind<std::uint16_t, D> half;
    const hn::RebindToUnsigned<D> wide;
    const hn::RebindToSigned<D> signed_wide;
    const auto bits = hn::BitCast(wide, value);
    const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(wide, 1));
    const auto rounded = hn::Add(hn::Add(bits, hn::Set(wide, 0x7FFF)), odd);
    const auto quiet = hn::Or(bits, hn::Set(wide, 0x400000));
    const auto chosen = hn::IfThenElse(hn::RebindMask(wide, hn::IsNaN(value)), quiet, rounded);
    hn::StoreU(hn::DemoteTo(half, hn::BitCast(signed_wide, hn::ShiftRight<16>(chosen))), half, to);
  } else {
    const hn::Rebind<hwy::float16_t, D> half;
    hn::StoreU(hn::DemoteTo(half, value), half, reinterpret_cast<hwy::float16_t*>(to));
  }
}

template <typename Format, class D>
hn::Vec<D> SaturatedSum(D d, hn::Vec<D> a, hn::Vec<D> b, hn::Mask<D>& overflowed) {
  const auto sum = hn::Add(a, b);
  const auto infinity = hn::Set(d, HUGE_VALF);
  const auto finite = hn::And(hn::Lt(hn::Abs(a), infinity), hn::Lt(hn::Abs(b), infinity));
  const auto over = hn::And(finite, hn::Ge(hn::Abs(sum), hn::Set(d, Format::kRoundsUp)));
  overflowed = hn::Or(overflowed, over);
  return hn::IfThenElse(over, hn::CopySign(hn::Set(d, Format::kLargest), sum), sum);
}

template <class D>
hn::Vec<D> WithNaN(hn::Vec<D> a, hn::Vec<D> b, hn::Vec<D> chosen) {
  return hn::IfThenElse(hn::IsNaN(a), a, hn::IfThenElse(hn::IsNaN(b), b, chosen));
}

template <typename Format, class D>
hn::Vec<D> Combine(D d, hn::Vec<D> a, hn::Vec<D> b, ReduceOperation operation, bool saturate,
                   hn::Mask<D>& over) {
  if (operation == ReduceOperation::kMax) return WithNaN<D>(a, b, hn::Max(a, b));
  if (operation == ReduceOperation::kMin) return WithNaN<D>(a, b, hn::Min(a, b));
  return saturate ? SaturatedSum<Format>(d, a, b, over) : hn::Add(a, b);
}

template <typename Format>
bool ReduceFloats(typename Format::Stored* dst, const typename Format::Stored* src, std::size_t count,
                  ReduceOperation operation, bool saturate) {
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 1> one;
  const std::size_t lanes = hn::Lanes(d);
  auto over = hn::FirstN(d, 0);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto value = Combine<Format>(d, LoadAsFloat<Format>(d, dst + i), LoadAsFloat<Format>(d, src + i),
                                       operation, saturate, over);
    StoreFromFloat<Format>(d, value, dst + i);
  }
  auto over_one = hn::FirstN(one, 0);
  for (; i < count; ++i) {
    const auto value = Combine<Format>(one, LoadAsFloat<Format>(one, dst + i),
                                       LoadAsFloat<Format>(one, src + i), operation, saturate, over_one);
    StoreFromFloat<Format>(one, value, dst + i);
  }
  return !hn::AllFalse(d, over) || !hn::AllFalse(one, over_one);
}

template <typename T, class D>
void ReduceLanes(D d, T* dst, const T* src, ReduceOperation operation) {
  const auto a = hn::LoadU(d, dst);
  const auto b = hn::LoadU(d, src);
  const auto value = operation == ReduceOperation::kSum   ? hn::Add(a, b)
                     : operation == ReduceOperation::kMax ? hn::Max(a, b)
                                                          : hn::Min(a, b);
  hn::StoreU(value, d, dst);
}

template <typename T>
bool ReduceIntegers(T* dst, const T* src, std::size_t count, ReduceOperation operation) {
  const hn::ScalableTag<T> d;
  const hn::CappedTag<T, 1> one;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    ReduceLanes(d, dst + i, src + i, operation);
  for (; i < count; ++i)
    ReduceLanes(one, dst + i, src + i, operation);
  return false;
}

bool ReducePiece(void* dst, const void* src, std::size_t count, ReduceOperation operation, ReduceType type,
                 bool saturate) {
  const auto integers = [&](auto sample) {
    using T = decltype(sample);
    return ReduceIntegers(static_cast<T*>(dst), static_cast<const T*>(src), count, operation);
  };
  const auto floats = [&](auto format) {
    using Format = decltype(format);
    using T = typename Format::Stored;
    return ReduceFloats<Format>(static_cast<T*>(dst), static_cast<const T*>(src), count, operation, saturate);
  };
  switch (type) {
    case ReduceType::kInt8:
      return integers(std::int8_t{});
    case ReduceType::kInt16:
      return integers(std::int16_t{});
    case ReduceType::kInt32:
      return integers(std::int32_t{});
    case ReduceType::kFloat16:
      return floats(Float16Bits{});
    case ReduceType::kBFloat16:
      return floats(BFloat16Bits{});
    case ReduceType::kFloat32:
      return floats(Float32Bits{});
  }
  return false;
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(ReducePiece);
}  // namespace

std::size_t SizeOf(ReduceType type) {
  switch (type) {
    case ReduceType::kInt8:
      return 1;
    case ReduceType::kInt16:
    case ReduceType::kFloat16:
    case ReduceType::kBFloat16:
      return 2;
    case ReduceType::kInt32:
    case ReduceType::kFloat32:
      return 4;
  }
  return 0;
}

bool ReduceInto(void* dst, const void* src, std::size_t elements, ReduceOperation operation, ReduceType type,
                bool saturate) {
  constexpr std::size_t kGrain = std::size_t{1} << 18;
  const std::size_t size = SizeOf(type);
  std::atomic<bool> overflowed{false};
  ParallelFor(elements, kGrain, [&](std::size_t begin, std::size_t end) {
    if (HWY_DYNAMIC_DISPATCH(ReducePiece)(static_cast<char*>(dst) + begin * size,
                                          static_cast<const char*>(src) + begin * size, end - begin,
                                          operation, type, saturate)) {
      overflowed.store(true, std::memory_order_relaxed);
    }
  });
  return overflowed.load();
}

}  // namespace foothold
#endif
