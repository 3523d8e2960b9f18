// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>
#include <cmath>

#include "base/thread_pool.h"
#include "kernels/bilinear.h"
#include "ops/data/copy_kernel.h"
#include "ops/data/rule_arguments.h"
#include "ops/element_types.h"
#include "ops/op.h"
#include "ops/resize/resize_image.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

// Which two neighbours each result lies between, and how far from the first.
struct Neighbours {
  std::vector<std::int32_t> first, second;
  std::vector<float> share;
  Neighbours(PixelMap map, ResizeSide side, std::int64_t step);
  BilinearTable Table() const { return {first.data(), second.data(), share.data(), share.size()}; }
};

Neighbours::Neighbours(PixelMap map, ResizeSide side, std::int64_t step) {
  const float scale = map.Scale(side);
  for (std::int64_t i = 0; i < side.to; ++i) {
    const auto at = static_cast<float>(i);
    const float place = map.half_pixels ? std::max((at + 0.5f) * scale - 0.5f, 0.0f) : at * scale;
    const std::int64_t low = std::clamp<std::int64_t>(static_cast<std::int64_t>(place), 0, side.from - 1);
    first.push_back(static_cast<std::int32_t>(low * step));
    second.push_back(static_cast<std::int32_t>(std::min(low + 1, side.from - 1) * step));
    share.push_back(std::min(place - static_cast<float>(low), 1.0f));
  }
}

using Convert = void (*)(const std::byte* from, std::size_t count, float* to);
using Round = void (*)(const float* from, std::size_t count, std::byte* to);

template <typename T>
void ToFloats(const std::byte* from, std::size_t count, float* to) {
  for (std::size_t i = 0; i < count; ++i)
    to[i] = static_cast<float>(reinterpret_cast<const T*>(from)[i]);
}

template <typename T>
void FromFloats(const float* from, std::size_t count, std::byte* to) {
  for (std::size_t i = 0; i < count; ++i)
    reinterpret_cast<T*>(to)[i] = T(from[i]);
}

class BilinearKernel : public Kernel {
 public:
  BilinearKernel(const ResizeImage& image, PixelMap map, Convert convert, Round round)
      : image_(image),
        rows_(map, image.height, 1),
        columns_(map, image.width, image.channels_last ? image.c : 1),
        convert_(convert),
        round_(round) {}

  void Run(const RunArgs& args) const override {
    const float* x = args.In<float>(0);
    float* y = round_ == nullptr ? args.Out<float>(0) : reinterpret_cast<float*>(args.workspace) + Inputs();
    if (convert_ != nullptr) {
      convert_(args.inputs[0], InputCount(), reinterpret_cast<float*>(args.workspace));
      x = reinterpret_cast<const float*>(args.workspace);
    }
    const std::size_t row = OutputRow();
    ParallelFor(Planes() * rows_.share.size(), std::max<std::size_t>(1, kGrainPixels / row),
                [&](std::size_t begin, std::size_t end) {
                  for (std::size_t i = begin; i < end; ++i)
                    RunRow(x, i, y + i * row);
                });
    if (round_ != nullptr) round_(y, Planes() * rows_.share.size() * row, args.outputs[0]);
  }
  std::size_t WorkspaceBytes() const override {
    const std::size_t outputs = round_ == nullptr ? 0 : Planes() * rows_.share.size() * OutputRow();
    return (Inputs() + outputs) * sizeof(float);
  }

 private:
  static constexpr std::size_t kGrainPixels = 1 << 14;

  std::size_t Channels() const { return static_cast<std::size_t>(image_.channels_last ? image_.c : 1); }
  std::size_t Planes() const {
    return static_cast<std::size_t>(image_.channels_last ? image_.n : image_.n * image_.c);
  }
  std::size_t InputRow() const { return static_cast<std::size_t>(image_.width.from) * Channels(); }
  std::size_t OutputRow() const { return columns_.share.size() * Channels(); }
  std::size_t InputCount() const {
    return Planes() * static_cast<std::size_t>(image_.height.from) * InputRow();
  }
  std::size_t Inputs() const { return convert_ == nullptr ? 0 : InputCount(); }

  void RunRow(const float* x, std::size_t item, float* y) const {
    const std::size_t row = item % rows_.share.size();
    const float* plane =
        x + item / rows_.share.size() * static_cast<std::size_t>(image_.height.from) * InputRow();
    const float* top = plane + static_cast<std::size_t>(rows_.first[row]) * InputRow();
    const float* bottom = plane + static_cast<std::size_t>(rows_.second[row]) * InputRow();
    if (image_.channels_last) {
      BilinearPixels(top, bottom, rows_.share[row], columns_.Table(), Channels(), y);
    } else {
      BilinearRow(top, bottom, rows_.share[row], columns_.Table(), y);
    }
  }

  ResizeImage image_;
  Neighbours rows_;
  Neighbours columns_;
  Convert convert_;  // null: x is float
  Round round_;      // null: y is
};

void InferBilinear(OpContext& context) {
  ReadPixelMap(context);
  const ResizeImage image = ReadResize(context);
  const DataType type = TypeAttribute(context, "dtype", DataType::kFloat);
  if (type != DataType::kFloat && type != DataType::kFloat16 && type != DataType::kBfloat16)
    context.Refuse("attribute 'dtype' is {}, expected float, float16 or bfloat16", DataTypeName(type));
  if (image.channels_last && image.width.from * image.c > INT32_MAX)
    context.Refuse("a row of x has {} values, expected less than 2^31", image.width.from * image.c);
  context.SetOut(0, type, ResizedDims(image), context.In(0).format);
}

Convert Converter(const OpContext& context) {
  const DataType type = context.In(0).type;
  if (type == DataType::kFloat) return nullptr;
  return VisitType(
      type, [](auto tag) -> Convert { return ToFloats<typename decltype(tag)::Type>; },
      [&]() -> Convert {
        context.Unsupported("no kernel for {}; real numbers would run", DataTypeName(type));
      });
}

Round Rounder(DataType type) {
  if (type == DataType::kFloat) return nullptr;
  return type == DataType::kFloat16 ? FromFloats<Half> : FromFloats<Bfloat16>;
}

std::unique_ptr<Kernel> LowerBilinear(OpContext& context) {
  const ResizeImage image = ReadResize(context);
  Ignore(context, {"size"});
  ByteSize(context.In(0));
  if (ByteSize(context.Out(0)) == 0) return std::make_unique<CopyKernel>(std::vector<PortCopy>());
  return std::make_unique<BilinearKernel>(image, ReadPixelMap(context), Converter(context),
                                          Rounder(context.Out(0).type));
}

const RegisterOp bilinear({
    OpDef("ResizeBilinearV2").Infer(InferBilinear).Lower(LowerBilinear).Types(NumberAndBoolTypes()),
    OpDef("ResizeBilinearV2D").Infer(InferBilinear).Lower(LowerBilinear).Types(NumberAndBoolTypes()),
});

}  // namespace
}  // namespace foothold
