// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>

#include "kernels/convolution_gradient.h"
#include "ops/convolution/convolution_rules.h"
#include "ops/convolution/convolution_types.h"
#include "ops/convolution/slice_products.h"
#include "ops/data/rule_arguments.h"
#include "ops/matrix/matmul_shape.h"

namespace foothold {
namespace {

// The convolution whose input has the gradient this operator computes.
struct Transposed {
  VolumeShape shape;
  VolumeFilter filter;
};

// What the formula gives when nobody says how large the output is to be.
VolumeDims DerivedSize(const OpContext& context, const VolumeDims& x, const VolumeFilter& filter, bool last) {
  const Node& node = context.node();
  const Triple strides = VolumeEntries(context, "strides", node.Ints("strides"), last);
  const Triple dilations = VolumeEntries(context, "dilations", node.Ints("dilations", {1}), last);
  const Triple extra = VolumeEntries(context, "output_padding", node.Ints("output_padding", {0}), last);
  const std::vector<std::int64_t> pads = node.Ints("pads", {0, 0, 0, 0, 0, 0});
  if (pads.size() != 6) context.Refuse("pads has {} entries; it must have six", pads.size());
  VolumeDims out{x.batch, filter.in * GroupsAttribute(context), {}};
  for (std::size_t i = 0; i < 3; ++i) {
    for (const std::int64_t value :
         {x.space[i], strides[i], dilations[i], extra[i], pads[2 * i], pads[2 * i + 1]})
      if (value < 0 || value > kMostExtent)
        context.Refuse("{} is out of range for a size, stride, dilation or padding", value);
    out.space[i] = x.space[i] == 0
                       ? 0
                       : strides[i] * (x.space[i] - 1) + extra[i] + dilations[i] * (filter.space[i] - 1) + 1 -
                             pads[2 * i] - pads[2 * i + 1];
  }
  return out;
}

VolumeDims WantedSize(const OpContext& context, const VolumeDims& x, const VolumeFilter& filter, bool last) {
  const std::vector<std::int64_t> size = IntsArgument(context, "input_size");
  if (std::all_of(size.begin(), size.end(), [](std::int64_t value) { return value == 0; }))
    return DerivedSize(context, x, filter, last);
  if (size.size() == 3) return {x.batch, filter.in * GroupsAttribute(context), {size[0], size[1], size[2]}};
  return VolumeDimsOf(context, size, last, "input_size");
}

Transposed TransposedOf(const OpContext& context) {
  const TensorType& x = context.In("x");
  const bool last = VolumeChannelsLast(context, x);
  const VolumeDims given = VolumeDimsOf(context, x.dims, last, "x");
  const VolumeFilter filter = VolumeFilterOf(context, context.In("filter"), last);
  const VolumeDims wanted = WantedSize(context, given, filter, last);
  const VolumeShape shape = ShapeOfVolumeConvolution(context, wanted, filter, last);
  if (ToDims(OutputDims(shape), last) != x.dims)
    context.Refuse("x is {}; a convolution of {} gives {}", ToString(x.dims), ToString(ToDims(wanted, last)),
                   ToString(ToDims(OutputDims(shape), last)));
  return {shape, filter};
}

void InferTransposed(OpContext& context) {
  CheckSameType(context, "x", "filter");
  const TensorType& x = context.In("x");
  const VolumeShape shape = TransposedOf(context).shape;
  const auto whole = [](std::size_t value) { return static_cast<std::int64_t>(value); };
  const VolumeDims out{whole(shape.batch),
                       whole(shape.Channels()),
                       {whole(shape.depth), whole(shape.images.height), whole(shape.images.width)}};
  CheckedBias(context, out.channels);
  context.SetOut(0, ProductType(x.type), ToDims(out, shape.images.channels_last), x.format);
}

template <typename Product>
class TransposedKernel : public Kernel {
 public:
  using In = typename Product::In;
  using Out = typename Product::Out;

  TransposedKernel(Product product, PlacedFilter<Product> filter, const VolumeShape& shape, VolumePorts ports)
      : product_(std::move(product)), filter_(std::move(filter)), shape_(shape), ports_(ports) {}

