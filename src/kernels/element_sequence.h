// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Several functions of one instruction each, one after the other on the same elements, which stay in
// registers meanwhile: as loops of their own, these functions do little but load and store. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "kernels/element_function.h"

namespace foothold {

// `x` is what the step before left, `b` another operand. "From" exchanges the two.
enum class ShortFunction : std::uint8_t {
  kAdd,
  kSub,
  kSubFrom,
  kMul,
  kDiv,
  kDivFrom,
  kAddBy,
  kMulBy,
  kAbs,
  kNeg,
  kSquare,
};

// The short function that `function` is if `x` is its operand number `place`; none if it is not short.
std::optional<ShortFunction> ShortFunctionOf(const ElementFunction& function, int place);

constexpr std::size_t kMaxSequence = 16;  // steps

struct SequenceStep {
  ShortFunction function;
  const float* other;   // readable like the elements, even if the function has no other operand
  const float* params;  // of the function
};

// At most kMaxSequence steps. The results are those of the functions' own loops. `to` may be one of the
// operands; another overlap may not be. No alignment is asked for.
void RunElementSequence(const float* from, const SequenceStep* steps, std::size_t count_of_steps, float* to,
                        std::size_t count);

}  // namespace foothold
