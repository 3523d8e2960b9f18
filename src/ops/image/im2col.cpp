// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Windows of images as columns [N, C * kernel height * kernel width, positions], and the sum of such columns
// back in an image.
#include <algorithm>

#include "base/thread_pool.h"
#include "kernels/convolution_shape.h"
#include "ops/data/rule_arguments.h"
#include "ops/op.h"
#include "ops/through_float.h"
#include "ops/type_lists.h"
#include "ops/window/window.h"

namespace foothold {
namespace {

HeightWidth Pair(const OpContext& context, const char* name, const std::vector<std::int64_t>& list) {
  if (list.size() == 1) return {list[0], list[0]};
  if (list.size() != 2) context.Refuse("{} has {} entries; it must have one or two", name, list.size());
  return {list[0], list[1]};
}

// The names of the attributes in one of the two operators.
struct Names {
  const char *kernel, *strides, *dilations, *pads;
};
constexpr Names kIm2col{"ksizes", "strides", "dilations", "pads"};
constexpr Names kCol2im{"kernel_size", "stride", "dilation", "padding"};

void SetAnyPads(const OpContext& context, const Names& names, Window& window) {
  const std::vector<std::int64_t> pads = context.node().Ints(names.pads, {0});
  if (pads.size() == 4) {
    SetPads(context, window, pads);
    return;
  }
  const HeightWidth both = Pair(context, names.pads, pads);
  window.height.pad_begin = window.height.pad_end = both.height;
  window.width.pad_begin = window.width.pad_end = both.width;
}

// Columns of an image: a convolution with one product for each of them.
ConvolutionShape ColumnsOf(const OpContext& context, const ImageDims& image, const Names& names) {
  const Node& node = context.node();
  const HeightWidth kernel = Pair(context, names.kernel, RequiredInts(context, names.kernel));
  const HeightWidth strides = Pair(context, names.strides, node.Ints(names.strides, {1}));
  const HeightWidth dilations = Pair(context, names.dilations, node.Ints(names.dilations, {1}));
  Window window{{image.height, kernel.height, strides.height, dilations.height},
                {image.width, kernel.width, strides.width, dilations.width}};
  const PadMode mode = PadModeOf(context, "padding_mode", node.Text("padding_mode", "CALCULATED"));
  if (mode == PadMode::kExplicit) SetAnyPads(context, names, window);
  Resolve(context, window.height, mode, false, "height");
  Resolve(context, window.width, mode, false, "width");
  const auto size = [](std::int64_t value) { return static_cast<std::size_t>(value); };
  return {.batch = size(image.batch),
          .channels = size(image.channels),
          .height = size(image.height),
          .width = size(image.width),
          .out_height = size(window.height.out),
          .out_width = size(window.width.out),
          .kernel_height = size(kernel.height),
          .kernel_width = size(kernel.width),
          .stride_height = size(strides.height),
          .stride_width = size(strides.width),
          .dilation_height = size(dilations.height),
          .dilation_width = size(dilations.width),
          .pad_top = size(window.height.pad_begin),
          .pad_left = size(window.width.pad_begin)};
}

std::ptrdiff_t Start(std::size_t place, std::size_t dilation, std::size_t pad) {
  return static_cast<std::ptrdiff_t>(place * dilation) - static_cast<std::ptrdiff_t>(pad);
}

// For one line of columns, (channel, row, column of the kernel): calls visit(position, pixel, count) for
// every stretch of positions that lie in the image, `stride_width` pixels apart.
template <typename Visit>
void ForEachStretch(const ConvolutionShape& s, std::size_t kernel_place, Visit&& visit) {
  const std::ptrdiff_t top = Start(kernel_place / s.kernel_width, s.dilation_height, s.pad_top);
  const std::ptrdiff_t left = Start(kernel_place % s.kernel_width, s.dilation_width, s.pad_left);
  const InsideRange rows = PositionsInside(top, s.stride_height, s.height, s.out_height);
  const InsideRange columns = PositionsInside(left, s.stride_width, s.width, s.out_width);
  if (columns.begin == columns.end) return;
  for (std::size_t row = rows.begin; row < rows.end; ++row) {
    const auto y = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(row * s.stride_height) + top);
    const auto x =
        static_cast<std::size_t>(static_cast<std::ptrdiff_t>(columns.begin * s.stride_width) + left);
    visit(row * s.out_width + columns.begin, y * s.width + x, columns.end - columns.begin);
  }
}

template <typename T>
class Im2colKernel : public Kernel {
 public:
  explicit Im2colKernel(const ConvolutionShape& shape) : shape_(shape) {}

  void Run(const RunArgs& args) const override {
    const ConvolutionShape& s = shape_;
    const std::size_t lines = s.batch * s.channels * s.KernelArea();
    ParallelFor(lines, 1 + 16384 / (1 + s.OutPixels()), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const T* plane = args.In<T>(0) + i / s.KernelArea() * s.Pixels();
        T* line = args.Out<T>(0) + i * s.OutPixels();
        std::fill_n(line, s.OutPixels(), T{});
        ForEachStretch(s, i % s.KernelArea(), [&](std::size_t to, std::size_t from, std::size_t count) {
          for (std::size_t k = 0; k < count; ++k)
            line[to + k] = plane[from + k * s.stride_width];
        });
      }
    });
  }

 private:
  ConvolutionShape shape_;
};

