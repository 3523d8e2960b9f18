// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The sum of two tensors, normalised by its root mean square and quantised to int8 once or twice:
// AddRmsNormQuant with scales that are given, AddRmsNormDynamicQuant with the scales the rows ask for. The V2
// form of the first adds 'beta' and has an output with the numbers before they are quantised.
#include <algorithm>
#include <array>

#include "base/thread_pool.h"
#include "kernels/normalize.h"
#include "ops/input_checks.h"
#include "ops/norm/normalized_rows.h"
#include "ops/quantized/quantized_row.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

class SumKernel : public Kernel {
 public:
  SumKernel(const OpContext& context, const char* sum)
      : rows_(NormalizedRowsOf(context)),
        gamma_(context.Port("gamma")),
        beta_(OptionalPort(context, "beta")),
        sum_(context.node().OutputIndex(sum)),
        normalized_(context.node().OutputIndex("rms_norm_out")),
        epsilon_(context.node().Float("epsilon", 1e-6f)) {}

  // The normalised rows, if they are no output.
  std::size_t WorkspaceBytes() const override {
    return normalized_ >= 0 ? 0 : rows_.count * rows_.length * sizeof(float);
  }

  void Run(const RunArgs& args) const override {
    ParallelFor(rows_.count, 1 + 16384 / (1 + rows_.length), [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row)
        Quantize(args, row, Normalized(args, row));
    });
  }

 protected:
  virtual void Quantize(const RunArgs& args, std::size_t row, float* y) const = 0;
  const NormalizedRows& rows() const { return rows_; }

 private:
  float* Normalized(const RunArgs& args, std::size_t row) const {
    const std::size_t at = row * rows_.length;
    const float* first = args.In<float>(0) + at;
    const float* second = args.In<float>(1) + at;
    float* sum = args.Out<float>(sum_) + at;
    for (std::size_t i = 0; i < rows_.length; ++i)
      sum[i] = first[i] + second[i];
    auto* all = normalized_ >= 0 ? args.Out<float>(normalized_) : reinterpret_cast<float*>(args.workspace);
    NormalizeRow(sum, rows_.length, 0, InverseRms(sum, rows_.length, epsilon_), args.In<float>(gamma_),
                 beta_ < 0 ? nullptr : args.In<float>(beta_), all + at);
    return all + at;
  }

  NormalizedRows rows_;
  int gamma_, beta_, sum_, normalized_;
  float epsilon_;
};

// One number for all elements of a row, or one for each.
struct Factor {
  int port = -1;
  std::size_t step = 0;
  bool whole = false;  // int32, which is not converted on the way

  float At(const RunArgs& args, std::size_t i) const {
    return whole ? static_cast<float>(args.In<std::int32_t>(port)[i * step]) : args.In<float>(port)[i * step];
  }
};

Factor FactorOf(const OpContext& context, const char* name, std::size_t length) {
  const int port = OptionalPort(context, name);
  if (port < 0) return {};
  const auto count = static_cast<std::size_t>(ElementCount(context.InDims(port)));
  if (count != 1 && count != length)
    context.Refuse("'{}' is {}, expected one number or {}, as gamma has", name, ToString(context.In(port)),
                   length);
  return {port, count == 1 ? std::size_t{0} : std::size_t{1}, context.In(port).type == DataType::kInt32};
}

struct Quantization {
  Factor scale, zero;
};

std::array<Quantization, 2> QuantizationsOf(const OpContext& context, std::size_t length) {
  return {{{FactorOf(context, "scales1", length), FactorOf(context, "zero_points1", length)},
           {FactorOf(context, "scales2", length), FactorOf(context, "zero_points2", length)}}};
}

class GivenScales final : public SumKernel {
 public:
  explicit GivenScales(const OpContext& context)
      : SumKernel(context, "x"),
        outputs_(QuantizationsOf(context, rows().length)),
        divides_(context.node().Bool("div_mode", true)) {}

 private:
  void Quantize(const RunArgs& args, std::size_t row, float* y) const override {
    for (std::size_t which = 0; which < outputs_.size(); ++which) {
      const auto [scale, zero] = outputs_[which];
      auto* to = args.Out<std::int8_t>(static_cast<int>(which)) + row * rows().length;
      for (std::size_t i = 0; i < rows().length; ++i) {
        if (scale.port < 0) {  // nobody asked for this output
          to[i] = 0;
          continue;
        }
        const float scaled = divides_ ? y[i] / scale.At(args, i) : y[i] * scale.At(args, i);
        to[i] = ToInt8(zero.port < 0 ? scaled : scaled + zero.At(args, i));
      }
    }
  }

  std::array<Quantization, 2> outputs_;
  bool divides_;
};

void CheckZeroPoints(const OpContext& context) {
  for (const char* name : {"zero_points1", "zero_points2"})
    if (context.Has(name) && context.In(name).type != DataType::kInt32 &&
        !ComputesInFloat(context.In(name).type))
      context.Unsupported("no kernel for '{}' of {}; int32, float and bfloat16 have one", name,
                          DataTypeName(context.In(name).type));
}

