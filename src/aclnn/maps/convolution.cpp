// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Convolutions and their gradients. One dimension is an image of height 1.
#include <algorithm>

#include "aclnn/mapping.h"
#include "aclnn/maps/output_mask.h"
#include "aclnn/maps/volume_gradient.h"
#include "aclnn/maps/window.h"
#include "aclnn/types.h"

namespace foothold::aclnn {
namespace {

// What a call says of its windows: lists for two or three axes.
struct Windows {
  std::size_t spatial;  // as the program has it
  Sizes strides, dilations, more, pads;
  std::int64_t groups;
  bool transposed;
  Sizes beyond = {};  // of a transposed one: elements behind the last that a product reaches

  bool volumes() const { return spatial == 3; }
  Format format() const { return volumes() ? Format::kNcdhw : Format::kNchw; }
  std::string Operator(const std::string& rest) const { return (volumes() ? "Conv3D" : "Conv2D") + rest; }
};

// [n, c, l] as [n, c, 1, l].
Dims ImageDims(const Dims& dims) {
  return dims.size() == 3 ? Dims{dims[0], dims[1], 1, dims[2]} : dims;
}

// One number for all axes, or one for each.
Sizes ForAxes(Call& call, std::string_view name, std::size_t spatial, std::int64_t otherwise) {
  const Sizes sizes = call.GetInts(name);
  if (sizes.size() != 1 && sizes.size() != spatial)
    call.Refuse("'{}' has {} entries; {} are expected", name, sizes.size(), spatial);
  if (spatial == 1) return {otherwise, sizes[0]};
  return sizes.size() == spatial ? sizes : Sizes(spatial, sizes[0]);
}

// Before and behind, axis by axis.
Sizes PadsOf(Call& call, std::size_t spatial) {
  const Sizes given = call.GetInts("padding");
  if (spatial == 1 && given.size() == 2) return {0, 0, given[0], given[1]};
  if (spatial > 1 && given.size() == 2 * spatial) return given;
  Sizes pads;
  for (const std::int64_t one : ForAxes(call, "padding", spatial, 0))
    pads.insert(pads.end(), {one, one});
  return pads;
}

// More elements of the output are fewer that are cut off behind it; what is left lies beyond all products.
void SpreadMore(const Call& call, Windows& windows) {
  for (std::size_t i = 0; i < windows.more.size(); ++i) {
    const std::int64_t more = windows.more[i], stride = windows.strides[i], dilation = windows.dilations[i];
    if (more != 0 && (more < 0 || more >= std::max(stride, dilation)))
      call.Refuse("'outputPadding' has {}; less than the stride, {}, or the dilation, {}, is expected", more,
                  stride, dilation);
    std::int64_t& behind = windows.pads[2 * i + 1];
    windows.beyond.push_back(std::max<std::int64_t>(more - behind, 0));
    behind = std::max<std::int64_t>(behind - more, 0);
  }
}

Windows WindowsOf(Call& call) {
  const std::size_t rank = call.DimsOfArgument("input").size();
  if (rank < 3 || rank > 5 || call.DimsOfArgument("weight").size() != rank)
    call.Refuse("'input' is {} and 'weight' {}; three, four or five dimensions of both are expected",
                ToString(call.View("input")), ToString(call.View("weight")));
  const std::size_t spatial = rank - 2;
  Windows windows{spatial,
                  ForAxes(call, "stride", spatial, 1),
                  ForAxes(call, "dilation", spatial, 1),
                  call.GetFlag("transposed") ? ForAxes(call, "outputPadding", spatial, 0) : Sizes(),
                  PadsOf(call, spatial),
                  call.GetInt("groups"),
                  call.GetFlag("transposed")};
  if (windows.transposed) SpreadMore(call, windows);
  return windows;
}

// Halves are computed in float.
Value InImage(Call& call, std::string_view name, const Windows& windows, DataType type) {
  return Call::As(call.Reshape(call.To(call.In(name), type), ImageDims(call.DimsOfArgument(name))),
                  windows.format());
}

DataType TypeOfProduct(Call& call, std::string_view input) {
  return ComputeType(Promote(call.TypeOfArgument(input), call.TypeOfArgument("weight")));
}

Op& Describe(Op& op, const Windows& windows) {
  Sizes strides{1, 1}, dilations{1, 1};
  strides.insert(strides.end(), windows.strides.begin(), windows.strides.end());
  dilations.insert(dilations.end(), windows.dilations.begin(), windows.dilations.end());
  return op.Set("strides", strides)
      .Set("pads", windows.pads)
      .Set("dilations", dilations)
      .Set("groups", windows.groups)
      .Set("data_format", std::string(windows.volumes() ? "NCDHW" : "NCHW"));
}

// What a convolution that makes `input` of an image had before it.
Dims TransposedDims(Call& call, const Windows& windows) {
  const Dims from = ImageDims(call.DimsOfArgument("input")),
             kernel = ImageDims(call.DimsOfArgument("weight"));
  Dims dims{from[0], kernel[1] * windows.groups};
  for (std::size_t i = 0; i < windows.strides.size(); ++i) {
    const std::int64_t stride = windows.strides[i], dilation = windows.dilations[i];
    dims.push_back((from[i + 2] - 1) * stride - windows.pads[2 * i] - windows.pads[2 * i + 1] +
                   dilation * (kernel[i + 2] - 1) + 1);
  }
  return dims;
}

bool HasBeyond(const Windows& windows) {
  return std::any_of(windows.beyond.begin(), windows.beyond.end(), [](std::int64_t one) { return one > 0; });
}

// With the elements that no product reaches: they are what there is without any.
Value Extended(Call& call, const Windows& windows, Value result) {
  std::vector<std::int64_t> paddings(2 * DimsOf(result).size(), 0);
  for (std::size_t i = 0; i < windows.beyond.size(); ++i)
    paddings[2 * (i + 2) + 1] = windows.beyond[i];
  return call.Op("PadV3", {result, call.Ints(paddings), call.Number(TypeOf(result).type, 0.0)});
}

Value WithBias(Call& call, Value result) {
  if (!call.Has("bias")) return result;
  Dims dims(DimsOf(result).size(), 1);
  dims[1] = DimsOf(result)[1];
  const Value bias = call.To(call.In("bias"), TypeOf(result).type);
  return call.Op("Add", {result, call.Reshape(bias, dims)});
}

void MapConvolution(Call& call) {
  const Windows windows = WindowsOf(call);
  const DataType type = TypeOfProduct(call, "input");
  Op convolution = call.Op(windows.Operator(windows.transposed ? "TransposeD" : ""));
  convolution.In("x", InImage(call, "input", windows, type))
      .In("filter", InImage(call, "weight", windows, type));
  const bool beyond = HasBeyond(windows);
  if (call.Has("bias") && !beyond) convolution.In("bias", call.To(call.In("bias"), type));
  if (windows.transposed) convolution.Set("input_size", TransposedDims(call, windows));
  Value result = Describe(convolution, windows);
  if (beyond) result = WithBias(call, Extended(call, windows, result));
  if (DimsOf(result) != ImageDims(call.DimsOfArgument("output")))
    call.Refuse("'output' is {}, and the result is {}", ToString(call.View("output")),
                foothold::ToString(DimsOf(result)));
  call.OutElements("output", result);
}

// Without what lies beyond all products.
Value OutputGradient(Call& call, const Windows& windows, DataType type) {
  const Value gradient = InImage(call, "gradOutput", windows, type);
  if (!HasBeyond(windows)) return gradient;
  Dims dims = DimsOf(gradient);
  for (std::size_t i = 0; i < windows.beyond.size(); ++i)
    dims[i + 2] -= windows.beyond[i];
  const std::vector<std::int64_t> zeros(dims.size(), 0);
  return Call::As(call.Op("Slice", {gradient, call.Ints(zeros), call.Ints(dims)}), windows.format());
}

// The gradient of a transposed convolution is a convolution.
Value InputGradient(Call& call, const Windows& windows, DataType type) {
  const Value weight = InImage(call, "weight", windows, type), gradient = OutputGradient(call, windows, type);
  if (windows.transposed) {
    Op forward = call.Op(windows.Operator(""), {gradient, weight});
    return Describe(forward, windows);
  }
  Op back = windows.volumes() ? call.Op("Conv3DTransposeD", {gradient, weight})
                              : call.Op("Conv2DBackpropInputD", {weight, gradient});
  return Describe(back, windows).Set("input_size", ImageDims(call.DimsOfArgument("input")));
}

Value WeightGradient(Call& call, const Windows& windows, DataType type) {
  const Value input = InImage(call, "input", windows, type), gradient = OutputGradient(call, windows, type);
  if (windows.volumes()) {
    const VolumeWindows volume{windows.strides, windows.dilations, windows.pads, windows.groups};
    return windows.transposed
               ? VolumeFilterGradient(call, volume, gradient, input, call.DimsOfArgument("weight"))
               : VolumeFilterGradient(call, volume, input, gradient, call.DimsOfArgument("weight"));
  }
  Op filter = windows.transposed ? call.Op("Conv2DBackpropFilterD", {gradient, input})
                                 : call.Op("Conv2DBackpropFilterD", {input, gradient});
  return Describe(filter, windows).Set("filter_size", ImageDims(call.DimsOfArgument("weight")));
}

Value BiasGradient(Call& call, const Windows& windows, DataType type) {
  const std::vector<std::int64_t> axes =
      windows.volumes() ? std::vector<std::int64_t>{0, 2, 3, 4} : std::vector<std::int64_t>{0, 2, 3};
  return call.Op("ReduceSum", {InImage(call, "gradOutput", windows, type), call.Ints(axes)});
}

void MapConvolutionBackward(Call& call) {
  const Windows windows = WindowsOf(call);
  if (call.DimsOfArgument("gradOutput").size() != windows.spatial + 2)
    call.Refuse("'gradOutput' is {}; as many dimensions as 'input' has are expected",
                ToString(call.View("gradOutput")));
  const DataType type = ComputeType(Promote(TypeOfProduct(call, "input"), call.TypeOfArgument("gradOutput")));
  OutputMask outputs(call, {"gradInput", "gradWeight", "gradBias"});
  using Gradient = Value (*)(Call&, const Windows&, DataType);
  const Gradient gradients[] = {InputGradient, WeightGradient, BiasGradient};
  for (std::size_t i = 0; i < 3; ++i)
    if (outputs.Wants(i)) outputs.Out(i, gradients[i](call, windows, type));
}

const RegisterMapping convolution_maps({
    {"aclnnConvolution", MapConvolution},
    {"aclnnConvolutionBackward", MapConvolutionBackward},
});

}  // namespace
}  // namespace foothold::aclnn
