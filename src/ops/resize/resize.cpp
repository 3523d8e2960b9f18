// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Resize as ONNX defines it, for any number of dimensions. The undeclared attribute axes says which ones
// roi, scales and sizes speak of, as in newer opsets.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ops/data/indexed_kernel.h"
#include "ops/data/rule_arguments.h"
#include "ops/element_types.h"
#include "ops/resize/coordinate_map.h"
#include "ops/resize/resample_kernel.h"
#include "ops/window/window.h"

namespace foothold {
namespace {

std::vector<double> NumbersIn(const OpContext& context, std::string_view port) {
  const TensorValue& value = context.Needed(port);
  std::vector<double> numbers(static_cast<std::size_t>(ElementCount(value.dims())));
  VisitType(
      value.type().type,
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        for (std::size_t i = 0; i < numbers.size(); ++i)
          numbers[i] = static_cast<double>(static_cast<Computed<T>>(value.As<T>()[i]));
      },
      [&] { context.Refuse("{} is {}, expected numbers", port, ToString(value.type())); });
  return numbers;
}

// Inputs in the one form of the operator, attributes in the other. Nothing where neither is there.
std::vector<double> NumbersArgument(const OpContext& context, std::string_view name) {
  if (context.Has(name)) return NumbersIn(context, name);
  const Attribute* attribute = context.node().FindAttribute(name);
  if (attribute == nullptr) return {};
  if (const auto* ints = std::get_if<std::vector<std::int64_t>>(attribute))
    return std::vector<double>(ints->begin(), ints->end());
  const std::vector<float> floats = context.node().Floats(name);
  return std::vector<double>(floats.begin(), floats.end());
}

// Lists may leave out batch and channels.
std::vector<std::size_t> AxesFor(const OpContext& context, std::size_t entries) {
  const std::size_t rank = context.InDims(0).size();
  const std::vector<std::int64_t> named = context.node().Ints("axes");
  std::vector<std::size_t> axes;
  for (const std::int64_t axis : named)
    axes.push_back(AxisIn(context, axis, rank, "attribute 'axes'"));
  if (axes.empty() && entries == rank) {
    axes.resize(rank);
    std::iota(axes.begin(), axes.end(), std::size_t{0});
  } else if (axes.empty() && rank > 2 && entries == rank - 2) {
    const bool last = context.In(0).format == Format::kNhwc || context.In(0).format == Format::kNdhwc;
    axes.resize(entries);
    std::iota(axes.begin(), axes.end(), std::size_t{last ? 1u : 2u});
  }
  if (axes.size() != entries)
    context.Refuse("there are {} scales or sizes for x {}", entries, ToString(context.In(0)));
  return axes;
}

double AskedLength(const OpContext& context, std::int64_t in, double entry, bool is_scale) {
  const double asked = is_scale ? entry * static_cast<double>(in) : entry;
  const bool possible = is_scale ? entry > 0 : entry >= 0 && entry == std::floor(entry);
  if (!possible || !(asked <= static_cast<double>(kMostExtent)))
    context.Refuse("{} is {} for a dimension of {}", is_scale ? "a scale" : "a size", entry, in);
  return asked;
}

void SetRegion(const OpContext& context, const std::vector<std::size_t>& axes,
               std::vector<ResizedAxis>& resized) {
  const std::vector<double> roi = NumbersArgument(context, "roi");
  if (roi.size() != 2 * axes.size())
    context.Refuse("roi has {} entries, expected {} begins and as many ends", roi.size(), axes.size());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    resized[axes[i]].roi_begin = roi[i];
    resized[axes[i]].roi_end = roi[axes.size() + i];
    if (!std::isfinite(roi[i]) || !std::isfinite(roi[axes.size() + i]))
      context.Refuse("roi goes from {} to {}, expected finite numbers", roi[i], roi[axes.size() + i]);
  }
}

CoordinateMode CoordinatesOf(const OpContext& context) {
  return CoordinateModeOf(context, context.node().Text("coordinate_transformation_mode", "half_pixel"));
}

void CheckNewerAttributes(const OpContext& context) {
  if (context.node().Int("antialias", 0) != 0) context.Unsupported("no kernel for antialias");
  const std::string policy = context.node().Text("keep_aspect_ratio_policy", "stretch");
  if (policy != "stretch") context.Unsupported("no kernel for keep_aspect_ratio_policy '{}'", policy);
}

