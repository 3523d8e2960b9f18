// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// MaskedScatter: the places of x that a mask names get the elements of another tensor, one after the other.
#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "ops/data/broadcast_copy.h"
#include "ops/data/rule_arguments.h"
#include "ops/op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

void InferMaskedScatter(OpContext& context) {
  const TensorType &x = context.In("x"), &mask = context.In("mask"), &updates = context.In("updates");
  if (BitsPerElement(mask.type) != 8) context.Refuse("mask is {}, expected bool", ToString(mask));
  if (updates.type != x.type)
    context.Refuse("updates is {}, expected {} as x is", DataTypeName(updates.type), DataTypeName(x.type));
  if (BroadcastDims(context, x.dims, mask.dims) != x.dims)
    context.Refuse("mask is {}, which does not repeat to {}", ToString(mask.dims), ToString(x.dims));
  context.SetOut(0, x);
}

class MaskedScatterKernel : public Kernel {
 public:
  explicit MaskedScatterKernel(const OpContext& context)
      : size_(ElementBytes(context, context.In(0).type)),
        count_(static_cast<std::size_t>(ElementCount(context.InDims(0)))),
        updates_(static_cast<std::size_t>(ElementCount(context.InDims(2)))),
        repeats_(context.InDims(1) != context.InDims(0)),
        repeat_(RepeatingCopy(context.InDims(1), context.InDims(0), 1)),
        name_(context.node().Description()) {}

  std::size_t WorkspaceBytes() const override { return repeats_ ? count_ : 0; }

  void Run(const RunArgs& args) const override {
    const std::byte* mask = args.inputs[1];
    if (repeats_) {
      repeat_.Run(mask, args.workspace);
      mask = args.workspace;
    }
    std::byte* to = args.outputs[0];
    if (count_ > 0 && to != args.inputs[0]) std::memcpy(to, args.inputs[0], count_ * size_);
    std::size_t taken = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      if (mask[i] == std::byte{0}) continue;
      if (taken == updates_)
        Fail(kInvalidParam, "{}: the mask names more than {} places, and updates has no more elements", name_,
             updates_);
      std::memcpy(to + i * size_, args.inputs[2] + taken++ * size_, size_);
    }
  }

 private:
  std::size_t size_, count_, updates_;
  bool repeats_;
  StridedCopy repeat_;
  std::string name_;
};

std::unique_ptr<Kernel> LowerMaskedScatter(OpContext& context) {
  return std::make_unique<MaskedScatterKernel>(context);
}

const RegisterOp masked_scatter(OpDef("MaskedScatter")
                                    .Infer(InferMaskedScatter)
                                    .Lower(LowerMaskedScatter)
                                    .InPlace(0, 0)
                                    .Types(WholeByteTypes()));

}  // namespace
}  // namespace foothold
