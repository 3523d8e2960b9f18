// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Elements of any type as unsigned numbers of the same order, so that one loop sorts or compares all of them.
// A NaN has the largest number; both zeros have the same. Any thread.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "ops/element_types.h"

namespace foothold {

template <typename T>
using ElementRank = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <typename T>
ElementRank<T> RankOfElement(T element) {
  using Number = ElementRank<T>;
  constexpr Number kSign = Number{1} << (8 * sizeof(Number) - 1);
  if constexpr (kIsFloating<T>) {
    const auto value = static_cast<Computed<T>>(element);
    if (std::isnan(value)) return std::numeric_limits<Number>::max();
    const auto bits = value == 0 ? Number{0} : std::bit_cast<Number>(value);
    return bits & kSign ? ~bits : bits | kSign;
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<Number>(static_cast<std::make_signed_t<Number>>(element)) ^ kSign;
  } else {
    return static_cast<Number>(element);
  }
}

}  // namespace foothold
