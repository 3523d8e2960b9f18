// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators of our own: the cross entropy of rows of logarithms of probabilities ('log_prob') with labels a
// part of which ('label_smoothing') goes to all classes alike, and the gradient with respect to the scores
// behind the logarithms. Classes may have weights; a label equal to an 'ignore_index' that is not negative
// does not count. Of a mean every label counts as the weight of its class.
#include <algorithm>
#include <cmath>

#include "base/thread_pool.h"
#include "ops/data/index_reader.h"
#include "ops/function_kernel.h"
#include "ops/loss/reduction.h"

namespace foothold {
namespace {

class Labels {
 public:
  explicit Labels(const OpContext& context)
      : reader_(context, context.Port("target")),
        rows_(static_cast<std::size_t>(context.InDims(0)[0])),
        classes_(static_cast<std::size_t>(context.InDims(0)[1])),
        weight_(context.Has("weight") ? context.Port("weight") : -1),
        ignored_(context.node().Int("ignore_index", -100)),
        smoothing_(static_cast<double>(context.node().Float("label_smoothing", 0))),
        reduction_(ReductionOf(context)) {}

  std::size_t rows() const { return rows_; }
  std::size_t classes() const { return classes_; }
  LossReduction reduction() const { return reduction_; }
  double smoothing() const { return smoothing_; }
  bool Counts(const RunArgs& args, std::size_t row) const {
    return ignored_ < 0 || reader_.Raw(args, row) != ignored_;
  }
  std::size_t Class(const RunArgs& args, std::size_t row) const { return reader_.At(args, row, classes_); }
  double Weight(const RunArgs& args, std::size_t one) const {
    return weight_ < 0 ? 1.0 : static_cast<double>(args.In<float>(weight_)[one]);
  }
  // Of all labels that count.
  double Total(const RunArgs& args) const {
    double total = 0;
    for (std::size_t row = 0; row < rows_; ++row)
      if (Counts(args, row)) total += Weight(args, Class(args, row));
    return total;
  }
  double Loss(const RunArgs& args, std::size_t row) const {
    const float* logs = args.In<float>(0) + row * classes_;
    const std::size_t label = Class(args, row);
    double spread = 0;
    for (std::size_t c = 0; smoothing_ != 0 && c < classes_; ++c)
      spread -= Weight(args, c) * static_cast<double>(logs[c]);
    const double hit = -Weight(args, label) * static_cast<double>(logs[label]);
    return smoothing_ == 0 ? hit
                           : (1 - smoothing_) * hit + smoothing_ / static_cast<double>(classes_) * spread;
  }

 private:
  IndexReader reader_;
  std::size_t rows_, classes_;
  int weight_;
  std::int64_t ignored_;
  double smoothing_;
  LossReduction reduction_;
};

void Check(const OpContext& context) {
  const TensorType& logs = context.In("log_prob");
  if (logs.dims.size() != 2 || logs.type != DataType::kFloat)
    context.Refuse("log_prob is {}, expected rows of floats", ToString(logs));
  if (ElementCount(context.In("target").dims) != logs.dims[0])
    context.Refuse("target is {}, expected {} labels", ToString(context.In("target")), logs.dims[0]);
  if (context.Has("weight") && ElementCount(context.In("weight").dims) != logs.dims[1])
    context.Refuse("weight is {}, expected one for each of {} classes", ToString(context.In("weight")),
                   logs.dims[1]);
}

void InferLoss(OpContext& context) {
  Check(context);
  const bool each = ReductionOf(context) == LossReduction::kNone;
  context.SetOut(0, DataType::kFloat, {each ? context.InDims(0)[0] : 1}, Format::kNd);
}

std::unique_ptr<Kernel> LowerLoss(OpContext& context) {
  const Labels labels(context);
  return KernelOf(
      [labels](const RunArgs& args) {
        auto* losses = reinterpret_cast<double*>(args.workspace);
        ParallelFor(labels.rows(), 1 + 16384 / (1 + labels.classes()),
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t row = begin; row < end; ++row)
                        losses[row] = labels.Counts(args, row) ? labels.Loss(args, row) : 0;
                    });
        float* y = args.Out<float>(0);
        double sum = 0;
        for (std::size_t row = 0; row < labels.rows(); ++row) {
          if (labels.reduction() == LossReduction::kNone) y[row] = static_cast<float>(losses[row]);
          sum += losses[row];
        }
        if (labels.reduction() == LossReduction::kMean) sum /= labels.Total(args);
        if (labels.reduction() != LossReduction::kNone) y[0] = static_cast<float>(sum);
      },
      labels.rows() * sizeof(double));
}

void InferGradient(OpContext& context) {
  Check(context);
  const std::int64_t losses = ReductionOf(context) == LossReduction::kNone ? context.InDims(0)[0] : 1;
  if (ElementCount(context.In("grad").dims) != losses)
    context.Refuse("grad is {}, expected {} elements", ToString(context.In("grad")), losses);
  context.SetOut(0, context.In(0));
}

void GradientOfRow(const Labels& labels, const RunArgs& args, std::size_t row, double arriving) {
  const std::size_t classes = labels.classes();
  const float* logs = args.In<float>(0) + row * classes;
  float* y = args.Out<float>(0) + row * classes;
  if (!labels.Counts(args, row)) {
    std::fill_n(y, classes, 0.0f);
    return;
  }
  const std::size_t label = labels.Class(args, row);
  const double share = labels.smoothing() / static_cast<double>(classes);
  const auto target = [&](std::size_t c) {
    return (c == label ? (1 - labels.smoothing()) * labels.Weight(args, c) : 0) +
           (share == 0 ? 0 : share * labels.Weight(args, c));
  };
  double all = 0;
  for (std::size_t c = 0; c < classes; ++c)
    all += target(c);
  for (std::size_t c = 0; c < classes; ++c)
    y[c] = static_cast<float>(arriving * (std::exp(static_cast<double>(logs[c])) * all - target(c)));
}

std::unique_ptr<Kernel> LowerGradient(OpContext& context) {
  const Labels labels(context);
  const int grad = context.Port("grad");
  return KernelOf([labels, grad](const RunArgs& args) {
    const bool each = labels.reduction() == LossReduction::kNone;
    const double shares = labels.reduction() == LossReduction::kMean ? labels.Total(args) : 1;
    ParallelFor(labels.rows(), 1 + 8192 / (1 + labels.classes()), [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row)
        GradientOfRow(labels, args, row, static_cast<double>(args.In<float>(grad)[each ? row : 0]) / shares);
    });
  });
}

const RegisterOp smoothed_labels({
    OpDef("AclnnCrossEntropy").Infer(InferLoss).Lower(LowerLoss).Types({DataType::kFloat}),
    OpDef("AclnnCrossEntropyGrad").Infer(InferGradient).Lower(LowerGradient).Types({DataType::kFloat}),
});

}  // namespace
}  // namespace foothold
