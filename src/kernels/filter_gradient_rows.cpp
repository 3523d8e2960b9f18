// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/filter_gradient_rows.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/filter_gradient_rows.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, 16>;  // as channels are blocked

// Four channels of the input. Named accumulators: vectors whose size only the CPU knows cannot be in an
// array.
template <std::size_t kBlocks>
HWY_NOINLINE void AddFourChannels(const FilterGradientSums& job, std::size_t channel) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d), line = kBlocks * lanes;
  float* sums = job.sums + channel * line;
  auto a0 = hn::LoadU(d, sums), b0 = hn::LoadU(d, sums + line), c0 = hn::LoadU(d, sums + 2 * line),
       e0 = hn::LoadU(d, sums + 3 * line);
  auto a1 = hn::Zero(d), b1 = a1, c1 = a1, e1 = a1, a2 = a1, b2 = a1, c2 = a1, e2 = a1;
  if constexpr (kBlocks > 1) {
    a1 = hn::LoadU(d, sums + lanes), b1 = hn::LoadU(d, sums + line + lanes);
    c1 = hn::LoadU(d, sums + 2 * line + lanes), e1 = hn::LoadU(d, sums + 3 * line + lanes);
  }
  if constexpr (kBlocks > 2) {
    a2 = hn::LoadU(d, sums + 2 * lanes), b2 = hn::LoadU(d, sums + line + 2 * lanes);
    c2 = hn::LoadU(d, sums + 2 * line + 2 * lanes), e2 = hn::LoadU(d, sums + 3 * line + 2 * lanes);
  }
  // Copies: a store may change anything the compiler sees by reference.
  const std::size_t count = job.count, pixels = job.pixels, input_step = job.input_step;
  const std::size_t block_step = job.block_step;
  const FilterGradientRow* rows = job.rows;
  for (std::size_t row = 0; row < count; ++row) {
    const float* x = job.input + rows[row].input + channel;
    const float* g = job.gradient + rows[row].gradient;
    for (std::size_t pixel = 0; pixel < pixels; ++pixel, x += input_step, g += lanes) {
      const auto g0 = hn::LoadU(d, g);
      const auto g1 = kBlocks > 1 ? hn::LoadU(d, g + block_step) : g0;
      const auto g2 = kBlocks > 2 ? hn::LoadU(d, g + 2 * block_step) : g0;
      auto factor = hn::Set(d, x[0]);
      a0 = hn::MulAdd(factor, g0, a0);
      if constexpr (kBlocks > 1) a1 = hn::MulAdd(factor, g1, a1);
      if constexpr (kBlocks > 2) a2 = hn::MulAdd(factor, g2, a2);
      factor = hn::Set(d, x[1]);
      b0 = hn::MulAdd(factor, g0, b0);
      if constexpr (kBlocks > 1) b1 = hn::MulAdd(factor, g1, b1);
      if constexpr (kBlocks > 2) b2 = hn::MulAdd(factor, g2, b2);
      factor = hn::Set(d, x[2]);
      c0 = hn::MulAdd(factor, g0, c0);
      if constexpr (kBlocks > 1) c1 = hn::MulAdd(factor, g1, c1);
      if constexpr (kBlocks > 2) c2 = hn::MulAdd(factor, g2, c2);
      factor = hn::Set(d, x[3]);
      e0 = hn::MulAdd(factor, g0, e0);
      if constexpr (kBlocks > 1) e1 = hn::MulAdd(factor, g1, e1);
      if constexpr (kBlocks > 2) e2 = hn::MulAdd(factor, g2, e2);
    }
  }
  hn::StoreU(a0, d, sums), hn::StoreU(b0, d, sums + line);
  hn::StoreU(c0, d, sums + 2 * line), hn::StoreU(e0, d, sums + 3 * line);
  if constexpr (kBlocks > 1) {
    hn::StoreU(a1, d, sums + lanes), hn::StoreU(b1, d, sums + line + lanes);
    hn::StoreU(c1, d, sums + 2 * line + lanes), hn::StoreU(e1, d, sums + 3 * line + lanes);
  }
  if constexpr (kBlocks > 2) {
    hn::StoreU(a2, d, sums + 2 * lanes), hn::StoreU(b2, d, sums + line + 2 * lanes);
    hn::StoreU(c2, d, sums + 2 * line + 2 * lanes), hn::StoreU(e2, d, sums + 3 * line + 2 * lanes);
  }
}

// Where a block has fewer than four channels.
HWY_NOINLINE void AddOneChannel(const FilterGradientSums& job, std::size_t channel) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t block = 0; block < job.blocks; ++block) {
    float* to = job.sums + (channel * job.blocks + block) * lanes;
    auto sum = hn::LoadU(d, to);
    for (std::size_t row = 0; row < job.count; ++row) {
      const float* x = job.input + job.rows[row].input + channel;
      const float* g = job.gradient + job.rows[row].gradient + block * job.block_step;
      for (std::size_t pixel = 0; pixel < job.pixels; ++pixel)
        sum = hn::MulAdd(hn::Set(d, x[pixel * job.input_step]), hn::LoadU(d, g + pixel * lanes), sum);
    }
    hn::StoreU(sum, d, to);
  }
}

void AddSums(const FilterGradientSums& job) {
  const std::size_t lanes = hn::Lanes(Floats());
  std::size_t channel = 0;
  for (; channel < job.channels && channel + 4 <= lanes; channel += 4) {
    if (job.blocks == 3)
      AddFourChannels<3>(job, channel);
    else if (job.blocks == 2)
      AddFourChannels<2>(job, channel);
    else
      AddFourChannels<1>(job, channel);
  }
  for (; channel < job.channels; ++channel)
    AddOneChannel(job, channel);
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(AddSums);
}  // namespace

void AddFilterGradient(const FilterGradientSums& sums) {
  HWY_DYNAMIC_DISPATCH(AddSums)(sums);
}

}  // namespace foothold
#endif
