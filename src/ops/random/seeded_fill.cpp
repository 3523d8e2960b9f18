// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators of our own whose numbers follow from inputs of one element alone, 'seed' and 'offset' of int64
// and floats: AclnnRandomUniform (from 'first' to 'second') and AclnnRandomNormal (the mean 'first', the
// deviation 'second') in the shape of the attribute 'shape', and AclnnDropoutMask: one bit for each of
// 'count' elements, the lowest of a byte first, 0 with the probability 'p', in 'bytes' or, if nothing is
// said, a multiple of 128 of them.
#include <cmath>
#include <cstring>
#include <numbers>
#include <optional>

#include "base/error.h"
#include "ops/data/rule_arguments.h"
#include "ops/random/random_source.h"

namespace foothold {
namespace {

void CheckNumber(const OpContext& context, const char* name, DataType type) {
  if (!context.Has(name) || context.In(name).type != type || ElementCount(context.In(name).dims) != 1)
    context.Refuse("input '{}' has to be one {}", name, DataTypeName(type));
}

void CheckState(const OpContext& context) {
  CheckNumber(context, "seed", DataType::kInt64);
  CheckNumber(context, "offset", DataType::kInt64);
}

// Where the state stands when the kernel runs. Programs move the offset by less than they draw: each offset
// has a sequence of its own.
struct StatePorts {
  explicit StatePorts(const OpContext& context)
      : seed(context.Port("seed")), offset(context.Port("offset")) {}
  RandomState Read(const RunArgs& args) const {
    return {Mixed(static_cast<std::uint64_t>(*args.In<std::int64_t>(seed)),
                  static_cast<std::uint64_t>(*args.In<std::int64_t>(offset))),
            0};
  }
  int seed, offset;
};

void InferFill(OpContext& context) {
  CheckState(context);
  CheckNumber(context, "first", DataType::kFloat);
  CheckNumber(context, "second", DataType::kFloat);
  Dims dims = RequiredInts(context, "shape");
  if (!IsStatic(dims)) context.Refuse("shape {} has a negative dimension", ToString(dims));
  context.SetOut(0, TypeAttribute(context, "dtype", DataType::kFloat), std::move(dims), Format::kNd);
}

// Nothing: double, which the generator does not make itself.
std::optional<RandomType> GeneratedType(const OpContext& context) {
  switch (context.Out(0).type) {
    case DataType::kFloat:
      return RandomType::kFloat32;
    case DataType::kFloat16:
      return RandomType::kFloat16;
    case DataType::kBfloat16:
      return RandomType::kBFloat16;
    case DataType::kDouble:
      return std::nullopt;
    default:
      context.Unsupported("no kernel for {}; float, float16, bfloat16 and double have one",
                          DataTypeName(context.Out(0).type));
  }
}

class FillKernel : public Kernel {
 public:
  explicit FillKernel(const OpContext& context)
      : type_(GeneratedType(context)),
        count_(static_cast<std::size_t>(ElementCount(context.Out(0).dims))),
        state_(context),
        first_(context.Port("first")),
        second_(context.Port("second")) {}

 protected:
  static double NumberAt(const RunArgs& args, int port) { return static_cast<double>(*args.In<float>(port)); }

  std::optional<RandomType> type_;
  std::size_t count_;
  StatePorts state_;
  int first_, second_;
};

class UniformKernel : public FillKernel {
 public:
  using FillKernel::FillKernel;
  void Run(const RunArgs& args) const override {
    const double low = NumberAt(args, first_), high = NumberAt(args, second_);
    if (type_) {
      RandomUniform(args.outputs[0], count_, *type_, low, high, state_.Read(args));
      return;
    }
    double* y = args.Out<double>(0);
    UniformDoubles(y, count_, state_.Read(args));
    for (std::size_t i = 0; i < count_; ++i)
      y[i] = low + (high - low) * y[i];
  }
};

class NormalKernel : public FillKernel {
 public:
  using FillKernel::FillKernel;
  std::size_t WorkspaceBytes() const override { return type_ ? 0 : 2 * count_ * sizeof(double); }
  void Run(const RunArgs& args) const override {
    const double mean = NumberAt(args, first_), deviation = NumberAt(args, second_);
    if (type_) {
      RandomNormal(args.outputs[0], count_, *type_, mean, deviation, false, state_.Read(args));
      return;
    }
    auto* even = reinterpret_cast<double*>(args.workspace);
    UniformDoubles(even, 2 * count_, state_.Read(args));
    for (std::size_t i = 0; i < count_; ++i)
      args.Out<double>(0)[i] = mean + deviation * std::sqrt(-2 * std::log1p(-even[2 * i])) *
                                          std::cos(2 * std::numbers::pi * even[2 * i + 1]);
  }
};

template <class Filling>
OpDef Fill(const char* type) {
  return OpDef(type).Infer(InferFill).Stateful().Lower(
      [](OpContext& context) -> std::unique_ptr<Kernel> { return std::make_unique<Filling>(context); });
}

constexpr std::int64_t kMaskAlignment = 128;

std::int64_t BitsOf(const OpContext& context) {
  const std::int64_t count = RequiredInt(context, "count");
  if (count < 0 || count > INT64_MAX / 2)
    context.Refuse("attribute 'count' is {}, expected a number of elements", count);
  return count;
}

void InferMask(OpContext& context) {
  CheckState(context);
  CheckNumber(context, "p", DataType::kFloat);
  const std::int64_t needed = (BitsOf(context) + 7) / 8;
  const std::int64_t bytes =
      context.node().Int("bytes", (needed + kMaskAlignment - 1) / kMaskAlignment * kMaskAlignment);
  if (bytes < needed) context.Refuse("a mask of {} bits does not fit into {} bytes", BitsOf(context), bytes);
  context.SetOut(0, DataType::kUint8, {bytes}, Format::kNd);
}

class MaskKernel : public Kernel {
 public:
  explicit MaskKernel(const OpContext& context)
      : bits_(static_cast<std::size_t>(BitsOf(context))),
        bytes_(ByteSize(context.Out(0))),
        state_(context),
        share_(context.Port("p")),
        name_(context.node().Description()) {}

  void Run(const RunArgs& args) const override {
    if (bytes_ > 0) std::memset(args.outputs[0], 0, bytes_);
    const auto share = static_cast<double>(*args.In<float>(share_));
    if (!(share >= 0 && share <= 1)) Fail(kInvalidParam, "{}: 'p' is {}, expected 0 to 1", name_, share);
    RandomMask(args.Out<std::uint8_t>(0), bits_, 1 - share, state_.Read(args));
  }

 private:
  std::size_t bits_, bytes_;
  StatePorts state_;
  int share_;
  std::string name_;
};

std::unique_ptr<Kernel> LowerMask(OpContext& context) {
  return std::make_unique<MaskKernel>(context);
}

const RegisterOp fills({
    Fill<UniformKernel>("AclnnRandomUniform"),
    Fill<NormalKernel>("AclnnRandomNormal"),
    OpDef("AclnnDropoutMask").Infer(InferMask).Lower(LowerMask).Stateful(),
});

}  // namespace
}  // namespace foothold
