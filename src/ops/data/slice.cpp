// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/data/rule_arguments.h"
#include "ops/data/slice_spec.h"
#include "ops/op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

SliceSpec Spec(const OpContext& context) {
  const Dims& from = context.InDims(0);
  const std::vector<std::int64_t> offsets = IntsArgument(context, "offsets");
  const std::vector<std::int64_t> sizes = IntsArgument(context, "size");
  if (offsets.size() != from.size() || sizes.size() != from.size())
    context.Refuse("there are {} offsets and {} sizes for {} dimensions", offsets.size(), sizes.size(),
                   from.size());
  SliceSpec spec;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const std::int64_t rest = from[i] - offsets[i];
    const std::int64_t size = sizes[i] == -1 ? rest : sizes[i];
    if (offsets[i] < 0 || rest < 0 || size < 0 || size > rest)
      context.Refuse("{} elements from {} on are not inside dimension {} of {}", sizes[i], offsets[i], i,
                     ToString(from));
    spec.axes.push_back({offsets[i], 1, size});
    spec.dims.push_back(size);
  }
  return spec;
}

void InferSlice(OpContext& context) {
  context.SetOut(0, context.In(0).type, Spec(context).dims, context.In(0).format);
}

std::unique_ptr<Kernel> Lower(OpContext& context) {
  const SliceSpec spec = Spec(context);
  Ignore(context, {"offsets", "size"});
  return LowerSlice(context, spec);
}

std::optional<StridedView> Select(const OpContext& context, int, const StridedView& x) {
  return Sliced(x, Spec(context));
}

OpDef Slicing(const char* type) {
  return OpDef(type).Infer(InferSlice).Lower(Lower).Selects("x", Select).Types(WholeByteTypes());
}

const RegisterOp slices({Slicing("Slice"), Slicing("SliceD"), Slicing("SliceDV2")});

}  // namespace
}  // namespace foothold
