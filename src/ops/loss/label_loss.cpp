// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Losses of class labels: NLLLoss takes logarithms of probabilities, SoftmaxCrossEntropyLoss any scores and
// gives the logarithms back. Classes are the second dimension, or the only one; every class may have a
// weight, and a label that equals 'ignore_index' does not count.
#include <cmath>
#include <optional>

#include "base/error.h"
#include "kernels/softmax.h"
#include "ops/data/rule_arguments.h"
#include "ops/loss/reduction.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

struct LossShape {
  std::size_t outer = 1, classes = 0, inner = 1;
  LossReduction reduction = LossReduction::kMean;
  std::optional<std::int64_t> ignored;
  bool wide_labels = false;
  int weights = -1;
  std::string name;

  std::size_t losses() const { return outer * inner; }
};

Dims LabelDims(const OpContext& context) {
  Dims dims = context.InDims(0);
  if (dims.empty()) context.Refuse("the scores are a scalar, expected classes");
  dims.erase(dims.begin() + (dims.size() > 1 ? 1 : 0));
  return dims;
}

LossShape ShapeOf(const OpContext& context, std::optional<std::int64_t> ignored) {
  const Dims& x = context.InDims(0);
  LossShape shape;
  shape.outer = x.size() > 1 ? static_cast<std::size_t>(x[0]) : 1;
  shape.classes = static_cast<std::size_t>(x[x.size() > 1 ? 1 : 0]);
  shape.inner = x.size() > 2 ? Product(x, 2, x.size()) : 1;
  shape.reduction = ReductionOf(context);
  shape.ignored = ignored;
  if (context.node().FindAttribute("ignore_index") != nullptr)
    shape.ignored = context.node().Int("ignore_index", 0);
  shape.wide_labels = context.In(1).type == DataType::kInt64;
  shape.weights = context.inputs() > 2 && context.Has(2) ? 2 : -1;
  shape.name = context.node().Description();
  return shape;
}

void CheckInputs(const OpContext& context) {
  const Dims labels = LabelDims(context);
  const TensorType& given = context.In(1);
  const bool whole = given.type == DataType::kInt32 || given.type == DataType::kInt64;
  if (!whole || ElementCount(given.dims) != ElementCount(labels))
    context.Refuse("the labels are {}, expected int32 or int64 of {}", ToString(given), ToString(labels));
  const std::int64_t classes = context.InDims(0)[context.InDims(0).size() > 1 ? 1 : 0];
  if (context.inputs() > 2 && context.Has(2) &&
      (ElementCount(context.InDims(2)) != classes || context.In(2).type != context.In(0).type))
    context.Refuse("the weights are {}, expected one {} for each of {} classes", ToString(context.In(2)),
                   DataTypeName(context.In(0).type), classes);
}

void SetLoss(OpContext& context) {
  CheckInputs(context);
  const bool each = ReductionOf(context) == LossReduction::kNone;
  context.SetOut(0, context.In(0).type, each ? LabelDims(context) : Dims{}, Format::kNd);
}

void InferNll(OpContext& context) {
  SetLoss(context);
  if (context.outputs() > 1) context.SetOut(1, context.In(0).type, {}, Format::kNd);
}

void InferCrossEntropy(OpContext& context) {
  SetLoss(context);
  if (context.outputs() > 1) context.SetOut(1, context.In(0));
}

// Losses from the logarithms of probabilities. Sums are taken in double.
template <typename T>
class Losses {
 public:
  explicit Losses(LossShape shape) : s_(std::move(shape)) {}

  // Returns the sum of the weights that counted.
  double Write(const RunArgs& args, const T* logs) const {
    double sum = 0, weights = 0;
    for (std::size_t i = 0; i < s_.losses(); ++i) {
      const std::int64_t label = s_.wide_labels ? args.In<std::int64_t>(1)[i] : args.In<std::int32_t>(1)[i];
      const bool counts = !s_.ignored || label != *s_.ignored;
      const double weight = counts ? WeightOf(args, label) : 0;
      const double loss = counts ? -weight * static_cast<double>(logs[Place(i, label)]) : 0;
      sum += loss;
      weights += weight;
      if (s_.reduction == LossReduction::kNone) args.Out<T>(0)[i] = static_cast<T>(loss);
    }
    if (s_.reduction == LossReduction::kMean) sum /= weights;
    if (s_.reduction != LossReduction::kNone) args.Out<T>(0)[0] = static_cast<T>(sum);
    return weights;
  }