template <typename T>
class Col2imKernel : public Kernel {
 public:
  explicit Col2imKernel(const ConvolutionShape& shape) : shape_(shape) {}

  void Run(const RunArgs& args) const override {
    const ConvolutionShape& s = shape_;
    const std::size_t grain = 1 + 16384 / (1 + s.OutPixels() * s.KernelArea());
    ParallelFor(s.batch * s.channels, grain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        T* plane = args.Out<T>(0) + i * s.Pixels();
        std::fill_n(plane, s.Pixels(), T{});
        for (std::size_t place = 0; place < s.KernelArea(); ++place) {
          const T* line = args.In<T>(0) + (i * s.KernelArea() + place) * s.OutPixels();
          ForEachStretch(s, place, [&](std::size_t from, std::size_t to, std::size_t count) {
            for (std::size_t k = 0; k < count; ++k)
              plane[to + k * s.stride_width] += line[from + k];
          });
        }
      }
    });
  }

 private:
  ConvolutionShape shape_;
};

ConvolutionShape Im2colShape(const OpContext& context) {
  const TensorType& x = context.In("x");
  if (x.format == Format::kNhwc) context.Unsupported("no kernel for NHWC; NCHW would run");
  return ColumnsOf(context, ImageDimsOf(context, x.dims, false, "x"), kIm2col);
}

Dims ColumnDims(const ConvolutionShape& s) {
  const auto whole = [](std::size_t value) { return static_cast<std::int64_t>(value); };
  return {whole(s.batch), ElementCount({whole(s.channels), whole(s.kernel_height), whole(s.kernel_width)}),
          whole(s.OutPixels())};
}

void InferIm2col(OpContext& context) {
  const Dims dims = ColumnDims(Im2colShape(context));
  ElementCount(dims);
  context.SetOut(0, context.In("x").type, dims, Format::kNd);
}

std::unique_ptr<Kernel> LowerIm2col(OpContext& context) {
  const ConvolutionShape shape = Im2colShape(context);
  switch (ElementBytes(context, context.In("x").type)) {
    case 1:
      return std::make_unique<Im2colKernel<std::uint8_t>>(shape);
    case 2:
      return std::make_unique<Im2colKernel<std::uint16_t>>(shape);
    case 4:
      return std::make_unique<Im2colKernel<std::uint32_t>>(shape);
    case 8:
      return std::make_unique<Im2colKernel<std::uint64_t>>(shape);
    default:
      context.Unsupported("no kernel for {}; types of up to 8 bytes have one",
                          DataTypeName(context.In("x").type));
  }
}

// Columns are [N, C * area, positions] or [N, C, area, positions]; of one image also without N.
ConvolutionShape Col2imShape(const OpContext& context) {
  const Dims& x = context.In("x").dims;
  const HeightWidth size = Pair(context, "output_size", context.NeededInts("output_size"));
  const HeightWidth kernel = Pair(context, kCol2im.kernel, RequiredInts(context, kCol2im.kernel));
  if (x.size() < 2 || x.size() > 4)
    context.Refuse("x is {}; it must have two to four dimensions", ToString(x));
  for (const std::int64_t side : {kernel.height, kernel.width, x[x.size() - 2]})
    if (side < 1 || side > kMostExtent) context.Refuse("{} is out of range for a kernel or columns", side);
  const std::int64_t area = kernel.height * kernel.width, batch = x.size() == 2 ? 1 : x[0];
  const std::int64_t lines = x.size() == 4 ? ElementCount({x[1], x[2]}) : x[x.size() - 2];
  if (lines % area != 0 || (x.size() == 4 && x[2] != area))
    context.Refuse("x is {}; the kernel has {} elements", ToString(x), area);
  const ConvolutionShape shape = ColumnsOf(context, {batch, lines / area, size.height, size.width}, kCol2im);
  if (static_cast<std::int64_t>(shape.OutPixels()) != x.back())
    context.Refuse("x is {}; an image of {} by {} has {} positions", ToString(x), size.height, size.width,
                   shape.OutPixels());
  return shape;
}

void InferCol2im(OpContext& context) {
  const ConvolutionShape shape = Col2imShape(context);
  const TensorType& x = context.In("x");
  const auto whole = [](std::size_t value) { return static_cast<std::int64_t>(value); };
  Dims dims{whole(shape.batch), whole(shape.channels), whole(shape.height), whole(shape.width)};
  if (x.dims.size() == 2) dims.erase(dims.begin());
  ElementCount(dims);
  context.SetOut(0, x.type, dims, x.dims.size() == 2 ? Format::kNd : Format::kNchw);
}

std::unique_ptr<Kernel> LowerCol2im(OpContext& context) {
  const ConvolutionShape shape = Col2imShape(context);
  Ignore(context, {"output_size"});
  const DataType type = context.In("x").type;
  if (type == DataType::kDouble) return std::make_unique<Col2imKernel<double>>(shape);
  if (!ComputesInFloat(type))
    context.Unsupported("no kernel for {}; floating-point types have one", DataTypeName(type));
  return ThroughFloat(context, std::make_unique<Col2imKernel<float>>(shape));
}

const RegisterOp columns({
    OpDef("Im2col").Infer(InferIm2col).Lower(LowerIm2col).Types(NumberAndBoolTypes()),
    OpDef("Col2im")
        .Infer(InferCol2im)
        .Lower(LowerCol2im)
        .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble}),
});

}  // namespace
}  // namespace foothold
