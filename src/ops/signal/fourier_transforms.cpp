// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// FFT and IFFT along the last axis or, as FFT2D and IFFT2D, the last two; RFFT from real numbers to the first
// half of their spectrum, IRFFT back. OnnxDft is the DFT of ONNX, which GE does not have: real numbers or
// pairs in the last dimension, along 'axis', with 'inverse', 'onesided' and an optional length.
#include "ops/data/rule_arguments.h"
#include "ops/signal/line_transform.h"

namespace foothold {
namespace {

std::size_t Checked(const OpContext& context, std::int64_t length) {
  if (length < 1 || length > kLongestTransform)
    context.Refuse("the length of the transform is {}, expected 1 to 2^30", length);
  return static_cast<std::size_t>(length);
}

LineTransform AlongAxis(const OpContext& context, const Dims& dims, std::size_t axis) {
  LineTransform t;
  t.outer = Product(dims, 0, axis);
  t.inner = Product(dims, axis + 1, dims.size());
  t.length = t.in = t.out = Checked(context, dims[axis]);
  return t;
}

OpDef Whole(const char* type, std::size_t axes, bool inverse) {
  return OpDef(type)
      .Infer([axes](OpContext& context) {
        PartOf(context, context.In(0).type);
        if (context.InDims(0).size() < axes)
          context.Refuse("x is {}, expected at least {} dimensions", ToString(context.In(0)), axes);
        context.SetOut(0, context.In(0));
      })
      .Lower([axes, inverse](OpContext& context) {
        std::vector<LineTransform> transforms;
        const Dims& dims = context.InDims(0);
        for (std::size_t i = 1; i <= axes; ++i) {
          if (ElementCount(dims) == 0) break;
          transforms.push_back(AlongAxis(context, dims, dims.size() - i));
          transforms.back().inverse = inverse;
        }
        return MakeTransforms(PartOf(context, context.In(0).type), transforms);
      })
      .Types({DataType::kComplex64, DataType::kComplex128});
}

// All that have a length have it second; OnnxDft may not have it.
std::int64_t LengthInput(const OpContext& context) {
  const std::vector<std::int64_t> lengths = Integers(context.Needed(1));
  if (lengths.size() != 1) context.Refuse("the length has {} elements, expected one", lengths.size());
  return lengths[0];
}
bool HasLength(const OpContext& context) {
  return context.inputs() > 1 && context.Has(1);
}

Dims WithLast(const OpContext& context, std::size_t last) {
  Dims dims = context.InDims(0);
  if (dims.empty()) context.Refuse("the input is a scalar, expected lines");
  dims.back() = static_cast<std::int64_t>(last);
  return dims;
}

void InferRfft(OpContext& context) {
  const std::size_t length = Checked(context, LengthInput(context));
  context.SetOut(0, ComplexOf(context, context.In(0).type), WithLast(context, length / 2 + 1), Format::kNd);
}

void InferIrfft(OpContext& context) {
  context.SetOut(0, PartOf(context, context.In(0).type),
                 WithLast(context, Checked(context, LengthInput(context))), Format::kNd);
}

template <bool kInverse>
std::unique_ptr<Kernel> LowerReal(OpContext& context) {
  const Dims& dims = context.InDims(0);
  LineTransform t;
  t.outer = Product(dims, 0, dims.size() - 1);
  t.length = Checked(context, LengthInput(context));
  t.in = static_cast<std::size_t>(dims.back());
  t.out = kInverse ? t.length : t.length / 2 + 1;
  t.inverse = t.real_out = t.mirrored_in = kInverse;
  t.real_in = !kInverse;
  context.SetUnused(1);
  return MakeTransforms(kInverse ? context.Out(0).type : context.In(0).type, {t});
}

LineTransform DftOf(const OpContext& context) {
  const Dims& x = context.InDims(0);
  if (x.size() < 2 || (x.back() != 1 && x.back() != 2))
    context.Refuse("input is {}, expected 1 or 2 as the last dimension, for real or complex numbers",
                   ToString(context.In(0)));
  const std::size_t axis = AxisIn(context, context.node().Int("axis", 1), x.size(), "attribute 'axis'");
  if (axis + 1 == x.size()) context.Refuse("attribute 'axis' names the parts of complex numbers");
  LineTransform t;
  t.outer = Product(x, 0, axis);
  t.inner = Product(x, axis + 1, x.size() - 1);
  t.in = static_cast<std::size_t>(x[axis]);
  t.length = Checked(context, HasLength(context) ? LengthInput(context) : x[axis]);
  const bool onesided = context.node().Bool("onesided", false);
  t.inverse = context.node().Bool("inverse", false);
  if (onesided && t.inverse) context.Refuse("attributes 'onesided' and 'inverse' exclude each other");
  t.out = onesided ? t.length / 2 + 1 : t.length;
  t.real_in = x.back() == 1;
  return t;
}

void InferDft(OpContext& context) {
  const LineTransform t = DftOf(context);
  Dims dims = context.InDims(0);
  ComplexOf(context, context.In(0).type);
  dims[AxisIn(context, context.node().Int("axis", 1), dims.size(), "attribute 'axis'")] =
      static_cast<std::int64_t>(t.out);
  dims.back() = 2;
  context.SetOut(0, context.In(0).type, dims, Format::kNd);
}

std::unique_ptr<Kernel> LowerDft(OpContext& context) {
  const LineTransform t = DftOf(context);
  if (HasLength(context)) context.SetUnused(1);
  return MakeTransforms(context.In(0).type, {t});
}

const RegisterOp fourier_transforms(
    {Whole("FFT", 1, false), Whole("IFFT", 1, true), Whole("FFT2D", 2, false), Whole("IFFT2D", 2, true),
     OpDef("RFFT").Infer(InferRfft).Lower(LowerReal<false>).Types({DataType::kFloat, DataType::kDouble}),
     OpDef("IRFFT")
         .Infer(InferIrfft)
         .Lower(LowerReal<true>)
         .Types({DataType::kComplex64, DataType::kComplex128}),
     OpDef("OnnxDft").Infer(InferDft).Lower(LowerDft).Types({DataType::kFloat, DataType::kDouble})});

}  // namespace
}  // namespace foothold
