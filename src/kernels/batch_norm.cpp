// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/batch_norm.h"

#include <algorithm>
#include <cmath>

#include "base/thread_pool.h"
#include "kernels/channel_blocks.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/batch_norm.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#ifndef FOOTHOLD_KERNELS_BATCH_NORM_SHARED
#define FOOTHOLD_KERNELS_BATCH_NORM_SHARED
namespace foothold {
namespace {

constexpr std::size_t kBatchNormRun = 8192;  // elements summed in float
constexpr std::size_t kBatchNormLanes = 16;  // at most

// What a vector of elements has in common: one channel in all lanes, or a channel in each.
struct ChannelNumbers {
  alignas(64) float a[kBatchNormLanes], b[kBatchNormLanes], c[kBatchNormLanes];
};

}  // namespace
}  // namespace foothold
#endif

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, 16>;  // as channels are blocked
using FloatVec = hn::Vec<Floats>;

// Calls visit(i, count) for whole vectors of a run, then for the elements that are left.
template <class Visit>
HWY_INLINE void ForEachVector(std::size_t count, const Visit& visit) {
  const std::size_t lanes = hn::Lanes(Floats());
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    visit(i, lanes);
  if (i < count) visit(i, count - i);
}

// The first `count` lanes, the others filled with `fill`.
HWY_INLINE FloatVec LoadSome(const float* from, std::size_t count, FloatVec fill) {
  const Floats d;
  if (count == hn::Lanes(d)) return hn::LoadU(d, from);
  HWY_ALIGN float some[kBatchNormLanes];
  hn::StoreU(fill, d, some);
  std::copy_n(from, count, some);
  return hn::LoadU(d, some);
}

HWY_INLINE void StoreSome(FloatVec value, std::size_t count, float* to) {
  const Floats d;
  if (count == hn::Lanes(d)) return hn::StoreU(value, d, to);
  HWY_ALIGN float some[kBatchNormLanes];
  hn::StoreU(value, d, some);
  std::copy_n(some, count, to);
}

HWY_INLINE void AddLanesTo(FloatVec sums, double* totals) {
  const Floats d;
  HWY_ALIGN float lanes[kBatchNormLanes];
  hn::StoreU(sums, d, lanes);
  for (std::size_t i = 0; i < hn::Lanes(d); ++i)
    totals[i] += static_cast<double>(lanes[i]);
}

// Adds the elements of a run, by lane; with `kSquares` the squares of their distances from numbers.a.
template <bool kSquares>
void AddRun(const float* x, std::size_t count, const ChannelNumbers& numbers, double* totals) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  const auto center = kSquares ? hn::LoadU(d, numbers.a) : hn::Zero(d);
  const auto term = [&](FloatVec value, FloatVec sum) HWY_ATTR {
    if constexpr (!kSquares) return hn::Add(sum, value);
    const auto away = hn::Sub(value, center);
    return hn::MulAdd(away, away, sum);
  };
  auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
  std::size_t i = 0;
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
    s0 = term(hn::LoadU(d, x + i), s0);
    s1 = term(hn::LoadU(d, x + i + lanes), s1);
    s2 = term(hn::LoadU(d, x + i + 2 * lanes), s2);
    s3 = term(hn::LoadU(d, x + i + 3 * lanes), s3);
  }
  for (; i < count; i += lanes)
    s0 = term(LoadSome(x + i, std::min(lanes, count - i), center), s0);
  AddLanesTo(hn::Add(hn::Add(s0, s1), hn::Add(s2, s3)), totals);
}

void SumRun(const float* x, std::size_t count, bool squares, const ChannelNumbers& numbers, double* totals) {
  for (std::size_t begin = 0; begin < count; begin += kBatchNormRun) {
    const std::size_t length = std::min(kBatchNormRun, count - begin);
    squares ? AddRun<true>(x + begin, length, numbers, totals)
            : AddRun<false>(x + begin, length, numbers, totals);
  }
}

// y = (x - a) * b + c
void NormalizeRun(const float* x, std::size_t count, const ChannelNumbers& numbers, float* y) {
  const Floats d;
  const auto a = hn::LoadU(d, numbers.a), b = hn::LoadU(d, numbers.b), c = hn::LoadU(d, numbers.c);
  ForEachVector(count, [&](std::size_t i, std::size_t n) HWY_ATTR {
    StoreSome(hn::MulAdd(hn::Sub(LoadSome(x + i, n, a), a), b, c), n, y + i);
  });
}

