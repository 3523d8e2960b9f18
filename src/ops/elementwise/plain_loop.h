// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Element-wise loops for the types that are not computed in float: double, integers, bool. A function is a
// type with a static Of, constrained to the types it takes; what has no Of has no loop:
//
//   struct NegOf { static double Of(double a) { return -a; } };
//   struct LessOf { template <typename T> static bool Of(T a, T b) { return a < b; } };
//
// An Of that starts with a `const float*` gets the parameters of the step.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "ops/element_types.h"
#include "ops/elementwise/strided_rows.h"
#include "ops/op.h"

namespace foothold {

struct PlainLoop {
  // Strides in bytes, one per operand; the output is packed.
  using Function = void (*)(const std::byte* const* inputs, const std::ptrdiff_t* strides, std::byte* output,
                            std::size_t count, const float* params);
  Function run = nullptr;
  int operands = 0;

  explicit operator bool() const { return run != nullptr; }
};

// Runs `loop` over output 0. The operands have the type the loop was made for. Refuses another number of
// them.
std::unique_ptr<Kernel> LowerPlain(const OpContext& context, PlainLoop loop,
                                   const std::vector<PlainOperand>& operands, std::vector<float> params = {});

namespace plain_loop_detail {

// Memory may hold any byte where a bool is meant.
template <typename T>
T Load(const std::byte* from) {
  if constexpr (std::is_same_v<T, bool>) {
    return *from != std::byte{0};
  } else {
    T value;
    std::memcpy(&value, from, sizeof(T));
    return value;
  }
}

template <class Function, typename... T>
auto Call(const float* params, T... values) {
  if constexpr (requires { Function::Of(params, values...); }) {
    return Function::Of(params, values...);
  } else {
    return Function::Of(values...);
  }
}

// A result is of the type of the operands, or a truth value. Another one was reached by a conversion of the
// operands, to a double say, and the function has nothing for their type.
template <class Function, typename First, typename... Rest>
constexpr bool IsFunctionOf() {
  const auto kept = []<typename Result>(ElementTag<Result>) {
    return std::is_same_v<Result, First> || std::is_same_v<Result, bool>;
  };
  if constexpr (requires(const float* params, First first, Rest... rest) {
                  Function::Of(params, first, rest...);
                }) {
    return kept(ElementTag<decltype(Function::Of(std::declval<const float*>(), First{}, Rest{}...))>());
  } else if constexpr (requires(First first, Rest... rest) { Function::Of(first, rest...); }) {
    return kept(ElementTag<decltype(Function::Of(First{}, Rest{}...))>());
  } else {
    return false;
  }
}

template <class Function, typename... T>
struct Runner {
  template <std::size_t... I>
  static void Loop(const std::byte* const* in, const std::ptrdiff_t* strides, std::byte* out,
                   std::size_t count, const float* params, std::index_sequence<I...>) {
    using Result = decltype(Call<Function>(params, T{}...));
    const auto at = [&](std::size_t i, auto... steps) {
      const Result result =
          Call<Function>(params, Load<T>(in[I] + static_cast<std::ptrdiff_t>(i) * steps)...);
      std::memcpy(out + i * sizeof(Result), &result, sizeof(Result));
    };
    if (((strides[I] == sizeof(T)) && ...)) {  // so that the compiler knows the strides
      for (std::size_t i = 0; i < count; ++i)
        at(i, static_cast<std::ptrdiff_t>(sizeof(T))...);
    } else {
      for (std::size_t i = 0; i < count; ++i)
        at(i, strides[I]...);
    }
  }
  static void Run(const std::byte* const* in, const std::ptrdiff_t* strides, std::byte* out,
                  std::size_t count, const float* params) {
    Loop(in, strides, out, count, params, std::index_sequence_for<T...>());
  }
};

template <class Function, typename... T>
PlainLoop LoopOf() {
  if constexpr (IsFunctionOf<Function, T...>()) {
    return {&Runner<Function, T...>::Run, sizeof...(T)};
  } else {
    return {};
  }
}

}  // namespace plain_loop_detail

// The loop for operands of one type, none where the function does not take it.
template <class Function, int operands>
PlainLoop PlainLoopOf(DataType type) {
  return VisitType(
      type,
      [](auto tag) -> PlainLoop {
        using T = typename decltype(tag)::Type;
        if constexpr (kIsHalf<T> || std::is_same_v<T, float>) {
          return {};  // computed in float
        } else if constexpr (operands == 1) {
          return plain_loop_detail::LoopOf<Function, T>();
        } else if constexpr (operands == 2) {
          return plain_loop_detail::LoopOf<Function, T, T>();
        } else {
          return plain_loop_detail::LoopOf<Function, T, T, T>();
        }
      },
      []() -> PlainLoop { return {}; });
}

template <typename T>
concept Integer = std::integral<T> && !std::same_as<T, bool>;
template <typename T>
concept Number = Integer<T> || std::floating_point<T>;

}  // namespace foothold
