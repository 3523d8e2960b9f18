// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// OnnxDft: the discrete Fourier transform along an axis. The last dimension of the input is 1 (real) or 2
// (real and imaginary part), that of the output 2. Attributes: axis, inverse, onesided. The optional second
// input is the length of the transform; the signal is cut or filled with zeros.
#include <cmath>
#include <numbers>

#include "base/thread_pool.h"
#include "ops/data/rule_arguments.h"
#include "ops/op.h"

namespace foothold {
namespace {

struct Transform {
  std::size_t outer, length, inner, parts;  // of the input; parts: 1 real, 2 complex
  std::size_t size, results;                // of the transform, and how many of its values are given
  bool inverse;
};

Transform TransformOf(const OpContext& context) {
  const Dims& dims = context.InDims(0);
  if (dims.size() < 2 || (dims.back() != 1 && dims.back() != 2))
    context.Refuse("the signal is {}, expected a last dimension of 1 or 2", ToString(context.In(0)));
  const std::size_t axis = AxisIn(context, context.node().Int("axis", 1), dims.size(), "attribute 'axis'");
  if (axis + 1 == dims.size()) context.Refuse("the last dimension holds the parts of numbers, it is no axis");
  std::int64_t size = dims[axis];
  if (context.inputs() > 1 && context.Has(1)) size = static_cast<std::int64_t>(Scalar(context.Needed(1)));
  if (size <= 0) context.Refuse("the length of the transform is {}", size);
  const auto length = static_cast<std::size_t>(size);
  const bool onesided = context.node().Bool("onesided", false);
  return {Product(dims, 0, axis),
          static_cast<std::size_t>(dims[axis]),
          Product(dims, axis + 1, dims.size() - 1),
          static_cast<std::size_t>(dims.back()),
          length,
          onesided ? length / 2 + 1 : length,
          context.node().Bool("inverse", false)};
}

template <typename T>
class DftKernel : public Kernel {
 public:
  explicit DftKernel(const Transform& transform) : t_(transform) {
    const double turn = (t_.inverse ? 2 : -2) * std::numbers::pi / static_cast<double>(t_.size);
    for (std::size_t i = 0; i < t_.size; ++i) {
      cosines_.push_back(std::cos(turn * static_cast<double>(i)));
      sines_.push_back(std::sin(turn * static_cast<double>(i)));
    }
  }

  void Run(const RunArgs& args) const override {
    ParallelFor(t_.outer * t_.results, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        for (std::size_t inner = 0; inner < t_.inner; ++inner)
          RunOne(args, i / t_.results, i % t_.results, inner);
    });
  }

 private:
  void RunOne(const RunArgs& args, std::size_t outer, std::size_t k, std::size_t inner) const {
    const T* x = args.In<T>(0) + (outer * t_.length * t_.inner + inner) * t_.parts;
    double real = 0, imaginary = 0;
    std::size_t turn = 0;
    for (std::size_t n = 0; n < std::min(t_.length, t_.size); ++n, turn = (turn + k) % t_.size) {
      const T* value = x + n * t_.inner * t_.parts;
      const double a = static_cast<double>(value[0]), b = t_.parts == 2 ? static_cast<double>(value[1]) : 0;
      real += a * cosines_[turn] - b * sines_[turn];
      imaginary += a * sines_[turn] + b * cosines_[turn];
    }
    const double scale = t_.inverse ? 1 / static_cast<double>(t_.size) : 1;
    T* y = args.Out<T>(0) + ((outer * t_.results + k) * t_.inner + inner) * 2;
    y[0] = static_cast<T>(real * scale);
    y[1] = static_cast<T>(imaginary * scale);
  }

  Transform t_;
  std::vector<double> cosines_, sines_;
};

void InferDft(OpContext& context) {
  const Transform transform = TransformOf(context);
  Dims dims = context.InDims(0);
  dims[AxisIn(context, context.node().Int("axis", 1), dims.size(), "attribute 'axis'")] =
      static_cast<std::int64_t>(transform.results);
  dims.back() = 2;
  context.SetOut(0, context.In(0).type, dims, context.In(0).format);
}

std::unique_ptr<Kernel> LowerDft(OpContext& context) {
  const Transform transform = TransformOf(context);
  if (context.inputs() > 1 && context.Has(1)) context.SetUnused(1);
  if (context.In(0).type == DataType::kFloat) return std::make_unique<DftKernel<float>>(transform);
  if (context.In(0).type == DataType::kDouble) return std::make_unique<DftKernel<double>>(transform);
  context.Unsupported("no kernel for {}; float and double would run", DataTypeName(context.In(0).type));
}

const RegisterOp dft(OpDef("OnnxDft").Infer(InferDft).Lower(LowerDft));

}  // namespace
}  // namespace foothold