// Sums of dy and of dy times the distance of x from numbers.a.
void SumProducts(const float* dy, const float* x, std::size_t count, const ChannelNumbers& numbers,
                 double* totals, double* products) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  const auto center = hn::LoadU(d, numbers.a), zero = hn::Zero(d);
  for (std::size_t begin = 0; begin < count; begin += kBatchNormRun) {
    const std::size_t past = std::min(begin + kBatchNormRun, count);
    auto s0 = zero, s1 = zero, p0 = zero, p1 = zero;
    std::size_t i = begin;
    for (; i + 2 * lanes <= past; i += 2 * lanes) {
      const auto g0 = hn::LoadU(d, dy + i), g1 = hn::LoadU(d, dy + i + lanes);
      s0 = hn::Add(s0, g0);
      s1 = hn::Add(s1, g1);
      p0 = hn::MulAdd(g0, hn::Sub(hn::LoadU(d, x + i), center), p0);
      p1 = hn::MulAdd(g1, hn::Sub(hn::LoadU(d, x + i + lanes), center), p1);
    }
    for (; i < past; i += lanes) {
      const std::size_t n = std::min(lanes, past - i);
      const auto g = LoadSome(dy + i, n, zero);
      s0 = hn::Add(s0, g);
      p0 = hn::MulAdd(g, hn::Sub(LoadSome(x + i, n, center), center), p0);
    }
    AddLanesTo(hn::Add(s0, s1), totals);
    AddLanesTo(hn::Add(p0, p1), products);
  }
}

// dx = scale * (dy - b - (x - a) * c)
void GradientRun(const float* dy, const float* x, std::size_t count, const ChannelNumbers& numbers,
                 const float* scale, float* dx) {
  const Floats d;
  const auto a = hn::LoadU(d, numbers.a), b = hn::LoadU(d, numbers.b), c = hn::LoadU(d, numbers.c);
  const auto factor = hn::LoadU(d, scale), zero = hn::Zero(d);
  ForEachVector(count, [&](std::size_t i, std::size_t n) HWY_ATTR {
    const auto away = hn::Sub(LoadSome(x + i, n, a), a);
    const auto rest = hn::NegMulAdd(away, c, hn::Sub(LoadSome(dy + i, n, zero), b));
    StoreSome(hn::Mul(factor, rest), n, dx + i);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(SumRun);
HWY_EXPORT(NormalizeRun);
HWY_EXPORT(SumProducts);
HWY_EXPORT(GradientRun);

constexpr std::size_t kWorthAThread = 32768;

// One channel in planes, or a block of channels; its elements lie in so many runs as there are images.
class ChannelRuns {
 public:
  ChannelRuns(const ChannelLayout& layout, std::size_t block)
      : layout_(layout), block_(block), lanes_(ChannelBlock()) {}

  static std::size_t Blocks(const ChannelLayout& layout) {
    return (layout.channels + layout.lanes - 1) / layout.lanes;
  }
  std::size_t First() const { return block_ * layout_.lanes; }
  std::size_t Channels() const { return std::min(layout_.lanes, layout_.channels - First()); }
  std::size_t Length() const { return layout_.inner * layout_.lanes; }

  // Sums by lane become sums by channel; the two may be the same.
  void Gather(const double* by_lane, double* by_channel) const {
    if (layout_.lanes > 1) {
      std::copy(by_lane, by_lane + layout_.lanes, by_channel);
      return;
    }
    double sum = 0;
    for (std::size_t i = 0; i < lanes_; ++i)
      sum += by_lane[i];
    by_channel[0] = sum;
  }
  // Numbers by channel become numbers by lane, zeros where a lane has no channel.
  void Spread(const float* by_channel, float* by_lane) const {
    for (std::size_t i = 0; i < kBatchNormLanes; ++i)
      by_lane[i] = layout_.lanes == 1 ? by_channel[0] : i < Channels() ? by_channel[i] : 0.0f;
  }

  // Calls visit(first element) for each run.
  template <typename Visit>
  void ForEach(Visit&& visit) const {
    for (std::size_t image = 0; image < layout_.outer; ++image)
      visit((image * Blocks(layout_) + block_) * Length());
  }

 private:
  const ChannelLayout& layout_;
  std::size_t block_, lanes_;
};

template <typename Body>
void ForEachBlock(const ChannelLayout& layout, Body&& body) {
  const std::size_t grain = 1 + kWorthAThread / (1 + layout.Count() * layout.lanes);
  ParallelFor(ChannelRuns::Blocks(layout), grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t block = begin; block < end; ++block)
      body(ChannelRuns(layout, block));
  });
}

// The mean of the elements, or of the squares of their distances from numbers.a.
void MeanOf(const ChannelLayout& layout, const ChannelRuns& runs, const float* x, bool squares,
            const ChannelNumbers& numbers, float* means) {
  double by_lane[kBatchNormLanes] = {}, sums[kBatchNormLanes];
  runs.ForEach([&](std::size_t at) {
    HWY_DYNAMIC_DISPATCH(SumRun)(x + at, runs.Length(), squares, numbers, by_lane);
  });
  runs.Gather(by_lane, sums);
  for (std::size_t i = 0; i < runs.Channels(); ++i)
    means[i] = static_cast<float>(sums[i] / static_cast<double>(layout.Count()));
}

void ForwardOf(const ChannelLayout& layout, const ChannelRuns& runs, const float* x,
               const NormParameters& parameters, float* y, float* mean, float* variance) {
  const std::size_t first = runs.First();
  ChannelNumbers numbers = {};
  MeanOf(layout, runs, x, false, numbers, mean + first);
  runs.Spread(mean + first, numbers.a);
  MeanOf(layout, runs, x, true, numbers, variance + first);
  float scales[kBatchNormLanes] = {};
  for (std::size_t i = 0; i < runs.Channels(); ++i)
    scales[i] = 1.0f / std::sqrt(variance[first + i] + parameters.epsilon) * parameters.weight[first + i];
  runs.Spread(scales, numbers.b);
  runs.Spread(parameters.bias + first, numbers.c);
  runs.ForEach([&](std::size_t at) {
    HWY_DYNAMIC_DISPATCH(NormalizeRun)(x + at, runs.Length(), numbers, y + at);
  });
}

}  // namespace

