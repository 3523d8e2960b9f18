// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/fold.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "base/error.h"
#include "kernels/half_convert.h"
#include "kernels/stream_copy.h"

namespace foothold::collectives {
namespace {

constexpr std::size_t kBlockBytes = 8192;  // of results at a time: they stay in the nearest cache

// Wide enough that products of small integers do not leave the range of what they are computed in.
template <typename T>
using Wrapping = std::conditional_t<sizeof(T) < 4, std::uint32_t, std::make_unsigned_t<T>>;

struct Sum {
  template <typename T>
  static T Of(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
    } else {
      return a + b;
    }
  }
};

struct Product {
  template <typename T>
  static T Of(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
    } else {
      return a * b;
    }
  }
};

struct Maximum {
  template <typename T>
  static T Of(T a, T b) {
    return a < b || b != b ? b : a;
  }
};

struct Minimum {
  template <typename T>
  static T Of(T a, T b) {
    return b < a || b != b ? b : a;
  }
};

template <typename Operation, typename T>
void CombineInto(T* result, const T* first, const T* second, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    result[i] = Operation::Of(first[i], second[i]);
}

// A block of a source, at an address that is a multiple of its elements.
template <typename T>
const T* Aligned(const std::byte* from, T* room, std::size_t count) {
  if (reinterpret_cast<std::uintptr_t>(from) % alignof(T) == 0) return reinterpret_cast<const T*>(from);
  std::memcpy(room, from, count * sizeof(T));
  return room;
}

// Where results go.
struct Targets {
  std::span<void* const> places;
  bool past_caches;

  void Store(std::size_t at, const void* result, std::size_t bytes) const {
    for (void* const place : places) {
      std::byte* const to = static_cast<std::byte*>(place) + at;
      if (to == result) continue;
      if (past_caches) {
        StreamBytes(to, result, bytes);
      } else {
        std::memcpy(to, result, bytes);
      }
    }
  }
};

template <typename Operation, typename T>
void FoldAs(std::span<const void* const> sources, const Targets& targets, std::size_t bytes) {
  constexpr std::size_t kBlock = kBlockBytes / sizeof(T);
  alignas(64) T result[kBlock];
  alignas(64) T room[2][kBlock];
  for (std::size_t at = 0; at < bytes; at += kBlockBytes) {
    const std::size_t count = std::min(kBlock, (bytes - at) / sizeof(T));
    const auto block = [&](std::size_t source, int which) {
      return Aligned(static_cast<const std::byte*>(sources[source]) + at, room[which], count);
    };
    const T* before = block(0, 0);
    for (std::size_t source = 1; source < sources.size(); ++source) {
      CombineInto<Operation>(result, before, block(source, 1), count);
      before = result;
    }
    targets.Store(at, before, count * sizeof(T));
  }
}

template <typename Operation>
void FoldHalves(HalfKind kind, std::span<const void* const> sources, const Targets& targets,
                std::size_t bytes) {
  constexpr std::size_t kBlock = kBlockBytes / sizeof(float);
  alignas(64) float result[kBlock];
  alignas(64) float next[kBlock];
  alignas(64) std::uint16_t room[kBlock];
  for (std::size_t at = 0; at < bytes; at += kBlock * sizeof(room[0])) {
    const std::size_t count = std::min(kBlock, (bytes - at) / sizeof(room[0]));
    for (std::size_t source = 0; source < sources.size(); ++source) {
      const std::uint16_t* const halves =
          Aligned(static_cast<const std::byte*>(sources[source]) + at, room, count);
      FloatsFromHalves(kind, halves, source == 0 ? result : next, count);
      if (source > 0) CombineInto<Operation>(result, result, next, count);
    }
    HalvesFromFloats(kind, result, room, count);
    targets.Store(at, room, count * sizeof(room[0]));
  }
}

template <typename Operation>
void FoldWith(Element element, std::span<const void* const> sources, const Targets& targets,
              std::size_t bytes) {
  switch (element) {
    case Element::kInt8:
      return FoldAs<Operation, std::int8_t>(sources, targets, bytes);
    case Element::kInt16:
      return FoldAs<Operation, std::int16_t>(sources, targets, bytes);
    case Element::kInt32:
      return FoldAs<Operation, std::int32_t>(sources, targets, bytes);
    case Element::kInt64:
      return FoldAs<Operation, std::int64_t>(sources, targets, bytes);
    case Element::kUint8:
      return FoldAs<Operation, std::uint8_t>(sources, targets, bytes);
    case Element::kUint16:
      return FoldAs<Operation, std::uint16_t>(sources, targets, bytes);
    case Element::kUint32:
      return FoldAs<Operation, std::uint32_t>(sources, targets, bytes);
    case Element::kUint64:
      return FoldAs<Operation, std::uint64_t>(sources, targets, bytes);
    case Element::kFloat32:
      return FoldAs<Operation, float>(sources, targets, bytes);
    case Element::kFloat64:
      return FoldAs<Operation, double>(sources, targets, bytes);
    case Element::kFloat16:
      return FoldHalves<Operation>(HalfKind::kFloat16, sources, targets, bytes);
    case Element::kBfloat16:
      return FoldHalves<Operation>(HalfKind::kBfloat16, sources, targets, bytes);
    default:
      Fail(kInternalError, "elements of type {} cannot be combined", NameOf(element));
  }
}

void FoldInto(Element element, Reduction reduction, std::span<const void* const> sources,
              const Targets& targets, std::size_t bytes) {
  switch (reduction) {
    case Reduction::kSum:
      return FoldWith<Sum>(element, sources, targets, bytes);
    case Reduction::kProduct:
      return FoldWith<Product>(element, sources, targets, bytes);
    case Reduction::kMaximum:
      return FoldWith<Maximum>(element, sources, targets, bytes);
    case Reduction::kMinimum:
      return FoldWith<Minimum>(element, sources, targets, bytes);
  }
}

}  // namespace

void Fold(Element element, Reduction reduction, std::span<const void* const> sources,
          std::span<void* const> places, std::size_t bytes, bool past_caches) {
  FoldInto(element, reduction, sources, {places, past_caches}, bytes);
  if (past_caches) FinishStreams();
}

}  // namespace foothold::collectives
