// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/error.h"
#include "media/transform.h"

namespace foothold::media {
namespace {

// Of luma; of V for R, of U and V for G, of U for B.
constexpr std::array<double, 9> ToRgb(double y, double rv, double gu, double gv, double bu) {
  return {y, 0, rv, y, gu, gv, y, bu, 0};
}

constexpr std::array<double, 3> kWideBias{0, 128, 128}, kNarrowBias{16, 128, 128};
// Documented for BT.601 wide: half less than the standard's, which makes rounding cut off.
constexpr std::array<double, 3> kCutBias{-0.5, 127.5, 127.5};

constexpr ColorCoefficients kMatrices[] = {
    {ToRgb(1, 1.402, -.344, -.714, 1.772),
     kWideBias,
     {.299, .587, .114, -.168, -.331, .5, .5, -.419, -.081},
     kCutBias},
    {ToRgb(1.16438, 1.59602, -.39176, -.81297, 2.01723),
     kNarrowBias,
     {.25679, .50413, .09791, -.14822, -.29099, .43922, .43922, -.36779, -.07143},
     kNarrowBias},
    {ToRgb(1, 1.57480, -.18732, -.46812, 1.85560),
     kWideBias,
     {.2126, .7152, .0722, -.11457, -.38543, .5, .5, -.45415, -.04585},
     kCutBias},
    {ToRgb(1.16438, 1.79274, -.21325, -.53291, 2.11240),
     kNarrowBias,
     {.18259, .61423, .06201, -.10064, -.33857, .43922, .43922, -.39894, -.04027},
     kNarrowBias},
    {ToRgb(1, 1.47460, -.16455, -.57135, 1.88140),
     kWideBias,
     {.2627, .678, .0593, -.13963, -.36037, .5, .5, -.45979, -.04021},
     kCutBias},
    {ToRgb(1.16438, 1.67867, -.18733, -.65042, 2.14177),
     kNarrowBias,
     {.22561, .58228, .05093, -.12266, -.31656, .43922, .43922, -.40389, -.03533},
     kNarrowBias},
};

}  // namespace

const ColorCoefficients& CoefficientsOf(ColorMatrix matrix) {
  const auto number = static_cast<std::uint32_t>(matrix);
  if (number >= std::size(kMatrices))
    Fail(kInvalidParam, "colour matrix {} does not exist; 0 to 5 do", number);
  return kMatrices[number];
}

}  // namespace foothold::media
