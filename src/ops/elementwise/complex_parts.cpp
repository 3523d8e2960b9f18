// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What a complex number has: its magnitude, its parts, its conjugate.
#include "ops/elementwise/complex_loop.h"
#include "ops/elementwise/element_step.h"

namespace foothold {
namespace {

bool IsComplex(DataType type) {
  return type == DataType::kComplex64 || type == DataType::kComplex128;
}

// The attribute Tout says what follows from the type of the input anyway.
void InferPart(OpContext& context) {
  const TensorType& x = context.In(0);
  if (!IsComplex(x.type)) context.Refuse("the input is {}, expected complex numbers", ToString(x));
  const DataType part = x.type == DataType::kComplex64 ? DataType::kFloat : DataType::kDouble;
  context.SetOut(0, part, x.dims, x.format);
}

std::unique_ptr<Kernel> LowerComplex(OpContext& context) {
  const PlainLoop loop = ComplexLoop(context.node().type(), context.In(0).type);
  if (!loop) context.Unsupported("no kernel for {}", DataTypeName(context.In(0).type));
  return LowerPlain(context, loop, {{0, context.InDims(0)}});
}

OpDef PartOf(const char* type) {
  return OpDef(type)
      .Infer(InferPart)
      .Lower(LowerComplex)
      .ReadsViews()
      .WritesViews()
      .Types({DataType::kComplex64, DataType::kComplex128});
}

const RegisterOp parts({PartOf("ComplexAbs"), PartOf("Real"), PartOf("Imag"),
                        OpDef("Conj")
                            .Infer(SameAsInput)
                            .Lower(LowerComplex)
                            .InPlace(0, 0)
                            .ReadsViews()
                            .WritesViews()
                            .Types({DataType::kComplex64, DataType::kComplex128})});

}  // namespace
}  // namespace foothold
