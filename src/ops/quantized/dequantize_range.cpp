// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Dequantize: integers that stand for numbers between two bounds, back to floats.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/thread_pool.h"
#include "ops/data/rule_arguments.h"

namespace foothold {
namespace {

enum class Mode { kMinCombined, kMinFirst, kScaled };

Mode ModeOf(const OpContext& context) {
  const std::string mode = context.node().Text("mode", "MIN_COMBINED");
  if (mode == "MIN_COMBINED") return Mode::kMinCombined;
  if (mode == "MIN_FIRST") return Mode::kMinFirst;
  if (mode == "SCALED") return Mode::kScaled;
  context.Refuse("attribute 'mode' is '{}', expected MIN_COMBINED, MIN_FIRST or SCALED", mode);
}

void InferDequantize(OpContext& context) {
  ModeOf(context);
  for (const char* name : {"min_range", "max_range"})
    if (context.In(name).type != DataType::kFloat || ElementCount(context.In(name).dims) != 1)
      context.Refuse("'{}' is {}, expected one float", name, ToString(context.In(name)));
  context.SetOut(0, DataType::kFloat, context.InDims(0), context.In(0).format);
}

// y = x factor + shift
struct Line {
  double factor, shift;
};

template <typename T>
Line LineOf(Mode mode, double low, double high) {
  constexpr double kLeast = std::numeric_limits<T>::min(), kMost = std::numeric_limits<T>::max();
  if (mode == Mode::kScaled)
    return {kLeast == 0 ? high / kMost : std::max(low / (kLeast == 0 ? 1 : kLeast), high / kMost), 0};
  const double step = (high - low) / (kMost - kLeast);
  // From the middle of the range, which is half a step beside the middle of the integers.
  if (mode == Mode::kMinCombined) return {step, low + (kLeast == 0 ? 0 : (kMost - kLeast + 1) / 2 * step)};
  if (step == 0) return {0, low};
  return {step, std::round(low / step) * step - kLeast * step};
}

template <typename T>
class DequantizeKernel : public Kernel {
 public:
  DequantizeKernel(Mode mode, std::size_t count) : mode_(mode), count_(count) {}

  void Run(const RunArgs& args) const override {
    const Line line = LineOf<T>(mode_, args.In<float>(1)[0], args.In<float>(2)[0]);
    const T* x = args.In<T>(0);
    float* y = args.Out<float>(0);
    ParallelFor(count_, 65536, [=](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        y[i] = static_cast<float>(static_cast<double>(x[i]) * line.factor + line.shift);
    });
  }

 private:
  Mode mode_;
  std::size_t count_;
};

std::unique_ptr<Kernel> LowerDequantize(OpContext& context) {
  const Mode mode = ModeOf(context);
  const auto count = static_cast<std::size_t>(ElementCount(context.InDims(0)));
  switch (context.In(0).type) {
    case DataType::kInt8:
      return std::make_unique<DequantizeKernel<std::int8_t>>(mode, count);
    case DataType::kUint8:
      return std::make_unique<DequantizeKernel<std::uint8_t>>(mode, count);
    case DataType::kInt16:
      return std::make_unique<DequantizeKernel<std::int16_t>>(mode, count);
    case DataType::kUint16:
      return std::make_unique<DequantizeKernel<std::uint16_t>>(mode, count);
    case DataType::kInt32:
      return std::make_unique<DequantizeKernel<std::int32_t>>(mode, count);
    default:
      context.Unsupported("no kernel for {}; integers of 8, 16 and 32 bits would run",
                          DataTypeName(context.In(0).type));
  }
}

const RegisterOp dequantize(OpDef("Dequantize")
                                .Infer(InferDequantize)
                                .Lower(LowerDequantize)
                                .Types({DataType::kInt8, DataType::kUint8, DataType::kInt16,
                                        DataType::kUint16, DataType::kInt32}));

}  // namespace
}  // namespace foothold
