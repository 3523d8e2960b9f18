// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/thread_pool.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

struct Rows {
  std::size_t count, classes;
};

Rows RowsOf(const OpContext& context) {
  const Dims& dims = context.In("features").dims;
  if (dims.empty()) context.Refuse("features is a scalar; its last dimension must be the classes");
  const auto classes = static_cast<std::size_t>(dims.back());
  return {static_cast<std::size_t>(ElementCount(Dims(dims.begin(), dims.end() - 1))), classes};
}

void InferLoss(OpContext& context) {
  RowsOf(context);
  const TensorType& features = context.In("features");
  context.SetOut(0, features.type, Dims(features.dims.begin(), features.dims.end() - 1), Format::kNd);
  context.SetOut(1, features);
}

void InferDense(OpContext& context) {
  const TensorType& features = context.In("features");
  const TensorType& labels = context.In("labels");
  if (labels.dims != features.dims || labels.type != features.type)
    context.Refuse("labels is {}; it must be like features, {}", ToString(labels), ToString(features));
  InferLoss(context);
}

void InferSparse(OpContext& context) {
  const TensorType& labels = context.In("labels");
  const Dims& dims = context.In("features").dims;
  const bool fits = !dims.empty() && labels.dims == Dims(dims.begin(), dims.end() - 1);
  if (!fits || (labels.type != DataType::kInt32 && labels.type != DataType::kInt64))
    context.Refuse("labels is {}; it must be one int32 or int64 for each row of features, {}",
                   ToString(labels), ToString(context.In("features")));
  InferLoss(context);
}

// Writes the softmax of a row and returns log(sum(exp(x))).
template <typename T>
T SoftmaxOf(const T* row, std::size_t classes, T* to) {
  T most = -std::numeric_limits<T>::infinity(), sum{};
  for (std::size_t i = 0; i < classes; ++i)
    most = row[i] > most || row[i] != row[i] ? row[i] : most;
  for (std::size_t i = 0; i < classes; ++i)
    sum += to[i] = std::exp(row[i] - most);
  for (std::size_t i = 0; i < classes; ++i)
    to[i] /= sum;
  return most + std::log(sum);
}

template <typename T, typename Label>
class LossKernel : public Kernel {
 public:
  explicit LossKernel(Rows rows) : rows_(rows) {}

  void Run(const RunArgs& args) const override {
    ParallelFor(rows_.count, 1 + 4096 / (1 + rows_.classes), [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row)
        RunRow(args, row);
    });
  }

 private:
  void RunRow(const RunArgs& args, std::size_t row) const {
    const T* features = args.In<T>(0) + row * rows_.classes;
    T* backprop = args.Out<T>(1) + row * rows_.classes;
    const T log_sum = SoftmaxOf(features, rows_.classes, backprop);
    if constexpr (std::is_integral_v<Label>)
      args.Out<T>(0)[row] = Sparse(features, backprop, log_sum, args.In<Label>(1)[row]);
    else
      args.Out<T>(0)[row] = Dense(features, backprop, log_sum, args.In<T>(1) + row * rows_.classes);
  }

  T Dense(const T* features, T* backprop, T log_sum, const T* labels) const {
    T loss{};
    for (std::size_t i = 0; i < rows_.classes; ++i) {
      loss += labels[i] * (log_sum - features[i]);
      backprop[i] -= labels[i];
    }
    return loss;
  }

  // A label that is no class makes its row NaN: a kernel has no other way to say so.
  T Sparse(const T* features, T* backprop, T log_sum, Label label) const {
    if (label < 0 || static_cast<std::size_t>(label) >= rows_.classes) {
      std::fill_n(backprop, rows_.classes, std::numeric_limits<T>::quiet_NaN());
      return std::numeric_limits<T>::quiet_NaN();
    }
    backprop[label] -= T{1};
    return log_sum - features[label];
  }

  Rows rows_;
};

template <typename T>
std::unique_ptr<Kernel> MakeKernel(DataType labels, Rows rows) {
  if (labels == DataType::kInt32) return std::make_unique<LossKernel<T, std::int32_t>>(rows);
  if (labels == DataType::kInt64) return std::make_unique<LossKernel<T, std::int64_t>>(rows);
  return std::make_unique<LossKernel<T, T>>(rows);
}

std::unique_ptr<Kernel> LowerLoss(OpContext& context) {
  const DataType type = context.In("features").type;
  const DataType labels = context.In("labels").type;
  const Rows rows = RowsOf(context);
  if (type == DataType::kDouble) return MakeKernel<double>(labels, rows);
  if (ComputesInFloat(type)) return ThroughFloat(context, MakeKernel<float>(labels, rows));
  context.Unsupported("no kernel for {}; float, float16, bfloat16 and double have one", DataTypeName(type));
}

OpDef LossOp(const char* type, void (*infer)(OpContext&)) {
  return OpDef(type).Infer(infer).Lower(LowerLoss).Types(
      {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble});
}

const RegisterOp losses(std::vector<OpDef>{LossOp("SoftmaxCrossEntropyWithLogits", InferDense),
                                           LossOp("SparseSoftmaxCrossEntropyWithLogits", InferSparse)});

}  // namespace
}  // namespace foothold
