// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>
#include <cstring>

#include "ops/data/copy_kernel.h"
#include "ops/data/index_reader.h"
#include "ops/data/rule_arguments.h"
#include "ops/op.h"

namespace foothold {
namespace {

std::size_t AxisOf(const OpContext& context) {
  return AxisIn(context, context.node().Int("axis", -1), context.InDims(0).size() + 1, "attribute 'axis'");
}

void InferOneHot(OpContext& context) {
  const std::int64_t depth = IntArgument(context, "depth");
  if (depth < 0) context.Refuse("depth is {}, expected 0 or more", depth);
  const TensorType& on = context.In("on_value");
  const TensorType& off = context.In("off_value");
  if (on.type != off.type || ElementCount(on.dims) != 1 || ElementCount(off.dims) != 1)
    context.Refuse("on_value is {} and off_value {}, expected one element of one type", ToString(on),
                   ToString(off));
  Dims dims = context.InDims(0);
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(AxisOf(context)), depth);
  context.SetOut(0, on.type, std::move(dims), Format::kNd);
}

// Everything off, then one element on for each index that is inside.
class OneHotKernel : public Kernel {
 public:
  OneHotKernel(const OpContext& context, StridedCopy fill, std::size_t axis)
      : indices_(context, 0),
        on_(context.Port("on_value")),
        off_(context.Port("off_value")),
        fill_(std::move(fill)),
        size_(ElementBytes(context, context.Out(0).type)),
        depth_(context.Out(0).dims[axis]) {
    const Dims& x = context.InDims(0);
    inner_ = Product(x, axis, x.size());
    count_ = Product(x, 0, x.size());
  }

  void Run(const RunArgs& args) const override {
    fill_.Run(args.inputs[off_], args.outputs[0]);
    for (std::size_t i = 0; i < count_; ++i) {
      const std::int64_t index = indices_.Raw(args, i);
      if (index < 0 || index >= depth_) continue;
      const std::size_t row = i / inner_ * static_cast<std::size_t>(depth_) + static_cast<std::size_t>(index);
      std::memcpy(args.outputs[0] + (row * inner_ + i % inner_) * size_, args.inputs[on_], size_);
    }
  }

 private:
  IndexReader indices_;
  int on_, off_;
  StridedCopy fill_;
  std::size_t size_, inner_, count_;
  std::int64_t depth_;
};

std::unique_ptr<Kernel> LowerOneHot(OpContext& context) {
  Ignore(context, {"depth"});
  const std::size_t size = ElementBytes(context, context.Out(0).type);
  const std::size_t count = ByteSize(context.Out(0)) / size;
  return std::make_unique<OneHotKernel>(
      context, StridedCopy(size, {{count, 0, static_cast<std::ptrdiff_t>(size)}}), AxisOf(context));
}

const RegisterOp one_hots({
    OpDef("OneHot").Infer(InferOneHot).Lower(LowerOneHot).Types({DataType::kInt32, DataType::kInt64}),
    OpDef("OneHotD").Infer(InferOneHot).Lower(LowerOneHot).Types({DataType::kInt32, DataType::kInt64}),
});

}  // namespace
}  // namespace foothold