  std::size_t WorkspaceBytes() const override {
    return FilterBytes() + ProductBytes() + ImagesBytes() +
           (InPlace() ? 0 : Positions() * shape_.OutImageSize() * sizeof(In));
  }

  void Run(const RunArgs& args) const override {
    const std::byte* filter = filter_.At(product_, args, args.workspace);
    for (std::size_t i = 0; i < shape_.batch; ++i) {
      Out* volume = args.Out<Out>(0) + i * shape_.VolumeSize();
      FillVolume(ports_.bias < 0 ? nullptr : args.In<Out>(ports_.bias), volume);
      for (std::size_t first = 0; first < shape_.out_depth; first += Positions())
        RunPositions(args.In<In>(ports_.data) + i * shape_.OutVolumeSize(), filter, first, volume,
                     args.workspace + FilterBytes());
    }
  }

 private:
  void FillVolume(const Out* bias, Out* volume) const {
    const std::size_t channels = shape_.Channels(), points = shape_.depth * shape_.images.Pixels();
    if (bias == nullptr) {
      std::fill_n(volume, shape_.VolumeSize(), Out{});
    } else if (shape_.images.channels_last) {
      for (std::size_t i = 0; i < points; ++i)
        std::copy_n(bias, channels, volume + i * channels);
    } else {
      for (std::size_t i = 0; i < channels; ++i)
        std::fill_n(volume + i * points, points, bias[i]);
    }
  }

  void RunPositions(const In* data, const std::byte* filter, std::size_t first, Out* volume,
                    std::byte* scratch) const {
    Out* images = reinterpret_cast<Out*>(scratch + ProductBytes());
    const In* direct = data + first * shape_.OutImageSize();
    if (!InPlace()) {
      In* gathered = reinterpret_cast<In*>(scratch + ProductBytes() + ImagesBytes());
      ForEachOutputPlane(shape_, first, Positions(), [&](std::size_t image, std::size_t place) {
        std::copy_n(data + place, shape_.images.OutPixels(), gathered + image);
      });
      direct = gathered;
    }
    product_.Run(direct, filter, nullptr, images, scratch);
    AddImagesToVolume(shape_, images, first, Positions(), volume);
  }

  // The data's images lie as the data does.
  bool InPlace() const { return shape_.images.channels_last || shape_.out_depth == 1; }
  std::size_t Positions() const { return shape_.images.batch; }
  std::size_t FilterBytes() const { return filter_.WorkspaceBytes(product_); }
  std::size_t ProductBytes() const { return filter_.Aligned(product_.WorkspaceBytes()); }
  std::size_t ImagesBytes() const { return filter_.Aligned(Positions() * shape_.ImageSize() * sizeof(Out)); }

  Product product_;
  PlacedFilter<Product> filter_;
  VolumeShape shape_;
  VolumePorts ports_;
};

std::unique_ptr<Kernel> LowerTransposed(OpContext& context) {
  const DataType type = context.In("x").type;
  Ignore(context, {"offset_w", "input_size"});
  const int bias = context.Has("bias") ? context.Port("bias") : -1;
  CheckBiasType(context, bias, ProductType(type));
  const VolumePorts ports{context.Port("x"), context.Port("filter"), bias};
  const Transposed transposed = TransposedOf(context);
  const auto& shape = transposed.shape;
  const auto& filter = transposed.filter;
  if (ComputesInFloat(type))
    return LowerVolume<TransposedKernel>(context, PackedProduct<InputGradientPlan>(shape), shape, filter,
                                         ports);
  return VisitPlainTypes(context, type, [&](auto in, auto out) -> std::unique_ptr<Kernel> {
    using In = typename decltype(in)::Type;
    using Out = typename decltype(out)::Type;
    return LowerVolume<TransposedKernel>(context, PlainProduct<In, Out, true>(shape), shape, filter, ports);
  });
}

OpDef TransposedOp(const char* type) {
  return OpDef(type).Infer(InferTransposed).Lower(LowerTransposed).Types(ConvolutionTypes());
}

const RegisterOp transposed({TransposedOp("Conv3DTranspose"), TransposedOp("Conv3DTransposeD")});

}  // namespace
}  // namespace foothold