void InferGivenScales(OpContext& context) {
  CheckLikeFirst(context, "x2");
  const std::size_t length = NormalizedRowsOf(context).length;
  if (const std::int64_t axis = context.node().Int("axis", -1); axis != -1)
    context.Unsupported("no kernel for axis {}; scales go with gamma, axis -1", axis);
  if (!context.Has("scales1")) context.Refuse("there is no 'scales1'");
  if (context.Has("zero_points2") && !context.Has("scales2"))
    context.Refuse("there is 'zero_points2' but no 'scales2'");
  CheckCount(context, "beta", length, "element of gamma");
  QuantizationsOf(context, length);
  context.SetOut(0, DataType::kInt8, context.InDims(0), context.In(0).format);
  context.SetOut(1, DataType::kInt8, context.InDims(0), context.In(0).format);
  for (int port = 2; port < context.outputs(); ++port)
    context.SetOut(port, context.In(0));
}

std::unique_ptr<Kernel> LowerGivenScales(OpContext& context) {
  CheckFloats(context, {"x1", "x2", "gamma", "beta", "scales1", "scales2"});
  CheckZeroPoints(context);
  return ThroughFloat(context, std::make_unique<GivenScales>(context));
}

// Which of the two quantised outputs are wanted. Where no mask says it, the second is if both can be
// smoothed.
std::array<bool, 2> WantedOutputs(const OpContext& context) {
  const Attribute* value = context.node().FindAttribute("output_mask");
  const auto* mask = value == nullptr ? nullptr : std::get_if<std::vector<bool>>(value);
  if (mask == nullptr || mask->empty())
    return {true, context.Has("smooth_scale1") && context.Has("smooth_scale2")};
  if (mask->size() != 2) context.Refuse("attribute 'output_mask' has {} flags, expected 2", mask->size());
  return {(*mask)[0], (*mask)[1]};
}

class OwnScales final : public SumKernel {
 public:
  explicit OwnScales(const OpContext& context)
      : SumKernel(context, "x_out"),
        wanted_(WantedOutputs(context)),
        smooth_{OptionalPort(context, "smooth_scale1"), OptionalPort(context, "smooth_scale2")} {}

  std::size_t WorkspaceBytes() const override { return 2 * SumKernel::WorkspaceBytes(); }

  void Run(const RunArgs& args) const override {
    for (int which = 0; which < 2; ++which)
      if (!wanted_[static_cast<std::size_t>(which)])
        *args.Out<std::int8_t>(which) = 0, *args.Out<float>(which + 3) = 0;
    SumKernel::Run(args);
  }

 private:
  void Quantize(const RunArgs& args, std::size_t row, float* y) const override {
    float* smoothed = y + rows().count * rows().length;
    for (int which = 0; which < 2; ++which) {
      if (!wanted_[static_cast<std::size_t>(which)]) continue;
      const int port = smooth_[static_cast<std::size_t>(which)];
      for (std::size_t i = 0; i < rows().length; ++i)
        smoothed[i] = port < 0 ? y[i] : y[i] * args.In<float>(port)[i];
      args.Out<float>(which + 3)[row] =
          QuantizeRowToInt8(smoothed, rows().length, args.Out<std::int8_t>(which) + row * rows().length);
    }
  }

  std::array<bool, 2> wanted_;
  std::array<int, 2> smooth_;
};

// An output that is not wanted is one zero.
void InferOwnScales(OpContext& context) {
  CheckLikeFirst(context, "x2");
  const NormalizedRows rows = NormalizedRowsOf(context);
  for (const char* name : {"smooth_scale1", "smooth_scale2", "beta"})
    CheckCount(context, name, rows.length, "element of gamma");
  const std::array<bool, 2> wanted = WantedOutputs(context);
  for (int which = 0; which < 2; ++which) {
    const bool whole = wanted[static_cast<std::size_t>(which)];
    context.SetOut(which, DataType::kInt8, whole ? context.InDims(0) : Dims{1}, context.In(0).format);
    context.SetOut(which + 3, DataType::kFloat, whole ? rows.leading : Dims{1}, Format::kNd);
  }
  context.SetOut(2, context.In(0));
}

std::unique_ptr<Kernel> LowerOwnScales(OpContext& context) {
  CheckFloats(context, {"x1", "x2", "gamma", "beta", "smooth_scale1", "smooth_scale2"});
  return ThroughFloat(context, std::make_unique<OwnScales>(context));
}

OpDef Def(const char* type, OpDef::InferRule infer, OpDef::LowerRule lower) {
  return OpDef(type)
      .Infer(std::move(infer))
      .Lower(std::move(lower))
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16});
}

const RegisterOp add_rms_norm_quants({
    Def("AddRmsNormQuant", InferGivenScales, LowerGivenScales),
    Def("AddRmsNormQuantV2", InferGivenScales, LowerGivenScales),
    Def("AddRmsNormDynamicQuant", InferOwnScales, LowerOwnScales),
});

}  // namespace
}  // namespace foothold
