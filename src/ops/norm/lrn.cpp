// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>
#include <cmath>

#include "base/thread_pool.h"
#include "ops/through_float.h"
#include "ops/window/window.h"

namespace foothold {
namespace {

struct Parameters {
  std::size_t radius;
  float bias, alpha, beta;
  bool across_channels;
};

Parameters ParametersOf(const OpContext& context) {
  const Node& node = context.node();
  const std::int64_t radius = node.Int("depth_radius", 5);
  if (radius < 0 || radius > kMostExtent)
    context.Refuse("depth_radius is {}; it must not be negative", radius);
  const std::string region = node.Text("norm_region", "ACROSS_CHANNELS");
  if (region != "ACROSS_CHANNELS" && region != "WITHIN_CHANNEL")
    context.Refuse("norm_region is '{}'; ACROSS_CHANNELS and WITHIN_CHANNEL are possible", region);
  return {static_cast<std::size_t>(radius), node.Float("bias", 1.0f), node.Float("alpha", 1.0f),
          node.Float("beta", 0.5f), region == "ACROSS_CHANNELS"};
}

// Strides of the image by meaning.
struct Image {
  std::size_t batch, channels, height, width;
  std::size_t channel_stride, pixel_stride;
};

Image ImageOf(const OpContext& context) {
  const TensorType& x = context.In(0);
  const bool last = ChannelsLast(context, x, "NCHW");
  const ImageDims d = ImageDimsOf(context, x.dims, last, "x");
  const auto size = [](std::int64_t value) { return static_cast<std::size_t>(value); };
  return {size(d.batch),
          size(d.channels),
          size(d.height),
          size(d.width),
          last ? 1 : size(d.height) * size(d.width),
          last ? size(d.channels) : 1};
}

struct Range {
  std::size_t begin, end;
};
Range Around(std::size_t at, std::size_t radius, std::size_t extent) {
  return {at > radius ? at - radius : 0, std::min(extent, at + radius + 1)};
}

class LrnKernel : public Kernel {
 public:
  LrnKernel(const Image& image, const Parameters& parameters) : image_(image), parameters_(parameters) {}

  void Run(const RunArgs& args) const override {
    const float* in = args.In<float>(0);
    float* out = args.Out<float>(0);
    const std::size_t pixels = image_.height * image_.width;
    ParallelFor(image_.batch * pixels, 1 + 2048 / (1 + image_.channels),
                [&](std::size_t begin, std::size_t end) {
                  for (std::size_t i = begin; i < end; ++i) {
                    const std::size_t image = i / pixels * pixels * image_.channels;
                    RunPixel(in + image, i % pixels, out + image);
                  }
                });
  }

 private:
  void RunPixel(const float* in, std::size_t pixel, float* out) const {
    const std::size_t at = pixel * image_.pixel_stride;
    for (std::size_t c = 0; c < image_.channels; ++c) {
      const float sum = parameters_.across_channels ? ChannelSum(in + at, c)
                                                    : PlaneSum(in + c * image_.channel_stride, pixel);
      const std::size_t element = at + c * image_.channel_stride;
      out[element] = in[element] / std::pow(parameters_.bias + parameters_.alpha * sum, parameters_.beta);
    }
  }

  float ChannelSum(const float* pixel, std::size_t channel) const {
    const Range range = Around(channel, parameters_.radius, image_.channels);
    float sum = 0;
    for (std::size_t c = range.begin; c < range.end; ++c)
      sum += pixel[c * image_.channel_stride] * pixel[c * image_.channel_stride];
    return sum;
  }

  float PlaneSum(const float* plane, std::size_t pixel) const {
    const Range rows = Around(pixel / image_.width, parameters_.radius, image_.height);
    const Range columns = Around(pixel % image_.width, parameters_.radius, image_.width);
    float sum = 0;
    for (std::size_t h = rows.begin; h < rows.end; ++h)
      for (std::size_t w = columns.begin; w < columns.end; ++w) {
        const float x = plane[(h * image_.width + w) * image_.pixel_stride];
        sum += x * x;
      }
    return sum;
  }

  Image image_;
  Parameters parameters_;
};

void InferLrn(OpContext& context) {
  ParametersOf(context);
  ImageOf(context);
  SameAsInput(context);
}

std::unique_ptr<Kernel> LowerLrn(OpContext& context) {
  const DataType type = context.In(0).type;
  if (!ComputesInFloat(type))
    context.Unsupported("no kernel for {}; float, float16 and bfloat16 have one", DataTypeName(type));
  return ThroughFloat(context, std::make_unique<LrnKernel>(ImageOf(context), ParametersOf(context)));
}

const RegisterOp lrn(OpDef("LRN").Infer(InferLrn).Lower(LowerLrn).Types({DataType::kFloat, DataType::kFloat16,
                                                                         DataType::kBfloat16}));

}  // namespace
}  // namespace foothold
