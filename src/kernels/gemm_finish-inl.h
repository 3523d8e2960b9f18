// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Complete sums of products on their way into the output (GemmEpilogue in gemm.h); included once per target.
#if defined(FOOTHOLD_KERNELS_GEMM_FINISH) == defined(HWY_TARGET_TOGGLE)
#ifdef FOOTHOLD_KERNELS_GEMM_FINISH
#undef FOOTHOLD_KERNELS_GEMM_FINISH
#else
#define FOOTHOLD_KERNELS_GEMM_FINISH
#endif

#include <algorithm>
#include <cstddef>

#include "hwy/highway.h"
#include "kernels/gemm.h"
#include "kernels/output_finish-inl.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using FloatVec = hn::Vec<Floats>;

// Where a sum stands in the block; rows of the output are `stride` apart.
struct SumPlace {
  std::size_t row, column, stride;
};

// All but activations that take longer, which ActivateRow applies to what has been stored.
HWY_INLINE FloatVec Finish(Floats d, FloatVec value, const GemmEpilogue& finish, const SumPlace& at) {
  if (finish.row_bias != nullptr) value = hn::Add(value, hn::Set(d, finish.row_bias[at.row]));
  if (finish.column_bias != nullptr) value = hn::Add(value, hn::LoadU(d, finish.column_bias + at.column));
  if (finish.residual != nullptr)
    value = hn::Add(value, hn::LoadU(d, finish.residual + at.row * at.stride + at.column));
  return Clip(d, value, finish.activation);
}

HWY_INLINE float FinishOne(float value, const GemmEpilogue& finish, const SumPlace& at) {
  if (finish.row_bias != nullptr) value += finish.row_bias[at.row];
  if (finish.column_bias != nullptr) value += finish.column_bias[at.column];
  if (finish.residual != nullptr) value += finish.residual[at.row * at.stride + at.column];
  value = value < finish.activation.low ? finish.activation.low : value;
  return value > finish.activation.high ? finish.activation.high : value;
}

HWY_INLINE void ActivateRow(const ActivationSpec& activation, float* row, std::size_t count) {
  if (activation.kind == Activation::kClip) return;
  const Floats d;
  const std::size_t whole = count / hn::Lanes(d) * hn::Lanes(d);
  Activate(d, activation, row, whole);
  if (whole == count) return;
  HWY_ALIGN float rest[hn::MaxLanes(d)] = {};
  std::copy(row + whole, row + count, rest);
  Activate(d, activation, rest, hn::Lanes(d));
  std::copy_n(rest, count - whole, row + whole);
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#endif
