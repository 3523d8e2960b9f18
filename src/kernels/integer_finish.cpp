// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/integer_finish.h"

#include <algorithm>

#include "base/thread_pool.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/integer_finish.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/integer_pairs-inl.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, 16>;
void FinishOf(const IntegerFinish& finish, const std::int32_t* first, const std::int32_t* second,
              std::size_t pixels, std::int16_t* out) {
  const Floats d;
  const hn::Rebind<std::int16_t, Floats> narrow;
  const std::size_t lanes = hn::Lanes(d);
  const std::int16_t* residual = finish.residual;
  FinishPixels(d, finish, hn::LoadU(d, finish.scales), residual, first, pixels, out);
  if (second != nullptr)
    return FinishPixels(d, finish, hn::LoadU(d, finish.scales + lanes),
                        residual == nullptr ? nullptr : residual + lanes, second, pixels, out + lanes);
  for (std::size_t i = 0; i < pixels; ++i)
    hn::StoreU(hn::Zero(narrow), narrow, out + (2 * i + 1) * lanes);
}

void AddOf(const IntegerSum& sum, const std::int16_t* left, const std::int16_t* right, std::size_t count,
           std::int16_t* out) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < count; i += lanes) {
    const auto both = AddResidual(d, LoadNarrow(d, left + i), LoadNarrow(d, right + i), sum);
    StoreNarrow(d, RoundWithin(d, both, sum.low, sum.high), out + i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(FinishOf);
HWY_EXPORT(AddOf);
}  // namespace

void FinishIntegers(const IntegerFinish& finish, const std::int32_t* first, const std::int32_t* second,
                    std::size_t pixels, std::int16_t* out) {
  HWY_DYNAMIC_DISPATCH(FinishOf)(finish, first, second, pixels, out);
}

void AddIntegers(const IntegerSum& sum, const std::int16_t* left, const std::int16_t* right,
                 std::size_t count, std::int16_t* out) {
  constexpr std::size_t kPiece = 16384;  // a multiple of every vector
  ParallelFor((count + kPiece - 1) / kPiece, 1, [&](std::size_t begin, std::size_t end) {
    const std::size_t first = begin * kPiece, last = std::min(count, end * kPiece);
    HWY_DYNAMIC_DISPATCH(AddOf)(sum, left + first, right + first, last - first, out + first);
  });
}

}  // namespace foothold
#endif
