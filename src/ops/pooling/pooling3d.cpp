// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Maxima, sums and counts of a window can be taken along the depth first and in the planes then, so a 3-D
// pooling is two 2-D ones.
#include <optional>

#include "ops/data/rule_arguments.h"
#include "ops/number_kernel.h"
#include "ops/pooling/pooling_rules.h"
#include "ops/window/volume.h"

namespace foothold {
namespace {

struct VolumePooling {
  std::optional<PoolingShape> depth;  // nothing if windows are one slice deep
  PoolingShape planes;
  Dims out;
};

VolumeWindow WindowOf(const OpContext& context, const VolumeDims& volume, bool last, PoolingMode mode) {
  const Node& node = context.node();
  const Triple kernel = VolumeEntries(context, "ksize", node.Ints("ksize"), last);
  const Triple strides = VolumeEntries(context, "strides", node.Ints("strides"), last);
  const Triple dilation = VolumeEntries(context, "dilation", node.Ints("dilation", {1}), last);
  VolumeWindow window;
  for (std::size_t i = 0; i < 3; ++i) {
    window[i].extent = volume.space[i];
    window[i].kernel = kernel[i];
    window[i].stride = strides[i];
    window[i].dilation = dilation[i];
  }
  const PadMode pads = PadModeOf(context, "padding", node.Text("padding", "CALCULATED"));
  // The one operator has a number where the other has a truth value.
  const bool ceil = mode == PoolingMode::kMax ? node.Int("ceil_mode", 0) != 0 : node.Bool("ceil_mode", false);
  ResolveVolume(context, window, pads, ceil);
  return window;
}

PoolingAxis WholeAxis(std::size_t extent) {
  return {.extent = extent, .out = extent, .padded = extent};
}

VolumePooling PoolingOf(const OpContext& context, PoolingMode mode) {
  const TensorType& x = context.In("x");
  const bool last = VolumeChannelsLast(context, x);
  VolumeDims volume = VolumeDimsOf(context, x.dims, last, "x");
  const VolumeWindow window = WindowOf(context, volume, last, mode);
  PoolingShape planes;
  planes.mode = mode;
  planes.channels_last = last;
  planes.count_padding = context.node().Bool("count_include_pad", true);
  PoolingShape depth = planes;
  depth.batch = static_cast<std::size_t>(volume.batch);
  depth.channels = static_cast<std::size_t>(volume.channels);
  depth.height = ToPoolingAxis(window[0]);
  depth.width = WholeAxis(static_cast<std::size_t>(volume.space[1] * volume.space[2]));
  planes.batch = depth.batch * (last ? depth.height.out : 1);
  planes.channels = depth.channels * (last ? 1 : depth.height.out);
  planes.height = ToPoolingAxis(window[1]);
  planes.width = ToPoolingAxis(window[2]);
  planes.divisor = DivisorOverride(context);
  if (planes.divisor != 0) depth.divisor = 1;  // sums
  volume.space = {window[0].out, window[1].out, window[2].out};
  ElementCount({volume.batch, volume.channels, window[0].out, window[1].extent, window[2].extent});
  const bool flat = window[0].kernel == 1 && window[0].stride == 1 && window[0].out == window[0].extent;
  return {flat ? std::nullopt : std::optional(depth), planes, ToDims(volume, last)};
}

template <typename T>
class VolumePoolingKernel : public Kernel {
 public:
  explicit VolumePoolingKernel(const VolumePooling& pooling) : pooling_(pooling) {}

  std::size_t WorkspaceBytes() const override {
    const PoolingShape& planes = pooling_.planes;
    return pooling_.depth ? planes.batch * planes.channels * planes.Pixels() * sizeof(T) : 0;
  }
  void Run(const RunArgs& args) const override {
    const T* x = args.In<T>(0);
    if (pooling_.depth) {
      Pool(*pooling_.depth, x, reinterpret_cast<T*>(args.workspace));
      x = reinterpret_cast<const T*>(args.workspace);
    }
    Pool(pooling_.planes, x, args.Out<T>(0));
  }

 private:
  static void Pool(const PoolingShape& shape, const T* from, T* to) {
    if constexpr (std::is_same_v<T, float>)
      PoolFloats(shape, from, to);
    else
      PoolPlain(shape, from, to);
  }

  VolumePooling pooling_;
};

std::unique_ptr<Kernel> LowerPooling(OpContext& context, PoolingMode mode) {
  Ignore(context, {"filter", "multiplier"});
  const VolumePooling pooling = PoolingOf(context, mode);
  return NumberKernel(context, [&](auto tag) -> std::unique_ptr<Kernel> {
    using T = typename decltype(tag)::Type;
    if (mode == PoolingMode::kAverage && !std::is_floating_point_v<T>)
      context.Unsupported("no kernel for averages of {}; floating-point types have one",
                          DataTypeName(context.In(0).type));
    return std::make_unique<VolumePoolingKernel<T>>(pooling);
  });
}

OpDef PoolingOp(const char* type, PoolingMode mode) {
  return OpDef(type)
      .Infer([mode](OpContext& context) {
        const TensorType& x = context.In("x");
        context.SetOut(0, x.type, PoolingOf(context, mode).out, x.format);
      })
      .Lower([mode](OpContext& context) { return LowerPooling(context, mode); })
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble});
}

const RegisterOp pooling({PoolingOp("MaxPool3D", PoolingMode::kMax),
                          PoolingOp("AvgPool3D", PoolingMode::kAverage),
                          PoolingOp("AvgPool3DD", PoolingMode::kAverage)});

}  // namespace
}  // namespace foothold
