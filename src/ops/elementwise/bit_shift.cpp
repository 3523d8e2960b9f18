// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Bits of integers moved by as many places as a second operand says, with broadcasting. All bits are gone,
// or are the sign, when there are no such places.
#include <limits>
#include <type_traits>

#include "ops/elementwise/element_op.h"

namespace foothold {
namespace {

template <typename T>
bool IsPlace(T by) {
  constexpr int kBits = std::numeric_limits<std::make_unsigned_t<T>>::digits;
  return by >= 0 && static_cast<std::uint64_t>(by) < kBits;
}

struct LeftShiftOf {
  template <Integer T>
  static T Of(T a, T by) {
    return IsPlace(by) ? static_cast<T>(static_cast<std::uint64_t>(a) << by) : T{0};
  }
};
struct RightShiftOf {
  template <Integer T>
  static T Of(T a, T by) {
    if (IsPlace(by)) return static_cast<T>(a >> by);
    return a < 0 ? static_cast<T>(-1) : T{0};
  }
};

const RegisterElementOps shifts({
    {"LeftShift", "", PlainLoopOf<LeftShiftOf, 2>},
    {"RightShift", "", PlainLoopOf<RightShiftOf, 2>},
});

}  // namespace
}  // namespace foothold
