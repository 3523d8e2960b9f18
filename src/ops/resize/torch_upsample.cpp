// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Planes, lines and volumes made longer as PyTorch does it, and the gradients: the nearest element, or a
// weighted sum of neighbours along each axis. x is [N, C, ...]. 'output_size' says how long; without it
// 'scales' does, and with both scales say where elements lie. AclnnUpsample and AclnnUpsampleGrad, operators
// of our own, have any number of axes and the mode as an attribute: nearest and nearest_exact, which takes
// middles of elements for their places; linear and cubic; and smooth_linear and smooth_cubic, which look at
// all of what becomes one element where lines become shorter.
#include <algorithm>
#include <cmath>

#include "ops/data/indexed_kernel.h"
#include "ops/data/rule_arguments.h"
#include "ops/resize/coordinate_map.h"
#include "ops/resize/resample_kernel.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

// One axis: what it was, what it becomes, and how far apart neighbours of the result lie in x.
struct Side {
  std::size_t in, out;
  double step;
};

enum class Mode { kNearest, kNearestExact, kLinear, kCubic, kSmoothLinear, kSmoothCubic };

bool Weighs(Mode mode) {
  return mode != Mode::kNearest && mode != Mode::kNearestExact;
}

struct Upsampling {
  Mode mode = Mode::kNearest;
  bool align_corners = false;
  Dims small, large;  // whole shapes
  std::vector<Side> sides;
};

std::vector<std::int64_t> SizesFrom(const OpContext& context, const Dims& x,
                                    const std::vector<float>& scales) {
  std::vector<std::int64_t> sizes = context.node().Ints("output_size", {});
  if (!sizes.empty()) return sizes;
  if (scales.size() + 2 != x.size())
    context.Refuse("there are {} scales for x {}, expected one for each axis after the second", scales.size(),
                   ToString(x));
  for (std::size_t i = 0; i < scales.size(); ++i) {
    const double length = std::floor(static_cast<double>(x[i + 2]) * static_cast<double>(scales[i]));
    if (!(length >= 1 && length < 0x1p31))
      context.Refuse("scale {} makes an axis {} long", scales[i], length);
    sizes.push_back(static_cast<std::int64_t>(length));
  }
  return sizes;
}

double StepOf(const Upsampling& whole, std::int64_t in, std::int64_t out, float scale) {
  const auto from = static_cast<double>(in), to = static_cast<double>(out);
  if (Weighs(whole.mode) && whole.align_corners) return out > 1 ? (from - 1) / (to - 1) : 0;
  return scale > 0 ? 1 / static_cast<double>(scale) : from / to;
}

// `x` is the shape of the smaller tensor, the one that was or is to be upsampled.
Upsampling UpsamplingOf(const OpContext& context, const Dims& x, Mode mode) {
  if (x.size() < 3) context.Refuse("x is {}, expected a batch, channels and at least one axis", ToString(x));
  Upsampling whole{mode, context.node().Bool("align_corners", false), x, x, {}};
  const std::vector<float> scales = context.node().Floats("scales", {});
  const std::vector<std::int64_t> sizes = SizesFrom(context, x, scales);
  if (sizes.size() + 2 != x.size() || (!scales.empty() && scales.size() != sizes.size()))
    context.Refuse("there are {} sizes and {} scales for x {}, expected one for each axis after the second",
                   sizes.size(), scales.size(), ToString(x));
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] < 1 || x[i + 2] < 1 || sizes[i] > INT32_MAX)
      context.Refuse("an axis of {} becomes {} long, expected at least 1", x[i + 2], sizes[i]);
    whole.large[i + 2] = sizes[i];
    whole.sides.push_back({static_cast<std::size_t>(x[i + 2]), static_cast<std::size_t>(sizes[i]),
                           StepOf(whole, x[i + 2], sizes[i], scales.empty() ? 0 : scales[i])});
  }
  return whole;
}

// In float, as the originals are: where a product falls just short of an element decides.
std::size_t NearestOf(Mode mode, const Side& side, std::size_t i) {
  const float middle = mode == Mode::kNearestExact ? 0.5f : 0.0f;
  const float at = std::floor((static_cast<float>(i) + middle) * static_cast<float>(side.step));
  return std::min(static_cast<std::size_t>(at), side.in - 1);
}

double LinearWeight(double distance) {
  return std::max(1 - std::abs(distance), 0.0);
}

// The cubic of Keys with the parameter -0.5.
double CubicWeight(double distance) {
  const double x = std::abs(distance);
  if (x < 1) return (1.5 * x - 2.5) * x * x + 1;
  return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0;
}

// A filter as wide as what becomes one element; the weights are scaled to a sum of 1.
void AddSmoothTaps(const Upsampling& whole, const Side& side, std::size_t i, Taps& taps) {
  const bool cubic = whole.mode == Mode::kSmoothCubic;
  const double middle = whole.align_corners ? 0 : 0.5, width = std::max(side.step, 1.0);
  const double reach = (cubic ? 2 : 1) * width, center = side.step * (static_cast<double>(i) + middle);
  const auto begin = static_cast<std::size_t>(std::max(center - reach + middle, 0.0));
  const std::size_t end = std::min(static_cast<std::size_t>(center + reach + middle), side.in);
  std::vector<double> weights;
  double sum = 0;
  for (std::size_t k = begin; k < end; ++k) {
    const double distance = (static_cast<double>(k) - center + middle) / width;
    weights.push_back(cubic ? CubicWeight(distance) : LinearWeight(distance));
    sum += weights.back();
  }
  for (std::size_t k = begin; k < end; ++k)
    taps.Add(k, weights[k - begin] / (sum == 0 ? 1 : sum));
}

