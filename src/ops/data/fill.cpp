// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tensors of one value.
#include <algorithm>

#include "ops/data/copy_kernel.h"
#include "ops/data/rule_arguments.h"
#include "ops/op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

std::unique_ptr<Kernel> FilledFrom(OpContext& context, int port) {
  const std::size_t size = ElementBytes(context, context.Out(0).type);
  const std::size_t count = ByteSize(context.Out(0)) / size;
  return std::make_unique<CopyKernel>(
      std::vector<PortCopy>{{port, 0, StridedCopy(size, {{count, 0, static_cast<std::ptrdiff_t>(size)}})}});
}

std::unique_ptr<Kernel> FilledWith(OpContext& context, double number) {
  TensorValue value(TensorType{context.Out(0).type, Format::kNd, {}});
  if (number == 0) {  // also for types without arithmetic here
    std::fill_n(value.mutable_data(), value.size(), std::byte{0});
  } else {
    StoreNumber(context, value, number);
  }
  return FilledFrom(context, context.AddConstant(std::move(value)));
}

Dims CheckedShape(const OpContext& context) {
  Dims dims = IntsArgument(context, "dims");
  if (!IsStatic(dims)) context.Refuse("dims {} has a negative dimension", ToString(dims));
  return dims;
}

void InferFill(OpContext& context) {
  const TensorType& value = context.In("value");
  if (ElementCount(value.dims) != 1) context.Refuse("value is {}, expected one element", ToString(value));
  context.SetOut(0, value.type, CheckedShape(context), Format::kNd);
}

std::unique_ptr<Kernel> LowerFill(OpContext& context) {
  Ignore(context, {"dims"});
  return FilledFrom(context, context.Port("value"));
}

void InferFillV2(OpContext& context) {
  context.SetOut(0, DataType::kFloat, CheckedShape(context), Format::kNd);
}

std::unique_ptr<Kernel> LowerFillV2(OpContext& context) {
  Ignore(context, {"dims"});
  return FilledWith(context, static_cast<double>(context.node().Float("value", 0.0f)));
}

OpDef Like(const char* type, double number) {
  return OpDef(type).Infer(SameAsInput).Types(NumberAndBoolTypes()).Lower([number](OpContext& context) {
    context.SetUnused(0);
    return FilledWith(context, number);
  });
}

std::unique_ptr<Kernel> LowerFills(OpContext& context) {
  context.SetUnused(0);
  return FilledWith(context, static_cast<double>(context.node().Float("value", 0.0f)));
}

const RegisterOp fills({
    OpDef("Fill").Infer(InferFill).Lower(LowerFill).Types(WholeByteTypes()),
    OpDef("FillD").Infer(InferFill).Lower(LowerFill).Types(WholeByteTypes()),
    OpDef("FillV2").Infer(InferFillV2).Lower(LowerFillV2).Types({DataType::kInt32, DataType::kInt64}),
    OpDef("FillV2D").Infer(InferFillV2).Lower(LowerFillV2).Types({DataType::kInt32, DataType::kInt64}),
    OpDef("Fills").Infer(SameAsInput).Lower(LowerFills).Types(WholeByteTypes()),
    Like("ZerosLike", 0),
    Like("OnesLike", 1),
});

}  // namespace
}  // namespace foothold
