// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/bilinear.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/bilinear.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class V>
HWY_INLINE V Mix(V a, V b, V share) {
  return hn::MulAdd(hn::Sub(b, a), share, a);
}

template <class D>
HWY_INLINE void RowStep(D d, const float* top, const float* bottom, float share, const BilinearTable& table,
                        std::size_t i, float* y) {
  const hn::RebindToSigned<D> places;
  const auto first = hn::LoadU(places, table.first + i);
  const auto second = hn::LoadU(places, table.second + i);
  const auto across = hn::LoadU(d, table.share + i);
  const auto above = Mix(hn::GatherIndex(d, top, first), hn::GatherIndex(d, top, second), across);
  const auto below = Mix(hn::GatherIndex(d, bottom, first), hn::GatherIndex(d, bottom, second), across);
  hn::StoreU(Mix(above, below, hn::Set(d, share)), d, y + i);
}

void Row(const float* top, const float* bottom, float share, BilinearTable table, float* y) {
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 1> one;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= table.count; i += hn::Lanes(d))
    RowStep(d, top, bottom, share, table, i, y);
  for (; i < table.count; ++i)
    RowStep(one, top, bottom, share, table, i, y);
}

template <class D>
HWY_INLINE void ChannelStep(D d, const float* const corners[4], float across, float down, std::size_t c,
                            float* y) {
  const auto share = hn::Set(d, across);
  const auto above = Mix(hn::LoadU(d, corners[0] + c), hn::LoadU(d, corners[1] + c), share);
  const auto below = Mix(hn::LoadU(d, corners[2] + c), hn::LoadU(d, corners[3] + c), share);
  hn::StoreU(Mix(above, below, hn::Set(d, down)), d, y + c);
}

void Pixels(const float* top, const float* bottom, float share, BilinearTable table, std::size_t channels,
            float* y) {
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 1> one;
  for (std::size_t i = 0; i < table.count; ++i, y += channels) {
    const float* const corners[4] = {top + table.first[i], top + table.second[i], bottom + table.first[i],
                                     bottom + table.second[i]};
    std::size_t c = 0;
    for (; c + hn::Lanes(d) <= channels; c += hn::Lanes(d))
      ChannelStep(d, corners, table.share[i], share, c, y);
    for (; c < channels; ++c)
      ChannelStep(one, corners, table.share[i], share, c, y);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(Row);
HWY_EXPORT(Pixels);
}  // namespace

void BilinearRow(const float* top, const float* bottom, float share, BilinearTable table, float* y) {
  HWY_DYNAMIC_DISPATCH(Row)(top, bottom, share, table, y);
}

void BilinearPixels(const float* top, const float* bottom, float share, BilinearTable table,
                    std::size_t channels, float* y) {
  HWY_DYNAMIC_DISPATCH(Pixels)(top, bottom, share, table, channels, y);
}

}  // namespace foothold
#endif
