// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/data/copy_kernel.h"
#include "ops/data/rule_arguments.h"
#include "ops/op.h"
#include "ops/strided_view.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

void InferEach(OpContext& context) {
  if (context.inputs() != context.outputs())
    context.Refuse("there are {} outputs for {} inputs", context.outputs(), context.inputs());
  for (int i = 0; i < context.outputs(); ++i) {
    if (!context.Has(i)) context.Refuse("input {} is not connected", i);
    context.SetOut(i, context.In(i));
  }
}

std::unique_ptr<Kernel> LowerEach(OpContext& context) {
  std::vector<PortCopy> copies;
  for (int i = 0; i < context.outputs(); ++i) {
    const StridedView view = ViewOf(context, i);
    if (view.dense())
      copies.push_back({i, i, WholeCopy(ByteSize(context.In(i)))});
    else
      copies.push_back({i, i, PackingCopy(view, ElementBytes(context, context.In(i).type))});
  }
  return std::make_unique<CopyKernel>(std::move(copies));
}

bool HasWholeBytes(const OpContext& context, int port, const StridedView&) {
  const std::size_t bits = BitsPerElement(context.In(port).type).value_or(0);
  return bits != 0 && bits % 8 == 0;
}

void InferNothing(OpContext&) {}

std::unique_ptr<Kernel> LowerNothing(OpContext&) {
  return std::make_unique<CopyKernel>(std::vector<PortCopy>());
}

OpDef Alias(const char* type) {
  return OpDef(type).Infer(SameAsInput).View().Types(FixedSizeTypes());
}

const RegisterOp identities({
    Alias("Identity"),
    Alias("StopGradient"),
    Alias("PreventGradient"),
    OpDef("IdentityN")
        .Infer(InferEach)
        .Lower(LowerEach)
        .ReadsViews({}, HasWholeBytes)
        .Types(FixedSizeTypes()),
    OpDef("TensorMove")
        .Infer(InferEach)
        .Lower(LowerEach)
        .ReadsViews({}, HasWholeBytes)
        .Types(FixedSizeTypes()),
    OpDef("NoOp").Infer(InferNothing).Lower(LowerNothing),
    OpDef("ControlTrigger").Infer(InferNothing).Lower(LowerNothing),
});

}  // namespace
}  // namespace foothold
