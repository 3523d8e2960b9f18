// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A function of aclnn whose arguments are only known when the tests run: what its first phase wants, and a
// call with that. Made by NN(Abs), as calls in tests/aclnn are; compiled once for each list of parameters.
#pragma once

#include <cstdint>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "aclnn/nn_case.h"

namespace samples {

enum class Wants {
  kTensor,
  kTensors,
  kScalar,
  kScalars,
  kInts,
  kFloats,
  kBools,
  kText,
  kNumber,
  kPointer,
};

// One argument: the parameter takes what it is.
struct Slot {
  void* pointer = nullptr;
  double number = 0;
};

template <typename Parameter>
constexpr Wants WantsOf() {
  using Plain = std::remove_const_t<std::remove_pointer_t<Parameter>>;
  if constexpr (!std::is_pointer_v<Parameter>) return Wants::kNumber;
  if (std::is_same_v<Plain, aclTensor>) return Wants::kTensor;
  if (std::is_same_v<Plain, aclTensorList>) return Wants::kTensors;
  if (std::is_same_v<Plain, aclScalar>) return Wants::kScalar;
  if (std::is_same_v<Plain, aclScalarList>) return Wants::kScalars;
  if (std::is_same_v<Plain, aclIntArray>) return Wants::kInts;
  if (std::is_same_v<Plain, aclFloatArray>) return Wants::kFloats;
  if (std::is_same_v<Plain, aclBoolArray>) return Wants::kBools;
  return std::is_same_v<Plain, char> ? Wants::kText : Wants::kPointer;
}

template <typename... Parameters>
inline constexpr Wants kWanted[] = {WantsOf<Parameters>()...};

template <typename Parameter>
Parameter Taken(const Slot& slot) {
  if constexpr (std::is_pointer_v<Parameter>)
    return static_cast<Parameter>(slot.pointer);
  else
    return static_cast<Parameter>(slot.number);
}

class Function {
 public:
  Function() = default;
  template <typename... Parameters>
  Function(const char* name, aclnnStatus (*first)(Parameters...), nn::SecondPhase second)
      : name_(name),
        first_(reinterpret_cast<void (*)()>(first)),
        call_(Call<Parameters...>),
        wants_(kWanted<Parameters...>, sizeof...(Parameters) - 2),
        second_(second) {}

  explicit operator bool() const { return name_ != nullptr; }
  const char* name() const { return name_; }
  std::span<const Wants> wants() const { return wants_; }
  nn::SecondPhase second() const { return second_; }
  aclnnStatus First(std::span<const Slot> slots, std::uint64_t* workspace, aclOpExecutor** executor) const {
    return call_(first_, slots, workspace, executor);
  }

 private:
  using Caller = aclnnStatus (*)(void (*first)(), std::span<const Slot> slots, std::uint64_t* workspace,
                                 aclOpExecutor** executor);

  template <typename... Parameters>
  static aclnnStatus Call(void (*first)(), std::span<const Slot> slots, std::uint64_t* workspace,
                          aclOpExecutor** executor) {
    const auto typed = reinterpret_cast<aclnnStatus (*)(Parameters...)>(first);
    using All = std::tuple<Parameters...>;
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
      return typed(Taken<std::tuple_element_t<i, All>>(slots[i])..., workspace, executor);
    }
    (std::make_index_sequence<sizeof...(Parameters) - 2>());
  }

  const char* name_ = nullptr;
  void (*first_)() = nullptr;
  Caller call_ = nullptr;
  std::span<const Wants> wants_;
  nn::SecondPhase second_ = nullptr;
};

}  // namespace samples
