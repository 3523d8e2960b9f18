// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The 2-D products a 3-D convolution is made of, behind one interface: with a packed filter for floats, by
// the definition for other types. Made while lowering; any thread.
#pragma once

#include <algorithm>
#include <utility>

#include "kernels/plain_convolution.h"
#include "ops/convolution/volume_convolution.h"
#include "ops/through_float.h"

namespace foothold {

// Plan: ConvolutionPlan or InputGradientPlan.
template <typename Plan>
class PackedProduct {
 public:
  using In = float;
  using Out = float;
  explicit PackedProduct(const VolumeShape& shape) : plan_(shape.images), strides_(ArrangedStrides(shape)) {}

  std::size_t FilterBytes() const { return plan_.PackedFilterBytes(); }
  void PlaceFilter(const float* arranged, std::byte* to) const {
    plan_.PackFilter(arranged, strides_, reinterpret_cast<float*>(to));
  }
  std::size_t WorkspaceBytes() const { return plan_.WorkspaceBytes(); }
  float Padding() const { return 0.0f; }
  void Run(const float* data, const std::byte* filter, const float* bias, float* out,
           std::byte* workspace) const {
    plan_.Run(data, reinterpret_cast<const float*>(filter), bias, out, workspace);
  }

 private:
  Plan plan_;
  FilterStrides strides_;
};

template <typename InType, typename OutType, bool kTransposed>
class PlainProduct {
 public:
  using In = InType;
  using Out = OutType;
  // `offset` is taken from every element of the data, which a transposed product does not have.
  explicit PlainProduct(const VolumeShape& shape, In offset = In{})
      : shape_(shape.images), strides_(ArrangedStrides(shape)), offset_(offset) {}

  std::size_t FilterBytes() const { return shape_.out_channels * shape_.Depth() * sizeof(In); }
  void PlaceFilter(const In* arranged, std::byte* to) const {
    std::copy_n(arranged, shape_.out_channels * shape_.Depth(), reinterpret_cast<In*>(to));
  }
  std::size_t WorkspaceBytes() const { return 0; }
  In Padding() const { return offset_; }  // becomes zero
  void Run(const In* data, const std::byte* filter, const Out* bias, Out* out, std::byte*) const {
    const In* weights = reinterpret_cast<const In*>(filter);
    if constexpr (kTransposed)
      PlainInputGradient(shape_, data, weights, strides_, bias, out);
    else
      PlainConvolution(shape_, data, weights, strides_, bias, static_cast<Out>(offset_), out);
  }

 private:
  ConvolutionShape shape_;
  FilterStrides strides_;
  In offset_;
};

// What the kernels of both directions do with the filter: arranged and placed once while lowering if it is
// constant, else in the workspace at every run.
template <typename Product>
class PlacedFilter {
 public:
  using In = typename Product::In;

  PlacedFilter(const VolumeFilter& filter, int port)
      : arrange_(ArrangedFilter(filter, sizeof(In))), elements_(ElementsOf(filter)), port_(port) {}

  TensorValue Place(const Product& product, const std::byte* filter) const {
    TensorValue arranged(TensorType{DataType::kInt8, Format::kNd, {Bytes()}});
    arrange_.Run(filter, arranged.mutable_data());
    TensorValue placed(
        TensorType{DataType::kInt8, Format::kNd, {static_cast<std::int64_t>(product.FilterBytes())}});
    product.PlaceFilter(arranged.As<In>(), placed.mutable_data());
    return placed;
  }
  void SetConstant(int port) {
    port_ = port;
    constant_ = true;
  }

  std::size_t WorkspaceBytes(const Product& product) const {
    return constant_ ? 0 : Aligned(elements_ * sizeof(In)) + Aligned(product.FilterBytes());
  }
  const std::byte* At(const Product& product, const RunArgs& args, std::byte* workspace) const {
    if (constant_) return args.inputs[port_];
    arrange_.Run(args.inputs[port_], workspace);
    std::byte* placed = workspace + Aligned(elements_ * sizeof(In));
    product.PlaceFilter(reinterpret_cast<const In*>(workspace), placed);
    return placed;
  }

  static std::size_t Aligned(std::size_t bytes) {
    return (bytes + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment;
  }

 private:
  std::int64_t Bytes() const { return static_cast<std::int64_t>(elements_ * sizeof(In)); }

  StridedCopy arrange_;
  std::size_t elements_;
  int port_;
  bool constant_ = false;
};

struct VolumePorts {
  int data, filter, bias;  // no bias: -1
};

// Makes a VolumeKernel<Product>, with the filter placed if it is constant.
template <template <typename> class VolumeKernel, typename Product>
std::unique_ptr<Kernel> LowerVolume(OpContext& context, Product product, const VolumeShape& shape,
                                    const VolumeFilter& filter, VolumePorts ports) {
  PlacedFilter<Product> placed(filter, ports.filter);
  if (const TensorValue* constant = context.Value(ports.filter)) {
    const TensorValue value = AsFloats(*constant);
    placed.SetConstant(context.AddConstant(placed.Place(product, value.data())));
    context.SetUnused(ports.filter);
  }
  return ThroughFloat(
      context, std::make_unique<VolumeKernel<Product>>(std::move(product), std::move(placed), shape, ports));
}

}  // namespace foothold