void AddTaps(const Upsampling& whole, const Side& side, std::size_t i, Taps& taps) {
  if (!Weighs(whole.mode)) return taps.Add(NearestOf(whole.mode, side, i), 1);
  if (whole.mode == Mode::kSmoothLinear || whole.mode == Mode::kSmoothCubic)
    return AddSmoothTaps(whole, side, i, taps);
  const auto at = static_cast<double>(i);
  const double place = whole.align_corners ? at * side.step : (at + 0.5) * side.step - 0.5;
  if (whole.mode == Mode::kCubic) return AddCubicTaps(place, side.in, -0.75, false, taps);
  AddLinearTaps(std::min(std::max(place, 0.0), static_cast<double>(side.in - 1)), side.in, taps);
}

Taps TapsOf(const Upsampling& whole, const Side& side) {
  Taps taps;
  for (std::size_t i = 0; i < side.out; ++i) {
    AddTaps(whole, side, i, taps);
    taps.EndResult();
  }
  return taps;
}

std::unique_ptr<Kernel> LowerForward(OpContext& context, const Upsampling& whole) {
  ByteSize(context.Out(0));
  if (!Weighs(whole.mode)) {
    std::vector<std::vector<std::int64_t>> picks(whole.small.size());
    for (std::size_t i = 0; i < whole.sides.size(); ++i)
      for (std::size_t k = 0; k < whole.sides[i].out; ++k)
        picks[i + 2].push_back(static_cast<std::int64_t>(NearestOf(whole.mode, whole.sides[i], k)));
    return LowerPicks(context, picks);
  }
  std::vector<AxisResize> axes;
  for (std::size_t i = 0; i < whole.sides.size(); ++i)
    axes.push_back({i + 2, TapsOf(whole, whole.sides[i]), {}});
  return LowerResample(context, std::move(axes));
}

std::unique_ptr<Kernel> LowerGradient(OpContext& context, const Upsampling& whole) {
  std::vector<AxisResize> axes;
  for (std::size_t i = 0; i < whole.sides.size(); ++i)
    axes.push_back({i + 2, Transposed(TapsOf(whole, whole.sides[i]), whole.sides[i].in), {}});
  return LowerResample(context, std::move(axes));
}

using ModeRule = Mode (*)(const OpContext&);

Mode Linear(const OpContext&) {
  return Mode::kLinear;
}
Mode Nearest(const OpContext&) {
  return Mode::kNearest;
}
Mode ByName(const OpContext& context) {
  constexpr std::pair<std::string_view, Mode> kModes[] = {{"nearest", Mode::kNearest},
                                                          {"nearest_exact", Mode::kNearestExact},
                                                          {"linear", Mode::kLinear},
                                                          {"cubic", Mode::kCubic},
                                                          {"smooth_linear", Mode::kSmoothLinear},
                                                          {"smooth_cubic", Mode::kSmoothCubic}};
  const std::string name = context.node().Text("mode", "nearest");
  for (const auto& [known, mode] : kModes)
    if (name == known) return mode;
  context.Refuse("attribute 'mode' is '{}', expected nearest, linear, cubic or one of their kinds", name);
}

OpDef Forward(const char* type, ModeRule mode) {
  return OpDef(type)
      .Infer([=](OpContext& context) {
        const Upsampling whole = UpsamplingOf(context, context.InDims(0), mode(context));
        context.SetOut(0, context.In(0).type, whole.large, context.In(0).format);
      })
      .Lower([=](OpContext& context) {
        return LowerForward(context, UpsamplingOf(context, context.InDims(0), mode(context)));
      })
      .Types(NumberTypes());
}

Upsampling OfGradient(const OpContext& context, Mode mode) {
  const Upsampling whole = UpsamplingOf(context, RequiredInts(context, "input_size"), mode);
  if (context.InDims(0) != whole.large)
    context.Refuse("the gradient is {}, expected {}", ToString(context.In(0)), ToString(whole.large));
  return whole;
}

OpDef Gradient(const char* type, ModeRule mode) {
  return OpDef(type)
      .Infer([=](OpContext& context) {
        context.SetOut(0, context.In(0).type, OfGradient(context, mode(context)).small, context.In(0).format);
      })
      .Lower([=](OpContext& context) { return LowerGradient(context, OfGradient(context, mode(context))); })
      .Types(NumberTypes());
}

const RegisterOp upsamplings({
    Forward("AclnnUpsample", ByName),
    Forward("UpsampleNearest1d", Nearest),
    Forward("UpsampleNearest3d", Nearest),
    Forward("UpsampleTrilinear3d", Linear),
    Gradient("AclnnUpsampleGrad", ByName),
    Gradient("UpsampleNearest1dGrad", Nearest),
    Gradient("UpsampleNearest3dGrad", Nearest),
    Gradient("UpsampleTrilinear3dGrad", Linear),
});

}  // namespace
}  // namespace foothold
