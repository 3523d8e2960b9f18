// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/channel_scale.h"

#include "base/thread_pool.h"
#include "kernels/channel_blocks.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/channel_scale.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void ScalePlane(const float* input, const float* factors, std::size_t pixels, float* output) {
  const hn::CappedTag<float, 16> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto factor = hn::LoadU(d, factors);
  for (std::size_t i = 0; i < pixels * lanes; i += lanes)
    hn::StoreU(hn::Mul(hn::LoadU(d, input + i), factor), d, output + i);
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(ScalePlane);
}  // namespace

void ScaleChannels(std::size_t planes, std::size_t pixels, const float* input, const float* factors,
                   float* output) {
  const std::size_t lanes = ChannelBlock();
  const auto scale = HWY_DYNAMIC_DISPATCH(ScalePlane);
  ParallelFor(planes, 1 + 65536 / (1 + pixels * lanes), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      scale(input + i * pixels * lanes, factors + i * lanes, pixels, output + i * pixels * lanes);
  });
}

}  // namespace foothold
#endif
