// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "base/thread_pool.h"
#include "kernels/normalize.h"
#include "ops/row_gather.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

// The third output differs.
enum class Spread { kVariance, kInverseDeviation };

// From which dimension on a tensor is normalised.
std::size_t AxisOf(const OpContext& context) {
  const Dims& dims = context.In("x").dims;
  const auto rank = static_cast<std::int64_t>(dims.size());
  if (context.node().InputIndex("normalized_shape") >= 0) {
    const Dims shape = context.NeededInts("normalized_shape");
    if (shape.size() > dims.size() || !std::equal(shape.rbegin(), shape.rend(), dims.rbegin()))
      context.Refuse("normalized_shape is {}; x ends with other dimensions: {}", ToString(shape),
                     ToString(dims));
    return dims.size() - shape.size();
  }
  const std::int64_t axis = context.node().Int("begin_norm_axis", 0);
  if (axis < -rank || axis > std::max<std::int64_t>(0, rank - 1))
    context.Refuse("begin_norm_axis is {}; a tensor of {} has no such axis", axis, ToString(dims));
  return static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
}

// Parameters lie along the last dimensions, however many: begin_params_axis says the same as their size does.
std::size_t ParameterCount(const OpContext& context, std::string_view name) {
  if (!context.Has(name)) return 0;
  const Dims& dims = context.In("x").dims;
  const std::int64_t count = ElementCount(context.In(name).dims);
  std::int64_t suffix = 1;
  for (std::size_t i = dims.size(); suffix != count && i-- > 0;)
    suffix = ElementCount(Dims(dims.begin() + static_cast<std::ptrdiff_t>(i), dims.end()));
  if (suffix != count)
    context.Refuse("{} is {}; it must have the shape of the last dimensions of x, {}", name,
                   ToString(context.In(name)), ToString(dims));
  return static_cast<std::size_t>(count);
}

void InferLayerNorm(OpContext& context) {
  const TensorType& x = context.In("x");
  Dims reduced = x.dims;
  std::fill(reduced.begin() + static_cast<std::ptrdiff_t>(AxisOf(context)), reduced.end(), 1);
  ParameterCount(context, "gamma");
  ParameterCount(context, "beta");
  context.SetOut(0, x);
  for (int i = 1; i < context.outputs(); ++i)
    context.SetOut(i, x.type, reduced, x.format);
}

struct Parameter {
  int port = -1;
  std::size_t count = 0;

  // Where the parameters of element `at` and those after it are; null if there are none.
  const float* At(const RunArgs& args, std::size_t at) const {
    return port < 0 ? nullptr : args.In<float>(port) + at % count;
  }
};

class LayerNormKernel : public Kernel {
 public:
  // `gathered` is set where x does not lie row by row.
  LayerNormKernel(std::size_t rows, std::size_t length, std::optional<RowGather> gathered, Parameter gamma,
                  Parameter beta, Spread spread, float epsilon, int outputs)
      : rows_(rows),
        length_(length),
        gathered_(std::move(gathered)),
        gamma_(gamma),
        beta_(beta),
        spread_(spread),
        epsilon_(epsilon),
        outputs_(outputs) {
    for (const Parameter& parameter : {gamma_, beta_})
      if (parameter.port >= 0) piece_ = std::min(piece_, parameter.count);
    piece_ = std::min(piece_, length_);
  }

  void Run(const RunArgs& args) const override {
    if (gathered_) return RunGathered(args);
    ParallelFor(rows_, 1 + 16384 / (1 + length_), [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row)
        RunRow(args, args.In<float>(0), row);
    });
  }

 private:
  // A few rows at a time are brought to where their results belong.
  void RunGathered(const RunArgs& args) const {
    const std::size_t together = gathered_->together();
    const std::size_t grain = std::max<std::size_t>(1, 16384 / (1 + length_ * together));
    ParallelFor((rows_ + together - 1) / together, grain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t first = begin * together; first < std::min(rows_, end * together); first += together) {
        const std::size_t count = std::min(together, rows_ - first);
        gathered_->Gather(args.inputs[0], first, count,
                          reinterpret_cast<std::byte*>(args.Out<float>(0) + first * length_));
        for (std::size_t row = first; row < first + count; ++row)
          RunRow(args, args.Out<float>(0), row);
      }
    });
  }

  void RunRow(const RunArgs& args, const float* x, std::size_t row) const {
    const Moments moments = RowMoments(x + row * length_, length_);
    const float scale = 1.0f / std::sqrt(moments.variance + epsilon_);
    // In pieces where the parameters repeat within the row.
    for (std::size_t at = row * length_; at < (row + 1) * length_; at += piece_)
      NormalizeRow(x + at, piece_, moments.mean, scale, gamma_.At(args, at), beta_.At(args, at),
                   args.Out<float>(0) + at);
    if (outputs_ > 1) args.Out<float>(1)[row] = moments.mean;
    if (outputs_ > 2) args.Out<float>(2)[row] = spread_ == Spread::kVariance ? moments.variance : scale;
  }

  std::size_t rows_, length_;
  std::optional<RowGather> gathered_;
  Parameter gamma_, beta_;
  Spread spread_;
  float epsilon_;
  int outputs_;
  std::size_t piece_ = SIZE_MAX;
};

Parameter ParameterOf(const OpContext& context, std::string_view name) {
  if (!context.Has(name)) return {};
  return {context.Port(name), ParameterCount(context, name)};
}

std::unique_ptr<Kernel> LowerLayerNorm(OpContext& context, Spread spread, float epsilon) {
  const TensorType& x = context.In("x");
  for (const char* name : {"x", "gamma", "beta"})
    if (context.Has(name) && !ComputesInFloat(context.In(name).type))
      context.Unsupported("no kernel for {} of {}; float, float16 and bfloat16 have one", name,
                          DataTypeName(context.In(name).type));
  if (context.node().InputIndex("normalized_shape") >= 0) context.SetUnused(context.Port("normalized_shape"));
  const auto axis = static_cast<std::ptrdiff_t>(AxisOf(context));
  const auto rows = static_cast<std::size_t>(ElementCount(Dims(x.dims.begin(), x.dims.begin() + axis)));
  const auto length = static_cast<std::size_t>(ElementCount(Dims(x.dims.begin() + axis, x.dims.end())));
  const StridedView view = ViewOf(context, "x");
  std::optional<RowGather> gathered;
  if (!view.dense()) gathered.emplace(view, AxisOf(context), sizeof(float));
  return ThroughFloat(context, std::make_unique<LayerNormKernel>(
                                   rows, length, std::move(gathered), ParameterOf(context, "gamma"),
                                   ParameterOf(context, "beta"), spread,
                                   context.node().Float("epsilon", epsilon), context.outputs()));
}

// What is widened first is read as a whole.
bool ReadsFloats(const OpContext& context, int port, const StridedView&) {
  return context.In(port).type == DataType::kFloat;
}

OpDef LayerNormOp(const char* type, Spread spread, float epsilon) {
  return OpDef(type)
      .Infer(InferLayerNorm)
      .Lower([=](OpContext& context) { return LowerLayerNorm(context, spread, epsilon); })
      .ReadsViews({"x"}, ReadsFloats)
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16});
}

const RegisterOp layer_norm(std::vector<OpDef>{LayerNormOp("LayerNorm", Spread::kVariance, 1e-7f),
                                               LayerNormOp("LayerNormV3", Spread::kInverseDeviation, 1e-5f),
                                               LayerNormOp("LayerNormV4", Spread::kInverseDeviation, 1e-5f)});

}  // namespace
}  // namespace foothold
