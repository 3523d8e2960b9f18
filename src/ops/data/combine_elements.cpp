// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/data/combine_elements.h"

#include <algorithm>
#include <cstring>

#include "ops/data/rule_arguments.h"
#include "ops/element_types.h"

namespace foothold {
namespace {

void Replace(const std::byte* from, std::size_t count, std::size_t size, std::byte* to) {
  if (count == 1 && size == sizeof(float)) {
    std::memcpy(to, from, sizeof(float));
  } else {
    std::memcpy(to, from, count * size);
  }
}

// Integers wrap: they are computed without a sign.
template <typename T>
using Wrapped = typename std::conditional_t<std::is_integral_v<T>, std::common_type<std::uint64_t>,
                                            std::common_type<Computed<T>>>::type;

template <typename T, Combination kHow>
void Combine(const std::byte* from, std::size_t count, std::size_t, std::byte* to) {
  using C = Wrapped<T>;
  for (std::size_t i = 0; i < count; ++i) {
    T old, value;
    std::memcpy(&old, to + i * sizeof(T), sizeof(T));
    std::memcpy(&value, from + i * sizeof(T), sizeof(T));
    const auto a = static_cast<Computed<T>>(old), b = static_cast<Computed<T>>(value);
    T result = old;
    if constexpr (kHow == Combination::kAdd) result = static_cast<T>(C(a) + C(b));
    if constexpr (kHow == Combination::kSubtract) result = static_cast<T>(C(a) - C(b));
    if constexpr (kHow == Combination::kMultiply) result = static_cast<T>(C(a) * C(b));
    if constexpr (kHow == Combination::kMax) result = b > a || b != b ? value : old;
    if constexpr (kHow == Combination::kMin) result = b < a || b != b ? value : old;
    std::memcpy(to + i * sizeof(T), &result, sizeof(T));
  }
}

template <typename T>
CombineLoop LoopOf(Combination combination) {
  switch (combination) {
    case Combination::kAdd:
      return Combine<T, Combination::kAdd>;
    case Combination::kSubtract:
      return Combine<T, Combination::kSubtract>;
    case Combination::kMultiply:
      return Combine<T, Combination::kMultiply>;
    case Combination::kMax:
      return Combine<T, Combination::kMax>;
    default:
      return Combine<T, Combination::kMin>;
  }
}

}  // namespace

CombineLoop CombineLoopFor(const OpContext& context, DataType type, Combination combination) {
  ElementBytes(context, type);
  if (combination == Combination::kReplace) return Replace;
  const auto none = [&]() -> CombineLoop {
    context.Unsupported("no kernel for {}; real numbers would run", DataTypeName(type));
  };
  if (type == DataType::kBool) return none();
  return VisitType(
      type, [&](auto tag) -> CombineLoop { return LoopOf<typename decltype(tag)::Type>(combination); }, none);
}

}  // namespace foothold
