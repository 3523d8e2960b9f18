// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators of our own: how improbable sequences of labels are when each step says a label or nothing
// ('blank'), and labels said twice in a row count once; and the gradient. log_probs is [steps, batch,
// classes], targets are rows or one row behind the other. log_alpha [batch, steps, row]: the logarithm of the
// probability to be so far after a step, over the labels with blanks around them.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/error.h"
#include "base/thread_pool.h"
#include "ops/data/rule_arguments.h"
#include "ops/function_kernel.h"

namespace foothold {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

double Either(double a, double b) {
  const double most = std::max(a, b);
  return most == kNever ? kNever : most + std::log1p(std::exp(std::min(a, b) - most));
}

struct Batch {
  std::size_t steps, size, classes, row = 0, most = 0;  // most: labels of the longest sequence
  std::vector<std::size_t> lengths, labels, starts;
  std::size_t blank;
  std::string name;

  std::size_t States(std::size_t n) const { return 2 * labels[n] + 1; }
};

Batch BatchOf(const OpContext& context) {
  const TensorType &logs = context.In("log_probs"), &targets = context.In("targets");
  if (logs.dims.size() != 3) context.Refuse("log_probs is {}, expected three dimensions", ToString(logs));
  Batch batch{static_cast<std::size_t>(logs.dims[0]),
              static_cast<std::size_t>(logs.dims[1]),
              static_cast<std::size_t>(logs.dims[2]),
              0,
              0,
              {},
              {},
              {},
              0,
              context.node().Description()};
  const std::vector<std::int64_t> lengths = RequiredInts(context, "input_lengths"),
                                  labels = RequiredInts(context, "target_lengths");
  if (lengths.size() != batch.size || labels.size() != batch.size)
    context.Refuse("there are {} input lengths and {} target lengths, expected {}", lengths.size(),
                   labels.size(), batch.size);
  const bool rows = targets.dims.size() == 2;
  std::size_t start = 0;
  for (std::size_t n = 0; n < batch.size; ++n) {
    if (lengths[n] < 0 || lengths[n] > logs.dims[0] || labels[n] < 0 || (rows && labels[n] > targets.dims[1]))
      context.Refuse("sequence {} has {} steps and {} labels; there is room for {} steps and targets is {}",
                     n, lengths[n], labels[n], logs.dims[0], ToString(targets));
    batch.lengths.push_back(static_cast<std::size_t>(lengths[n]));
    batch.labels.push_back(static_cast<std::size_t>(labels[n]));
    batch.starts.push_back(rows ? n * static_cast<std::size_t>(targets.dims[1]) : start);
    start += batch.labels.back();
    batch.most = std::max(batch.most, batch.labels.back());
  }
  if (!rows && start > static_cast<std::size_t>(ElementCount(targets.dims)))
    context.Refuse("targets is {}, expected {} labels", ToString(targets), start);
  batch.blank = AxisIn(context, RequiredInt(context, "blank"), batch.classes, "attribute 'blank'");
  return batch;
}

// The sequence with blanks around its labels.
template <typename T>
class Sequence {
 public:
  Sequence(const Batch& batch, const RunArgs& args, std::size_t n) : batch_(batch), args_(args), n_(n) {
    for (std::size_t i = 0; i < batch.labels[n]; ++i) {
      const std::int64_t label = Label(i);
      if (label < 0 || static_cast<std::size_t>(label) >= batch.classes)
        Fail(kInvalidParam, "{}: label {} is none of {} classes", batch.name, label, batch.classes);
    }
  }
  std::size_t Class(std::size_t state) const {
    return state % 2 == 0 ? batch_.blank : static_cast<std::size_t>(Label(state / 2));
  }
  // From the label before, without the blank between them.
  bool Skips(std::size_t state) const {
    return state % 2 == 1 && state > 1 && Label(state / 2) != Label(state / 2 - 1);
  }
  double Log(std::size_t step, std::size_t one) const {
    return static_cast<double>(args_.In<T>(0)[(step * batch_.size + n_) * batch_.classes + one]);
  }

 private:
  std::int64_t Label(std::size_t i) const { return args_.In<std::int64_t>(1)[batch_.starts[n_] + i]; }

