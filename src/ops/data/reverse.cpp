// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/data/rule_arguments.h"
#include "ops/data/slice_spec.h"
#include "ops/op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

void InferReverse(OpContext& context) {
  AxesIn(context, IntsArgument(context, "axis"), context.InDims(0).size(), "axis");
  context.SetOut(0, context.In(0));
}

// A slice that takes everything, along some axes from the end.
std::unique_ptr<Kernel> LowerReverse(OpContext& context) {
  const Dims& dims = context.InDims(0);
  const std::vector<bool> reversed = AxesIn(context, IntsArgument(context, "axis"), dims.size(), "axis");
  Ignore(context, {"axis"});
  SliceSpec spec;
  for (std::size_t i = 0; i < dims.size(); ++i)
    spec.axes.push_back(reversed[i] ? SliceAxis{dims[i] - 1, -1, dims[i]} : SliceAxis{0, 1, dims[i]});
  return LowerSlice(context, spec);
}

const RegisterOp reverses({
    OpDef("ReverseV2").Infer(InferReverse).Lower(LowerReverse).Types(WholeByteTypes()),
    OpDef("ReverseV2D").Infer(InferReverse).Lower(LowerReverse).Types(WholeByteTypes()),
});

}  // namespace
}  // namespace foothold