// By dimension of x.
std::vector<ResizedAxis> ResizedAxes(const OpContext& context) {
  CheckNewerAttributes(context);
  const std::vector<double> sizes = NumbersArgument(context, "sizes");
  const std::vector<double> scales = NumbersArgument(context, "scales");
  const bool by_scale = sizes.empty();
  if (by_scale && scales.empty() && !context.InDims(0).empty())
    context.Refuse("there are neither sizes nor scales");
  const std::vector<double>& entries = by_scale ? scales : sizes;
  const std::vector<std::size_t> axes = AxesFor(context, entries.size());
  std::vector<ResizedAxis> resized;
  for (const std::int64_t dim : context.InDims(0))
    resized.push_back(
        {static_cast<std::size_t>(dim), static_cast<std::size_t>(dim), static_cast<double>(dim)});
  for (std::size_t i = 0; i < axes.size(); ++i) {
    ResizedAxis& axis = resized[axes[i]];
    axis.asked = AskedLength(context, context.InDims(0)[axes[i]], entries[i], by_scale);
    axis.out = static_cast<std::size_t>(axis.asked);
    if (axis.in == 0 && axis.out > 0)
      context.Refuse("x is {}: there is nothing to resize", ToString(context.In(0)));
  }
  if (CoordinatesOf(context) == CoordinateMode::kTfCropAndResize) SetRegion(context, axes, resized);
  return resized;
}

void InferResize(OpContext& context) {
  Dims dims;
  for (const ResizedAxis& axis : ResizedAxes(context))
    dims.push_back(static_cast<std::int64_t>(axis.out));
  ElementCount(dims);
  context.SetOut(0, context.In(0).type, dims, context.In(0).format);
}

// How elements are combined.
struct Way {
  CoordinateMode coordinates;
  Interpolation interpolation;
  NearestMode nearest;
  double cubic_a;
  bool exclude_outside;
};

Way WayOf(const OpContext& context) {
  const Node& node = context.node();
  return {CoordinatesOf(context), InterpolationOf(context, node.Text("mode", "nearest")),
          NearestModeOf(context, node.Text("nearest_mode", "round_prefer_floor")),
          static_cast<double>(node.Float("cubic_coeff_a", -0.75f)), node.Int("exclude_outside", 0) != 0};
}

AxisResize TapsOf(const Way& way, std::size_t index, const ResizedAxis& axis) {
  AxisResize made{index, {}, {}};
  const auto last = static_cast<double>(axis.in) - 1;
  for (std::size_t i = 0; i < axis.out; ++i) {
    const double at = CoordinateOf(way.coordinates, axis, i);
    if (way.coordinates == CoordinateMode::kTfCropAndResize && (at < 0 || at > last))
      made.outside.push_back(i);
    if (way.interpolation == Interpolation::kNearest)
      made.taps.Add(NearestTo(way.nearest, at, axis.in), 1);
    else if (way.interpolation == Interpolation::kLinear)
      AddLinearTaps(at, axis.in, made.taps);
    else
      AddCubicTaps(at, axis.in, way.cubic_a, way.exclude_outside, made.taps);
    made.taps.EndResult();
  }
  return made;
}

bool ChangesNothing(const AxisResize& resize, std::size_t in) {
  const Taps& taps = resize.taps;
  bool same = resize.outside.empty() && taps.Results() == in && taps.place.size() == in;
  for (std::size_t i = 0; same && i < in; ++i)
    same = taps.place[i] == i && taps.weight[i] == 1;
  return same;
}

std::unique_ptr<Kernel> LowerNearest(const OpContext& context, const Way& way,
                                     const std::vector<ResizedAxis>& axes) {
  std::vector<std::vector<std::int64_t>> picks(axes.size());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    bool same = axes[i].in == axes[i].out;
    for (std::size_t k = 0; k < axes[i].out; ++k) {
      const std::size_t pick = NearestTo(way.nearest, CoordinateOf(way.coordinates, axes[i], k), axes[i].in);
      picks[i].push_back(static_cast<std::int64_t>(pick));
      same = same && pick == k;
    }
    if (same) picks[i].clear();
  }
  return LowerPicks(context, picks);
}

std::unique_ptr<Kernel> LowerResize(OpContext& context) {
  const std::vector<ResizedAxis> axes = ResizedAxes(context);
  const Way way = WayOf(context);
  Ignore(context, {"roi", "scales", "sizes"});
  const bool empty = ElementCount(context.Out(0).dims) == 0;
  if (empty ||
      (way.interpolation == Interpolation::kNearest && way.coordinates != CoordinateMode::kTfCropAndResize))
    return LowerNearest(context, way, axes);
  std::vector<AxisResize> resizes;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    AxisResize resize = TapsOf(way, i, axes[i]);
    if (!ChangesNothing(resize, axes[i].in)) resizes.push_back(std::move(resize));
  }
  return LowerResample(context, std::move(resizes),
                       static_cast<double>(context.node().Float("extrapolation_value", 0.0f)));
}

OpDef ResizeOp(const char* type) {
  return OpDef(type)
      .Infer(InferResize)
      .Lower(LowerResize)
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble, DataType::kInt8,
              DataType::kUint8, DataType::kInt16, DataType::kUint16, DataType::kInt32, DataType::kInt64});
}

const RegisterOp resize({ResizeOp("Resize"), ResizeOp("ResizeD")});

}  // namespace
}  // namespace foothold