  const LossShape& shape() const { return s_; }

 private:
  double WeightOf(const RunArgs& args, std::int64_t label) const {
    if (label < 0 || static_cast<std::size_t>(label) >= s_.classes)
      Fail(kInvalidParam, "{}: label {} is none of {} classes", s_.name, label, s_.classes);
    return s_.weights < 0 ? 1.0 : static_cast<double>(args.In<T>(s_.weights)[label]);
  }
  std::size_t Place(std::size_t i, std::int64_t label) const {
    return (i / s_.inner * s_.classes + static_cast<std::size_t>(label)) * s_.inner + i % s_.inner;
  }

  LossShape s_;
};

template <typename T>
class NllKernel : public Kernel {
 public:
  NllKernel(LossShape shape, bool total) : losses_(std::move(shape)), total_(total) {}
  void Run(const RunArgs& args) const override {
    const double weights = losses_.Write(args, args.In<T>(0));
    if (total_) args.Out<T>(1)[0] = static_cast<T>(weights);
  }

 private:
  Losses<T> losses_;
  bool total_;
};

void LogSoftmax(const float* x, const LossShape& s, float* y) {
  SoftmaxFloats(SoftmaxKind::kLogSoftmax, x, s.outer, s.classes, s.inner, y);
}

void LogSoftmax(const double* x, const LossShape& s, double* y) {
  for (std::size_t i = 0; i < s.losses() && s.classes > 0; ++i) {
    const std::size_t first = i / s.inner * s.classes * s.inner + i % s.inner;
    double most = x[first], sum = 0;
    for (std::size_t k = 1; k < s.classes; ++k)
      most = std::fmax(most, x[first + k * s.inner]);
    for (std::size_t k = 0; k < s.classes; ++k)
      sum += std::exp(x[first + k * s.inner] - most);
    for (std::size_t k = 0; k < s.classes; ++k)
      y[first + k * s.inner] = x[first + k * s.inner] - most - std::log(sum);
  }
}

// The logarithms are an output or, if nobody has declared it, in the workspace.
template <typename T>
class CrossEntropyKernel : public Kernel {
 public:
  CrossEntropyKernel(LossShape shape, bool shown) : losses_(std::move(shape)), shown_(shown) {}
  std::size_t WorkspaceBytes() const override {
    return shown_ ? 0 : losses_.shape().losses() * losses_.shape().classes * sizeof(T);
  }
  void Run(const RunArgs& args) const override {
    T* logs = shown_ ? args.Out<T>(1) : reinterpret_cast<T*>(args.workspace);
    LogSoftmax(args.In<T>(0), losses_.shape(), logs);
    losses_.Write(args, logs);
  }

 private:
  Losses<T> losses_;
  bool shown_;
};

template <template <typename> class KernelOf>
std::unique_ptr<Kernel> LowerLoss(OpContext& context, std::optional<std::int64_t> ignored) {
  const DataType type = context.In(0).type;
  LossShape shape = ShapeOf(context, ignored);
  const bool second = context.outputs() > 1;
  if (type == DataType::kDouble) return std::make_unique<KernelOf<double>>(std::move(shape), second);
  if (ComputesInFloat(type))
    return ThroughFloat(context, std::make_unique<KernelOf<float>>(std::move(shape), second));
  context.Unsupported("no kernel for {}; float, float16, bfloat16 and double have one", DataTypeName(type));
}

std::unique_ptr<Kernel> LowerNll(OpContext& context) {
  return LowerLoss<NllKernel>(context, -100);
}

std::unique_ptr<Kernel> LowerCrossEntropy(OpContext& context) {
  return LowerLoss<CrossEntropyKernel>(context, std::nullopt);
}

OpDef Def(const char* type, OpDef::InferRule infer, OpDef::LowerRule lower) {
  return OpDef(type)
      .Infer(std::move(infer))
      .Lower(std::move(lower))
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble});
}

const RegisterOp label_losses({Def("NLLLoss", InferNll, LowerNll),
                               Def("SoftmaxCrossEntropyLoss", InferCrossEntropy, LowerCrossEntropy)});

}  // namespace
}  // namespace foothold
