// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/resize/resample_kernel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "ops/data/rule_arguments.h"
#include "ops/element_types.h"

namespace foothold {
namespace {

template <typename C>
using Widen = void (*)(const std::byte* from, std::size_t count, C* to);
template <typename C>
using Narrow = void (*)(const C* from, std::size_t count, std::byte* to);

template <typename C, typename T>
void WidenLoop(const std::byte* from, std::size_t count, C* to) {
  for (std::size_t i = 0; i < count; ++i)
    to[i] = static_cast<C>(static_cast<Computed<T>>(reinterpret_cast<const T*>(from)[i]));
}

template <typename T, typename C>
T Rounded(C value) {
  if constexpr (kIsFloating<T>) {
    return T(static_cast<Computed<T>>(value));
  } else {
    using Limits = std::numeric_limits<T>;
    const C whole = std::nearbyint(value);
    if (!(whole > static_cast<C>(Limits::lowest()))) return std::isnan(whole) ? T{} : Limits::lowest();
    return whole >= static_cast<C>(Limits::max()) ? Limits::max() : static_cast<T>(whole);
  }
}

template <typename C, typename T>
void NarrowLoop(const C* from, std::size_t count, std::byte* to) {
  for (std::size_t i = 0; i < count; ++i)
    reinterpret_cast<T*>(to)[i] = Rounded<T>(from[i]);
}

// Slices of the output, [outer, count, inner], that are outside x.
struct OutsideSlices {
  std::size_t outer, count, inner;
  std::vector<std::size_t> places;
};

template <typename C>
class ResampleKernel : public Kernel {
 public:
  ResampleKernel(std::vector<ResampledAxis> passes, std::vector<OutsideSlices> outside, C fill,
                 std::size_t inputs, std::size_t outputs)
      : passes_(std::move(passes)),
        outside_(std::move(outside)),
        fill_(fill),
        inputs_(inputs),
        outputs_(outputs) {
    for (const ResampledAxis& pass : passes_)
      most_ = std::max(most_, pass.outer * pass.taps.Results() * pass.inner);
    most_ = (std::max(most_, inputs_) + kLine - 1) / kLine * kLine;
  }

  // Null where the type is C already.
  Widen<C> widen = nullptr;
  Narrow<C> narrow = nullptr;

  std::size_t WorkspaceBytes() const override { return 2 * most_ * sizeof(C); }

  void Run(const RunArgs& args) const override {
    auto* parts = reinterpret_cast<C*>(args.workspace);
    std::size_t part = 0;  // which half of the workspace comes next
    const C* x = args.In<C>(0);
    if (widen != nullptr) {
      widen(args.inputs[0], inputs_, parts);
      x = parts;
      part = 1;
    }
    for (std::size_t i = 0; i < passes_.size(); ++i) {
      const bool last = i + 1 == passes_.size() && narrow == nullptr;
      C* y = last ? args.Out<C>(0) : parts + part * most_;
      Resample(passes_[i], x, y);
      if (i + 1 == passes_.size()) Fill(y);
      x = y;
      part = 1 - part;
    }
    if (narrow != nullptr) narrow(x, outputs_, args.outputs[0]);
  }

 private:
  static constexpr std::size_t kLine = 16;  // elements, so that both halves are aligned

  void Fill(C* y) const {
    for (const OutsideSlices& slices : outside_)
      for (std::size_t i = 0; i < slices.outer; ++i)
        for (const std::size_t place : slices.places)
          std::fill_n(y + (i * slices.count + place) * slices.inner, slices.inner, fill_);
  }