void BatchNormForward(const ChannelLayout& layout, const float* x, const NormParameters& parameters, float* y,
                      float* mean, float* variance) {
  ForEachBlock(layout,
               [&](const ChannelRuns& runs) { ForwardOf(layout, runs, x, parameters, y, mean, variance); });
}

void BatchNormGradient(const ChannelLayout& layout, const float* gradient, const float* input,
                       const float* scale, const ChannelStatistics& statistics, bool through_statistics,
                       float* input_gradient, float* scale_gradient, float* offset_gradient) {
  const auto count = static_cast<double>(layout.Count());
  ForEachBlock(layout, [&](const ChannelRuns& runs) {
    const std::size_t first = runs.First();
    ChannelNumbers numbers = {};
    runs.Spread(statistics.mean + first, numbers.a);
    double totals[kBatchNormLanes] = {}, products[kBatchNormLanes] = {};
    runs.ForEach([&](std::size_t at) {
      HWY_DYNAMIC_DISPATCH(SumProducts)
      (gradient + at, input + at, runs.Length(), numbers, totals, products);
    });
    runs.Gather(totals, totals);
    runs.Gather(products, products);
    float shift[kBatchNormLanes] = {}, slope[kBatchNormLanes] = {}, factor[kBatchNormLanes] = {};
    for (std::size_t i = 0; i < runs.Channels(); ++i) {
      const std::size_t c = first + i;
      const double deviation = 1 / std::sqrt(static_cast<double>(statistics.variance[c]) +
                                             static_cast<double>(statistics.epsilon));
      if (through_statistics) {
        shift[i] = static_cast<float>(totals[i] / count);
        slope[i] = static_cast<float>(products[i] / count * deviation * deviation);
      }
      factor[i] = static_cast<float>(static_cast<double>(scale[c]) * deviation);
      offset_gradient[c] = static_cast<float>(totals[i]);
      scale_gradient[c] = static_cast<float>(products[i] * deviation);
    }
    alignas(64) float factors[kBatchNormLanes];
    runs.Spread(shift, numbers.b);
    runs.Spread(slope, numbers.c);
    runs.Spread(factor, factors);
    runs.ForEach([&](std::size_t at) {
      HWY_DYNAMIC_DISPATCH(GradientRun)
      (gradient + at, input + at, runs.Length(), numbers, factors, input_gradient + at);
    });
  });
}

}  // namespace foothold
#endif
