// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/scale_axis.h"

#include <algorithm>
#include <cmath>

namespace foothold {
namespace {

// The very expression that decides the bits: the ratio is inverted twice.
double StepOf(std::size_t from, std::size_t to) {
  return 1. / (static_cast<double>(to) / static_cast<double>(from));
}

struct CentreOf {
  std::int32_t place;
  float share;

  CentreOf(std::size_t at, double step) {
    const float centre = static_cast<float>((static_cast<double>(at) + 0.5) * step - 0.5);
    place = static_cast<std::int32_t>(std::floor(centre));
    share = centre - static_cast<float>(place);
  }
};

std::int16_t FixedWeight(float weight) {
  return static_cast<std::int16_t>(std::lrintf(weight * kScaleOne));
}

LinearTap TapAt(CentreOf centre, std::int32_t last, bool whole_at_ends) {
  if (whole_at_ends && (centre.place < 0 || centre.place >= last)) {
    centre.place = centre.place < 0 ? 0 : last;
    centre.share = 0;
  }
  return {std::clamp(centre.place, 0, last), std::clamp(centre.place + 1, 0, last),
          FixedWeight(1.f - centre.share), FixedWeight(centre.share)};
}

std::array<std::int16_t, 4> CubicWeights(float x) {
  constexpr float kA = -0.75f;
  std::array<float, 4> weight;
  weight[0] = ((kA * (x + 1) - 5 * kA) * (x + 1) + 8 * kA) * (x + 1) - 4 * kA;
  weight[1] = ((kA + 2) * x - (kA + 3)) * x * x + 1;
  weight[2] = ((kA + 2) * (1 - x) - (kA + 3)) * (1 - x) * (1 - x) + 1;
  weight[3] = 1.f - weight[0] - weight[1] - weight[2];
  return {FixedWeight(weight[0]), FixedWeight(weight[1]), FixedWeight(weight[2]), FixedWeight(weight[3])};
}

}  // namespace

std::vector<LinearTap> LinearTaps(std::size_t from, std::size_t to, bool whole_at_ends) {
  const double step = StepOf(from, to);
  const auto last = static_cast<std::int32_t>(from) - 1;
  std::vector<LinearTap> taps(to);
  for (std::size_t at = 0; at < to; ++at)
    taps[at] = TapAt(CentreOf(at, step), last, whole_at_ends);
  return taps;
}

std::vector<CubicTap> CubicTaps(std::size_t from, std::size_t to) {
  const double step = StepOf(from, to);
  const auto last = static_cast<std::int32_t>(from) - 1;
  std::vector<CubicTap> taps(to);
  for (std::size_t at = 0; at < to; ++at) {
    const CentreOf centre(at, step);
    for (std::int32_t k = 0; k < 4; ++k)
      taps[at].place[static_cast<std::size_t>(k)] = std::clamp(centre.place - 1 + k, 0, last);
    taps[at].weight = CubicWeights(centre.share);
  }
  return taps;
}

std::vector<std::uint32_t> NearestPlaces(std::size_t from, std::size_t to) {
  const double step = StepOf(from, to);
  std::vector<std::uint32_t> places(to);
  for (std::size_t at = 0; at < to; ++at)
    places[at] = static_cast<std::uint32_t>(
        std::min(std::floor(static_cast<double>(at) * step), static_cast<double>(from - 1)));
  return places;
}

}  // namespace foothold
