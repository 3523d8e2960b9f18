// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Planes, lines and volumes made longer as PyTorch does it, and the gradients: the nearest element, or a
// weighted sum of neighbours along each axis. x is [N, C, ...]. 'output_size' says how long; without it
// 'scales' does, and with both scales say where elements lie. AclnnUpsample and AclnnUpsampleGrad, operators
// of our own, have any number of axes and the mode as an attribute.
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

struct Upsampling {
  bool linear = false, align_corners = false;
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
  if (whole.linear && whole.align_corners) return out > 1 ? (from - 1) / (to - 1) : 0;
  return scale > 0 ? 1 / static_cast<double>(scale) : from / to;
}

// `x` is the shape of the smaller tensor, the one that was or is to be upsampled.
Upsampling UpsamplingOf(const OpContext& context, const Dims& x, bool linear) {
  if (x.size() < 3) context.Refuse("x is {}, expected a batch, channels and at least one axis", ToString(x));
  Upsampling whole{linear, context.node().Bool("align_corners", false), x, x, {}};
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
std::size_t NearestOf(const Side& side, std::size_t i) {
  const float at = std::floor(static_cast<float>(i) * static_cast<float>(side.step));
  return std::min(static_cast<std::size_t>(at), side.in - 1);
}

Taps TapsOf(const Upsampling& whole, const Side& side) {
  Taps taps;
  for (std::size_t i = 0; i < side.out; ++i) {
    if (whole.linear) {
      const auto at = static_cast<double>(i);
      const double place = whole.align_corners ? at * side.step : std::max((at + 0.5) * side.step - 0.5, 0.0);
      AddLinearTaps(std::min(place, static_cast<double>(side.in - 1)), side.in, taps);
    } else {
      taps.Add(NearestOf(side, i), 1);
    }
    taps.EndResult();
  }
  return taps;
}

std::unique_ptr<Kernel> LowerForward(OpContext& context, const Upsampling& whole) {
  ByteSize(context.Out(0));
  if (!whole.linear) {
    std::vector<std::vector<std::int64_t>> picks(whole.small.size());
    for (std::size_t i = 0; i < whole.sides.size(); ++i)
      for (std::size_t k = 0; k < whole.sides[i].out; ++k)
        picks[i + 2].push_back(static_cast<std::int64_t>(NearestOf(whole.sides[i], k)));
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

using Linear = bool (*)(const OpContext&);

bool Always(const OpContext&) {
  return true;
}
bool Never(const OpContext&) {
  return false;
}
bool ByMode(const OpContext& context) {
  const std::string mode = context.node().Text("mode", "nearest");
  if (mode != "nearest" && mode != "linear")
    context.Refuse("attribute 'mode' is '{}', expected nearest or linear", mode);
  return mode == "linear";
}

OpDef Forward(const char* type, Linear linear) {
  return OpDef(type)
      .Infer([=](OpContext& context) {
        const Upsampling whole = UpsamplingOf(context, context.InDims(0), linear(context));
        context.SetOut(0, context.In(0).type, whole.large, context.In(0).format);
      })
      .Lower([=](OpContext& context) {
        return LowerForward(context, UpsamplingOf(context, context.InDims(0), linear(context)));
      })
      .Types(NumberTypes());
}

Upsampling OfGradient(const OpContext& context, bool linear) {
  const Upsampling whole = UpsamplingOf(context, RequiredInts(context, "input_size"), linear);
  if (context.InDims(0) != whole.large)
    context.Refuse("the gradient is {}, expected {}", ToString(context.In(0)), ToString(whole.large));
  return whole;
}

OpDef Gradient(const char* type, Linear linear) {
  return OpDef(type)
      .Infer([=](OpContext& context) {
        context.SetOut(0, context.In(0).type, OfGradient(context, linear(context)).small,
                       context.In(0).format);
      })
      .Lower([=](OpContext& context) { return LowerGradient(context, OfGradient(context, linear(context))); })
      .Types(NumberTypes());
}

const RegisterOp upsamplings({
    Forward("AclnnUpsample", ByMode),
    Forward("UpsampleNearest1d", Never),
    Forward("UpsampleNearest3d", Never),
    Forward("UpsampleTrilinear3d", Always),
    Gradient("AclnnUpsampleGrad", ByMode),
    Gradient("UpsampleNearest1dGrad", Never),
    Gradient("UpsampleNearest3dGrad", Never),
    Gradient("UpsampleTrilinear3dGrad", Always),
});

}  // namespace
}  // namespace foothold
