// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// From a function on vectors to an ElementLoop. For the files of element functions, which include it once per
// target. A function is a type with
//
//   template <class D> static hn::Vec<D> Of(D d, const Params<D>& p, hn::Vec<D> a[, b[, c]]);
#if defined(FOOTHOLD_KERNELS_ELEMENT_LOOP) == defined(HWY_TARGET_TOGGLE)
#ifdef FOOTHOLD_KERNELS_ELEMENT_LOOP
#undef FOOTHOLD_KERNELS_ELEMENT_LOOP
#else
#define FOOTHOLD_KERNELS_ELEMENT_LOOP
#endif

#include <cstddef>
#include <cstring>
#include <string_view>

#include "hwy/highway.h"
#include "kernels/element_function.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::ScalableTag<float>;
using Floats = hn::Vec<FloatTag>;

// The parameters of a step, each as a vector.
class Params {
 public:
  explicit Params(const float* values) : values_(values) {}
  HWY_INLINE Floats operator[](std::size_t i) const { return hn::Set(FloatTag(), values_[i]); }
  HWY_INLINE float Number(std::size_t i) const { return values_[i]; }

 private:
  const float* values_;
};

// Operands are loaded in order: compilers take what is loaded last as the second operand of a sum or product,
// and of two NaN processors give the first.
template <class Function, int operands>
HWY_INLINE Floats Apply(const Params& params, const float* a, const float* b, const float* c) {
  const FloatTag d;
  const auto first = hn::LoadU(d, a);
  if constexpr (operands == 1) {
    return Function::Of(d, params, first);
  } else if constexpr (operands == 2) {
    const auto second = hn::LoadU(d, b);
    return Function::Of(d, params, first, second);
  } else {
    const auto second = hn::LoadU(d, b);
    const auto third = hn::LoadU(d, c);
    return Function::Of(d, params, first, second, third);
  }
}

// The last elements, fewer than a vector: neither reads nor writes beyond them.
template <class Function, int operands>
HWY_NOINLINE void ApplyRest(const Params& params, const float* a, const float* b, const float* c, float* y,
                            std::size_t count) {
  const FloatTag d;
  HWY_ALIGN float edge[kMaxElementOperands][HWY_MAX_BYTES / sizeof(float)] = {};
  const float* from[] = {a, b, c};
  for (int i = 0; i < operands; ++i)
    std::memcpy(edge[i], from[i], count * sizeof(float));
  const auto result = Apply<Function, operands>(params, edge[0], edge[1], edge[2]);
  hn::Store(result, d, edge[0]);
  std::memcpy(y, edge[0], count * sizeof(float));
}

// Unrolled for functions so short that counting would show.
template <class Function, int operands, bool unrolled>
void Loop(const float* a, const float* b, const float* c, float* y, std::size_t count, const float* values) {
  const FloatTag d;
  const Params params(values);
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  const auto vector = [&](std::size_t at) HWY_ATTR {
    hn::StoreU(Apply<Function, operands>(params, a + at, b + at, c + at), d, y + at);
  };
  if constexpr (unrolled) {
    for (; i + 4 * lanes <= count; i += 4 * lanes) {
      vector(i);
      vector(i + lanes);
      vector(i + 2 * lanes);
      vector(i + 3 * lanes);
    }
  }
  for (; i + lanes <= count; i += lanes)
    vector(i);
  if (i < count) ApplyRest<Function, operands>(params, a + i, b + i, c + i, y + i, count - i);
}

constexpr int kShort = 3;

template <class Function, int cost>
constexpr ElementFunction Unary(std::string_view name, int params = 0) {
  return {name, &Loop<Function, 1, cost <= kShort>, 1, params, cost};
}
template <class Function, int cost>
constexpr ElementFunction Binary(std::string_view name, int params = 0) {
  return {name, &Loop<Function, 2, cost <= kShort>, 2, params, cost};
}
template <class Function, int cost>
constexpr ElementFunction Ternary(std::string_view name, int params = 0) {
  return {name, &Loop<Function, 3, cost <= kShort>, 3, params, cost};
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

// A function object type: FOOTHOLD_ELEMENT1(Relu, max of a and 0) with `d`, `p` and `a` (then `b`, `c`) in
// scope.
#define FOOTHOLD_ELEMENT1(Name, ...)                                                                       \
  struct Name {                                                                                            \
    static HWY_INLINE Floats Of([[maybe_unused]] FloatTag d, [[maybe_unused]] const Params& p, Floats a) { \
      __VA_ARGS__                                                                                          \
    }                                                                                                      \
  }
#define FOOTHOLD_ELEMENT2(Name, ...)                                                                     \
  struct Name {                                                                                          \
    static HWY_INLINE Floats Of([[maybe_unused]] FloatTag d, [[maybe_unused]] const Params& p, Floats a, \
                                Floats b) {                                                              \
      __VA_ARGS__                                                                                        \
    }                                                                                                    \
  }
#define FOOTHOLD_ELEMENT3(Name, ...)                                                                     \
  struct Name {                                                                                          \
    static HWY_INLINE Floats Of([[maybe_unused]] FloatTag d, [[maybe_unused]] const Params& p, Floats a, \
                                Floats b, Floats c) {                                                    \
      __VA_ARGS__                                                                                        \
    }                                                                                                    \
  }

#endif