  std::vector<ResampledAxis> passes_;
  std::vector<OutsideSlices> outside_;
  C fill_;
  std::size_t inputs_, outputs_;
  std::size_t most_ = 0;  // elements between two passes
};

Taps AsItIs(std::size_t count) {
  Taps taps;
  for (std::size_t i = 0; i < count; ++i) {
    taps.Add(i, 1.0);
    taps.EndResult();
  }
  return taps;
}

// Axes that shrink come first, then from the last axis to the first: passes are the cheaper the less data
// there is and the longer its rows are.
std::vector<ResampledAxis> PassesOf(Dims dims, std::vector<AxisResize> axes) {
  const auto grows = [&](const AxisResize& each) {
    return static_cast<std::int64_t>(each.taps.Results()) > dims[each.axis];
  };
  std::sort(axes.begin(), axes.end(), [&](const AxisResize& a, const AxisResize& b) {
    return grows(a) != grows(b) ? grows(b) : a.axis > b.axis;
  });
  if (axes.empty()) axes.push_back({0, AsItIs(dims.empty() ? 1 : static_cast<std::size_t>(dims[0])), {}});
  if (dims.empty()) dims = {1};
  std::vector<ResampledAxis> passes;
  for (AxisResize& each : axes) {
    const auto in = static_cast<std::size_t>(dims[each.axis]);
    passes.push_back(
        {Product(dims, 0, each.axis), in, Product(dims, each.axis + 1, dims.size()), std::move(each.taps)});
    dims[each.axis] = static_cast<std::int64_t>(passes.back().taps.Results());
    ByteSize({DataType::kComplex128, Format::kNd, dims});  // two passes of double must fit
  }
  return passes;
}

template <typename C>
std::unique_ptr<Kernel> Make(const OpContext& context, std::vector<AxisResize> axes, double fill) {
  const TensorType& x = context.In(0);
  const TensorType& y = context.Out(0);
  std::vector<OutsideSlices> outside;
  for (const AxisResize& each : axes)
    outside.push_back({Product(y.dims, 0, each.axis), static_cast<std::size_t>(y.dims[each.axis]),
                       Product(y.dims, each.axis + 1, y.dims.size()), each.outside});
  auto kernel = std::make_unique<ResampleKernel<C>>(
      PassesOf(x.dims, std::move(axes)), std::move(outside), static_cast<C>(fill),
      static_cast<std::size_t>(ElementCount(x.dims)), static_cast<std::size_t>(ElementCount(y.dims)));
  const auto refuse = [&](DataType type) {
    context.Unsupported("no kernel for {}; real numbers would run", DataTypeName(type));
  };
  const DataType own = std::is_same_v<C, float> ? DataType::kFloat : DataType::kDouble;
  if (x.type != own)
    VisitType(
        x.type, [&](auto tag) { kernel->widen = WidenLoop<C, typename decltype(tag)::Type>; },
        [&] { refuse(x.type); });
  if (y.type != own)
    VisitType(
        y.type, [&](auto tag) { kernel->narrow = NarrowLoop<C, typename decltype(tag)::Type>; },
        [&] { refuse(y.type); });
  return kernel;
}

// What float holds exactly is computed in it.
bool FitsFloat(DataType type) {
  return type == DataType::kFloat || BytesPerElement(type) <= 2;
}

}  // namespace

Taps Transposed(const Taps& taps, std::size_t in) {
  std::vector<std::vector<std::pair<std::size_t, double>>> given(in);
  for (std::size_t i = 0; i < taps.Results(); ++i)
    for (std::size_t k = taps.begin[i]; k < taps.begin[i + 1]; ++k)
      given[taps.place[k]].emplace_back(i, taps.weight[k]);
  Taps transposed;
  for (const auto& element : given) {
    for (const auto& [result, weight] : element)
      transposed.Add(result, weight);
    transposed.EndResult();
  }
  return transposed;
}

std::unique_ptr<Kernel> LowerResample(const OpContext& context, std::vector<AxisResize> axes, double fill) {
  if (FitsFloat(context.In(0).type)) return Make<float>(context, std::move(axes), fill);
  return Make<double>(context, std::move(axes), fill);
}

}  // namespace foothold
