// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Convolutions, pooling and resizing. One dimension is an image of height 1.
#include <algorithm>
#include <limits>

#include "aclnn/mapping.h"
#include "aclnn/types.h"

namespace foothold::aclnn {
namespace {

using Sizes = std::vector<std::int64_t>;

// [n, c, l] as [n, c, 1, l].
Dims ImageDims(const Dims& dims) {
  return dims.size() == 3 ? Dims{dims[0], dims[1], 1, dims[2]} : dims;
}

Value AsImage(Call& call, Value value) {
  return Call::As(call.Reshape(value, ImageDims(DimsOf(value))), Format::kNchw);
}

// For height and width: one number for both, one for each, or one for a single dimension.
Sizes ForImage(Call& call, std::string_view name, std::size_t spatial, std::int64_t otherwise) {
  const Sizes sizes = call.GetInts(name);
  if (sizes.size() != 1 && sizes.size() != spatial)
    call.Refuse("'{}' has {} entries; {} are expected", name, sizes.size(), spatial);
  if (spatial == 1) return {otherwise, sizes[0]};
  return {sizes[0], sizes.back()};
}

// Top, bottom, left, right.
Sizes PadsOf(Call& call, std::size_t spatial) {
  const Sizes pads = call.GetInts("padding");
  if (spatial == 1 && pads.size() == 2) return {0, 0, pads[0], pads[1]};
  if (spatial == 2 && pads.size() == 4) return pads;
  const Sizes both = ForImage(call, "padding", spatial, 0);
  return {both[0], both[0], both[1], both[1]};
}

// What a convolution that makes `input` of an image had before it.
Dims TransposedDims(Call& call, const Value& input, const Value& weight) {
  const std::size_t spatial = DimsOf(input).size() - 2;
  const Dims from = ImageDims(DimsOf(input)), kernel = ImageDims(DimsOf(weight));
  const Sizes strides = ForImage(call, "stride", spatial, 1),
              more = ForImage(call, "outputPadding", spatial, 0),
              dilations = ForImage(call, "dilation", spatial, 1), pads = PadsOf(call, spatial);
  Dims dims{from[0], kernel[1] * call.GetInt("groups"), 0, 0};
  for (std::size_t i = 0; i < 2; ++i) {
    if (more[i] != 0 && (more[i] < 0 || more[i] >= std::max(strides[i], dilations[i])))
      call.Refuse("'outputPadding' has {}; less than the stride, {}, or the dilation, {}, is expected",
                  more[i], strides[i], dilations[i]);
    dims[i + 2] = (from[i + 2] - 1) * strides[i] - pads[2 * i] - pads[2 * i + 1] +
                  dilations[i] * (kernel[i + 2] - 1) + more[i] + 1;
  }
  return dims;
}

void MapConvolution(Call& call) {
  const Value input = call.In("input"), weight = call.In("weight");
  const std::size_t rank = DimsOf(input).size();
  if (rank == 5) call.NotSupported("aclnnConvolution of volumes");
  if ((rank != 3 && rank != 4) || DimsOf(weight).size() != rank)
    call.Refuse("'input' is {} and 'weight' {}; three or four dimensions of both are expected",
                ToString(call.View("input")), ToString(call.View("weight")));
  const std::size_t spatial = rank - 2;
  const DataType type = ComputeType(Promote(TypeOf(input).type, TypeOf(weight).type));
  const bool transposed = call.GetFlag("transposed");
  const Sizes strides = ForImage(call, "stride", spatial, 1),
              dilations = ForImage(call, "dilation", spatial, 1);
  Op convolution = call.Op(transposed ? "Conv2DTransposeD" : "Conv2D");
  convolution.In("x", AsImage(call, call.To(input, type))).In("filter", AsImage(call, call.To(weight, type)));
  if (call.Has("bias")) convolution.In("bias", call.To(call.In("bias"), type));
  convolution.Set("strides", Sizes{1, 1, strides[0], strides[1]})
      .Set("pads", PadsOf(call, spatial))
      .Set("dilations", Sizes{1, 1, dilations[0], dilations[1]})
      .Set("groups", call.GetInt("groups"))
      .Set("data_format", std::string("NCHW"));
  const Dims out = ImageDims(call.DimsOfArgument("output"));
  if (transposed) convolution.Set("input_size", TransposedDims(call, input, weight));
  const Value result = convolution;
  if (DimsOf(result) != out)
    call.Refuse("'output' is {}, and the result is {}", ToString(call.View("output")),
                foothold::ToString(DimsOf(result)));
  call.OutElements("output", result);
}

// Samples may have no number of their own.
Value AsBatch(Call& call, Value value) {
  const Dims& given = DimsOf(value);
  const Dims dims = given.size() == 3 ? Dims{1, given[0], given[1], given[2]} : given;
  if (dims.size() != 4)
    call.Refuse("'self' is {}; three or four dimensions are expected", ToString(call.View("self")));
  return Call::As(call.Reshape(value, dims), Format::kNchw);
}

Sizes Pair(Call& call, std::string_view name, const Sizes& otherwise) {
  const Sizes sizes = call.Has(name) ? call.GetInts(name) : Sizes();
  if (sizes.empty()) return otherwise;
  if (sizes.size() > 2) call.Refuse("'{}' has {} entries; one or two are expected", name, sizes.size());
  return {sizes[0], sizes.back()};
}

void MapAvgPool2d(Call& call) {
  const Value self = AsBatch(call, call.In("self"));
  const Sizes kernel = Pair(call, "kernelSize", {1, 1}), strides = Pair(call, "strides", kernel);
  const Sizes pads = Pair(call, "paddings", {0, 0});
  call.OutElements("out", call.Op("AvgPoolV2", {self})
                              .Set("ksize", Sizes{1, 1, kernel[0], kernel[1]})
                              .Set("strides", Sizes{1, 1, strides[0], strides[1]})
                              .Set("pads", Sizes{pads[0], pads[0], pads[1], pads[1]})
                              .Set("data_format", std::string("NCHW"))
                              .Set("ceil_mode", call.GetFlag("ceilMode"))
                              .Set("exclusive", !call.GetFlag("countIncludePad"))
                              .Set("divisor_override", call.GetInt("divisorOverride")));
}

void MapMaxPool(Call& call) {
  const Value self = AsBatch(call, call.In("self"));
  const Sizes kernel = Pair(call, "kernelShape", {1, 1}), strides = Pair(call, "strides", kernel);
  if (call.GetInt("autoPad") != 0) call.NotSupported("aclnnMaxPool with autoPad other than 0");
  for (const std::int64_t dilation : call.GetInts("dilations"))
    if (dilation != 1) call.NotSupported("aclnnMaxPool with dilations");
  Sizes pads = call.GetInts("pads");
  if (pads.size() < 4) {
    const Sizes both = Pair(call, "pads", {0, 0});
    pads = {both[0], both[1], both[0], both[1]};
  }
  call.OutElements("out", call.Op("MaxPoolV3", {self})
                              .Set("ksize", Sizes{1, 1, kernel[0], kernel[1]})
                              .Set("strides", Sizes{1, 1, strides[0], strides[1]})
                              .Set("pads", Sizes{pads[0], pads[2], pads[1], pads[3]})
                              .Set("data_format", std::string("NCHW"))
                              .Set("ceil_mode", call.GetFlag("ceilMode")));
}

void MapIm2col(Call& call) {
  const Value self = AsBatch(call, call.In("self"));
  const Sizes pads = Pair(call, "padding", {0, 0});
  call.OutElements("out", call.Op("Im2col", {self})
                              .Set("ksizes", Pair(call, "kernelSize", {1, 1}))
                              .Set("strides", Pair(call, "stride", {1, 1}))
                              .Set("dilations", Pair(call, "dilation", {1, 1}))
                              .Set("pads", Sizes{pads[0], pads[0], pads[1], pads[1]}));
}

Value Size(Call& call, const Sizes& sizes) {
  const std::vector<std::int32_t> narrow(sizes.begin(), sizes.end());
  return call.Const(
      TensorValue::Of<std::int32_t>(DataType::kInt32, {static_cast<std::int64_t>(narrow.size())}, narrow));
}

void MapUpsampleNearest2d(Call& call) {
  const Value self = AsBatch(call, call.In("self"));
  const Sizes size = call.GetInts("outputSize");
  if (size.size() != 2 || size[0] <= 0 || size[1] <= 0 || std::max(size[0], size[1]) > INT32_MAX)
    call.Refuse("'outputSize' is {}; height and width are expected", foothold::ToString(size));
  call.Out("out", call.Op("ResizeNearestNeighborV2", {self, Size(call, size)}));
}

const RegisterMapping registered({
    {"aclnnConvolution", MapConvolution},
    {"aclnnAvgPool2d", MapAvgPool2d},
    {"aclnnMaxPool", MapMaxPool},
    {"aclnnIm2col", MapIm2col},
    {"aclnnUpsampleNearest2d", MapUpsampleNearest2d},
});

}  // namespace
}  // namespace foothold::aclnn
