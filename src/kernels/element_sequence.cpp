// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/element_sequence.h"

#include <cstring>

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/element_sequence.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

// Left to itself, the compiler keeps what a lambda refers to in memory.
#undef FOOTHOLD_INLINE_LAMBDA
#define FOOTHOLD_INLINE_LAMBDA HWY_ATTR __attribute__((always_inline))

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::ScalableTag<float>;
using Floats = hn::Vec<FloatTag>;

// Eight named vectors, or one: those whose size only the CPU knows cannot be in an array. Returns how many
// elements are done.
template <bool kEight>
HWY_NOINLINE std::size_t WholeVectors(const float* from, const SequenceStep* steps,
                                      std::size_t count_of_steps, float* to, std::size_t begin,
                                      std::size_t count) {
  const FloatTag d;
  const std::size_t lanes = hn::Lanes(d), width = kEight ? 8 * lanes : lanes;
  const SequenceStep* const past = steps + count_of_steps;
  std::size_t i = begin;
  for (; i + width <= count; i += width) {
    auto v0 = hn::Zero(d), v1 = v0, v2 = v0, v3 = v0, v4 = v0, v5 = v0, v6 = v0, v7 = v0;
    const auto each = [&](const auto& change) FOOTHOLD_INLINE_LAMBDA {
      v0 = change(v0, i);
      if constexpr (!kEight) return;
      v1 = change(v1, i + lanes), v2 = change(v2, i + 2 * lanes), v3 = change(v3, i + 3 * lanes);
      v4 = change(v4, i + 4 * lanes), v5 = change(v5, i + 5 * lanes), v6 = change(v6, i + 6 * lanes);
      v7 = change(v7, i + 7 * lanes);
    };
    each([&](Floats, std::size_t at) FOOTHOLD_INLINE_LAMBDA { return hn::LoadU(d, from + at); });
    for (const SequenceStep* step = steps; step != past; ++step) {
      const float* const other = step->other;
      const auto b = [&](std::size_t at) FOOTHOLD_INLINE_LAMBDA { return hn::LoadU(d, other + at); };
      const auto p = hn::Set(d, step->params[0]);
      switch (step->function) {
        case ShortFunction::kAdd:
          each([&](Floats x, std::size_t at) FOOTHOLD_INLINE_LAMBDA { return hn::Add(x, b(at)); });
          break;
        case ShortFunction::kSub:
          each([&](Floats x, std::size_t at) FOOTHOLD_INLINE_LAMBDA { return hn::Sub(x, b(at)); });
          break;
        case ShortFunction::kSubFrom:
          each([&](Floats x, std::size_t at) FOOTHOLD_INLINE_LAMBDA { return hn::Sub(b(at), x); });
          break;
        case ShortFunction::kMul:
          each([&](Floats x, std::size_t at) FOOTHOLD_INLINE_LAMBDA { return hn::Mul(x, b(at)); });
          break;
        case ShortFunction::kDiv:
          each([&](Floats x, std::size_t at) FOOTHOLD_INLINE_LAMBDA { return hn::Div(x, b(at)); });
          break;
        case ShortFunction::kDivFrom:
          each([&](Floats x, std::size_t at) FOOTHOLD_INLINE_LAMBDA { return hn::Div(b(at), x); });
          break;
        case ShortFunction::kAddBy:
          each([&](Floats x, std::size_t) FOOTHOLD_INLINE_LAMBDA { return hn::Add(x, p); });
          break;
        case ShortFunction::kMulBy:
          each([&](Floats x, std::size_t) FOOTHOLD_INLINE_LAMBDA { return hn::Mul(x, p); });
          break;
        case ShortFunction::kAbs:
          each([&](Floats x, std::size_t) FOOTHOLD_INLINE_LAMBDA { return hn::Abs(x); });
          break;
        case ShortFunction::kNeg:
          each([&](Floats x, std::size_t) FOOTHOLD_INLINE_LAMBDA { return hn::Neg(x); });
          break;
        case ShortFunction::kSquare:
          each([&](Floats x, std::size_t) FOOTHOLD_INLINE_LAMBDA { return hn::Mul(x, x); });
          break;
      }
    }
    each([&](Floats x, std::size_t at) FOOTHOLD_INLINE_LAMBDA {
      hn::StoreU(x, d, to + at);
      return x;
    });
  }
  return i;
}

// The last elements, fewer than a vector: neither reads nor writes beyond them.
HWY_NOINLINE void LastElements(const float* from, const SequenceStep* steps, std::size_t count_of_steps,
                               float* to, std::size_t count) {
  HWY_ALIGN float edge[HWY_MAX_BYTES / sizeof(float)] = {};
  HWY_ALIGN float other[HWY_MAX_BYTES / sizeof(float)] = {};
  std::memcpy(edge, from, count * sizeof(float));
  for (std::size_t k = 0; k < count_of_steps; ++k) {
    std::memcpy(other, steps[k].other, count * sizeof(float));
    const SequenceStep step{steps[k].function, other, steps[k].params};
    WholeVectors<false>(edge, &step, 1, edge, 0, hn::Lanes(FloatTag()));
  }
  std::memcpy(to, edge, count * sizeof(float));
}

void SequenceOf(const float* from, const SequenceStep* steps, std::size_t count_of_steps, float* to,
                std::size_t count) {
  std::size_t done = WholeVectors<true>(from, steps, count_of_steps, to, 0, count);
  done = WholeVectors<false>(from, steps, count_of_steps, to, done, count);
  if (done == count) return;
  SequenceStep rest[kMaxSequence];
  for (std::size_t k = 0; k < count_of_steps; ++k)
    rest[k] = {steps[k].function, steps[k].other + done, steps[k].params};
  LastElements(from + done, rest, count_of_steps, to + done, count - done);
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(SequenceOf);

struct Named {
  std::string_view name;
  ShortFunction first;                       // as operand 0
  std::optional<ShortFunction> second = {};  // as operand 1
};
constexpr Named kShort[] = {
    {"Add", ShortFunction::kAdd, ShortFunction::kAdd},
    {"Sub", ShortFunction::kSub, ShortFunction::kSubFrom},
    {"Mul", ShortFunction::kMul, ShortFunction::kMul},
    {"Div", ShortFunction::kDiv, ShortFunction::kDivFrom},
    {"AddBy", ShortFunction::kAddBy},
    {"MulBy", ShortFunction::kMulBy},
    {"Abs", ShortFunction::kAbs},
    {"Neg", ShortFunction::kNeg},
    {"Square", ShortFunction::kSquare},
};
}  // namespace

std::optional<ShortFunction> ShortFunctionOf(const ElementFunction& function, int place) {
  for (const Named& named : kShort)
    if (named.name == function.name) return place == 0 ? named.first : named.second;
  return std::nullopt;
}

void RunElementSequence(const float* from, const SequenceStep* steps, std::size_t count_of_steps, float* to,
                        std::size_t count) {
  HWY_DYNAMIC_DISPATCH(SequenceOf)(from, steps, count_of_steps, to, count);
}

}  // namespace foothold
#endif