  const Batch& batch_;
  const RunArgs& args_;
  std::size_t n_;
};

// Two rows of states.
std::size_t RoomFor(const Batch& batch) {
  return batch.size * 2 * (2 * batch.most + 1);
}

template <typename T>
void LossOf(const Batch& batch, const RunArgs& args, std::size_t n, double* room) {
  const Sequence<T> sequence(batch, args, n);
  const std::size_t states = batch.States(n), steps = batch.lengths[n];
  double *now = room, *before = room + states;
  T* alpha = args.Out<T>(1) + n * batch.steps * batch.row;
  std::fill_n(alpha, batch.steps * batch.row, static_cast<T>(kNever));
  for (std::size_t t = 0; t < steps; ++t) {
    std::swap(now, before);
    for (std::size_t s = 0; s < states; ++s) {
      double sum = t == 0 ? (s < 2 ? 0 : kNever) : before[s];
      if (t > 0 && s > 0) sum = Either(sum, before[s - 1]);
      if (t > 0 && sequence.Skips(s)) sum = Either(sum, before[s - 2]);
      now[s] = sum == kNever ? kNever : sum + sequence.Log(t, sequence.Class(s));
      alpha[t * batch.row + s] = static_cast<T>(now[s]);
    }
  }
  double all = steps == 0 ? (states == 1 ? 0 : kNever) : now[states - 1];
  if (steps > 0 && states > 1) all = Either(all, now[states - 2]);
  args.Out<T>(0)[n] = static_cast<T>(-all);
}

template <typename T>
void GradientOf(const Batch& batch, const RunArgs& args, std::size_t n, bool zero_infinity, double* room) {
  const Sequence<T> sequence(batch, args, n);
  const std::size_t states = batch.States(n), steps = batch.lengths[n];
  const auto loss = static_cast<double>(args.In<T>(3)[n]), arriving = static_cast<double>(args.In<T>(2)[n]);
  const bool none = zero_infinity && std::isinf(loss) && loss > 0;
  double *now = room, *behind = room + states;
  for (std::size_t t = batch.steps; t-- > 0;) {
    T* y = args.Out<T>(0) + (t * batch.size + n) * batch.classes;
    std::fill_n(y, batch.classes, T{0});
    if (t >= steps || none) continue;
    std::swap(now, behind);
    const T* alpha = args.In<T>(4) + (n * batch.steps + t) * batch.row;
    for (std::size_t c = 0; c < batch.classes; ++c)
      y[c] = static_cast<T>(kNever);
    for (std::size_t s = 0; s < states; ++s) {
      const std::size_t one = sequence.Class(s);
      double sum = t + 1 == steps ? (s + 2 >= states ? 0 : kNever) : behind[s];
      if (t + 1 < steps && s + 1 < states) sum = Either(sum, behind[s + 1]);
      if (t + 1 < steps && s + 2 < states && sequence.Skips(s + 2)) sum = Either(sum, behind[s + 2]);
      now[s] = sum == kNever ? kNever : sum + sequence.Log(t, one);
      y[one] = static_cast<T>(Either(static_cast<double>(y[one]), static_cast<double>(alpha[s]) + now[s]));
    }
    for (std::size_t c = 0; c < batch.classes; ++c) {
      const double log = sequence.Log(t, c);
      y[c] = static_cast<T>(arriving * (std::exp(log) - std::exp(static_cast<double>(y[c]) + loss - log)));
    }
  }
}

void InferLoss(OpContext& context) {
  const Batch batch = BatchOf(context);
  const std::int64_t row = RequiredInt(context, "row");
  if (row < static_cast<std::int64_t>(2 * batch.most + 1))
    context.Refuse("a row of log_alpha has {} elements; {} labels need {}", row, batch.most,
                   2 * batch.most + 1);
  const DataType type = context.In(0).type;
  context.SetOut(0, type, {context.InDims(0)[1]}, Format::kNd);
  context.SetOut(1, type, {context.InDims(0)[1], context.InDims(0)[0], row}, Format::kNd);
}

void InferGradient(OpContext& context) {
  const Batch batch = BatchOf(context);
  const Dims& alpha = context.In("log_alpha").dims;
  if (alpha.empty() || alpha.back() < static_cast<std::int64_t>(2 * batch.most + 1) ||
      ElementCount(alpha) != ElementCount({context.InDims(0)[1], context.InDims(0)[0], alpha.back()}))
    context.Refuse("log_alpha is {}, expected {} rows of {} or more", ToString(context.In("log_alpha")),
                   batch.size * batch.steps, 2 * batch.most + 1);
  for (const char* name : {"grad", "loss"})
    if (ElementCount(context.In(name).dims) != context.InDims(0)[1])
      context.Refuse("{} is {}, expected {} elements", name, ToString(context.In(name)), batch.size);
  context.SetOut(0, context.In(0));
}

// run(batch, args, n, room) for every sequence.
template <typename Run>
std::unique_ptr<Kernel> ForSequences(Batch batch, Run run) {
  const std::size_t room = RoomFor(batch) * sizeof(double);
  return KernelOf(
      [batch = std::move(batch), run](const RunArgs& args) {
        ParallelFor(batch.size, 1, [&](std::size_t begin, std::size_t end) {
          for (std::size_t n = begin; n < end; ++n)
            run(batch, args, n, reinterpret_cast<double*>(args.workspace) + RoomFor(batch) / batch.size * n);
        });
      },
      room);
}

std::unique_ptr<Kernel> LowerLoss(OpContext& context) {
  Batch batch = BatchOf(context);
  batch.row = static_cast<std::size_t>(RequiredInt(context, "row"));
  return FloatingKernel(context,
                        [&](auto tag) { return ForSequences(batch, LossOf<typename decltype(tag)::Type>); });
}

std::unique_ptr<Kernel> LowerGradient(OpContext& context) {
  Batch batch = BatchOf(context);
  batch.row = static_cast<std::size_t>(context.In("log_alpha").dims.back());
  const bool zero_infinity = context.node().Bool("zero_infinity", false);
  return FloatingKernel(context, [&](auto tag) {
    return ForSequences(batch,
                        [zero_infinity](const Batch& all, const RunArgs& args, std::size_t n, double* room) {
                          GradientOf<typename decltype(tag)::Type>(all, args, n, zero_infinity, room);
                        });
  });
}

const RegisterOp ctc({
    OpDef("AclnnCtcLoss").Infer(InferLoss).Lower(LowerLoss),
    OpDef("AclnnCtcLossGrad").Infer(InferGradient).Lower(LowerGradient),
});

}  // namespace
}  // namespace foothold
