// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/convolution.h"
#include "ops/convolution/convolution_rules.h"
#include "ops/convolution/convolution_types.h"
#include "ops/convolution/slice_products.h"
#include "ops/matrix/matmul_shape.h"

namespace foothold {
namespace {

struct Convolution {
  VolumeShape shape;
  VolumeFilter filter;
};

Convolution Conv3DOf(const OpContext& context) {
  const TensorType& x = context.In("x");
  const bool last = VolumeChannelsLast(context, x);
  const VolumeFilter filter = VolumeFilterOf(context, context.In("filter"), last);
  return {ShapeOfVolumeConvolution(context, VolumeDimsOf(context, x.dims, last, "x"), filter, last), filter};
}

void InferConv3D(OpContext& context) {
  const TensorType& x = context.In("x");
  CheckSameType(context, "x", "filter");
  const Convolution convolution = Conv3DOf(context);
  const VolumeDims out = OutputDims(convolution.shape);
  CheckedBias(context, out.channels);
  context.SetOut(0, ProductType(x.type), ToDims(out, convolution.shape.images.channels_last), x.format);
}

template <typename Product>
class Conv3DKernel : public Kernel {
 public:
  using In = typename Product::In;
  using Out = typename Product::Out;

  Conv3DKernel(Product product, PlacedFilter<Product> filter, const VolumeShape& shape, VolumePorts ports)
      : product_(std::move(product)), filter_(std::move(filter)), shape_(shape), ports_(ports) {}

  std::size_t WorkspaceBytes() const override {
    return FilterBytes() + ProductBytes() + ImagesBytes() +
           (InPlace() ? 0 : Positions() * shape_.OutImageSize() * sizeof(Out));
  }

  void Run(const RunArgs& args) const override {
    const std::byte* filter = filter_.At(product_, args, args.workspace);
    const Out* bias = ports_.bias < 0 ? nullptr : args.In<Out>(ports_.bias);
    std::byte* scratch = args.workspace + FilterBytes();
    for (std::size_t i = 0; i < shape_.batch; ++i)
      for (std::size_t first = 0; first < shape_.out_depth; first += Positions())
        RunPositions(args.In<In>(ports_.data) + i * shape_.VolumeSize(), filter, bias, first,
                     args.Out<Out>(0) + i * shape_.OutVolumeSize(), scratch);
  }

 private:
  void RunPositions(const In* volume, const std::byte* filter, const Out* bias, std::size_t first, Out* out,
                    std::byte* scratch) const {
    In* images = reinterpret_cast<In*>(scratch + ProductBytes());
    ImagesFromVolume(shape_, volume, first, Positions(), product_.Padding(), images);
    Out* direct = InPlace() ? out + first * shape_.OutImageSize()
                            : reinterpret_cast<Out*>(scratch + ProductBytes() + ImagesBytes());
    product_.Run(images, filter, bias, direct, scratch);
    if (InPlace()) return;
    ForEachOutputPlane(shape_, first, Positions(), [&](std::size_t image, std::size_t volume_place) {
      std::copy_n(direct + image, shape_.images.OutPixels(), out + volume_place);
    });
  }

  // Output images lie as the output does.
  bool InPlace() const { return shape_.images.channels_last || shape_.out_depth == 1; }
  std::size_t Positions() const { return shape_.images.batch; }
  std::size_t FilterBytes() const { return filter_.WorkspaceBytes(product_); }
  std::size_t ProductBytes() const { return filter_.Aligned(product_.WorkspaceBytes()); }
  std::size_t ImagesBytes() const { return filter_.Aligned(Positions() * shape_.ImageSize() * sizeof(In)); }

  Product product_;
  PlacedFilter<Product> filter_;
  VolumeShape shape_;
  VolumePorts ports_;
};

// The offset belongs to quantised data; other types do not have one.
std::int64_t OffsetOf(const OpContext& context, DataType type) {
  const std::int64_t offset = type == DataType::kInt8 ? context.node().Int("offset_x", 0) : 0;
  if (offset < -128 || offset > 127) context.Refuse("offset_x is {}; it must be an int8", offset);
  return offset;
}

std::unique_ptr<Kernel> LowerConv3D(OpContext& context) {
  const DataType type = context.In("x").type;
  if (context.Has("offset_w")) context.SetUnused(context.Port("offset_w"));
  const int bias = context.Has("bias") ? context.Port("bias") : -1;
  CheckBiasType(context, bias, ProductType(type));
  const VolumePorts ports{context.Port("x"), context.Port("filter"), bias};
  const Convolution convolution = Conv3DOf(context);
  const auto& shape = convolution.shape;
  const auto& filter = convolution.filter;
  if (ComputesInFloat(type))
    return LowerVolume<Conv3DKernel>(context, PackedProduct<ConvolutionPlan>(shape), shape, filter, ports);
  const std::int64_t offset = OffsetOf(context, type);
  return VisitPlainTypes(context, type, [&](auto in, auto out) -> std::unique_ptr<Kernel> {
    using In = typename decltype(in)::Type;
    using Out = typename decltype(out)::Type;
    return LowerVolume<Conv3DKernel>(context, PlainProduct<In, Out, false>(shape, static_cast<In>(offset)),
                                     shape, filter, ports);
  });
}

const RegisterOp conv3d(OpDef("Conv3D").Infer(InferConv3D).Lower(LowerConv3D).Types(ConvolutionTypes()));

}  // namespace
}  // namespace foothold
