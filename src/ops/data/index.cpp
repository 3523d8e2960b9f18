// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// AclnnIndex, x[indices], and AclnnIndexPut, x after x[indices] = value or += value. Operators of our own:
// nothing is known of how those of GE say which axes are indexed. AclnnMaskedIndex is AclnnIndex for masks
// that are only there when it runs.
#include <algorithm>
#include <cstring>

#include "base/thread_pool.h"
#include "ops/data/advanced_index.h"
#include "ops/data/broadcast_copy.h"
#include "ops/data/combine_elements.h"
#include "ops/data/rule_arguments.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

constexpr std::size_t kParallelBytes = std::size_t{128} << 10;

void InferIndex(OpContext& context) {
  context.SetOut(0, context.In("x").type, AdvancedIndex(context).dims(), Format::kNd);
}

class IndexKernel : public Kernel {
 public:
  IndexKernel(AdvancedIndex index, int x, std::size_t size) : index_(std::move(index)), x_(x), size_(size) {}

  void Run(const RunArgs& args) const override {
    const std::size_t bytes = index_.block() * size_;
    if (bytes == 0 || index_.rows() == 0) return;
    const std::size_t grain = std::max<std::size_t>(1, kParallelBytes / (bytes * index_.rows() + 16));
    ParallelFor(index_.items(), grain, [&](std::size_t begin, std::size_t end) {
      index_.ForBlocks(args, begin, end, [&](std::size_t to, std::size_t from) {
        std::memcpy(args.outputs[0] + to * size_, args.inputs[x_] + from * size_, bytes);
      });
    });
  }

 private:
  AdvancedIndex index_;
  int x_;
  std::size_t size_;
};

std::unique_ptr<Kernel> LowerIndex(OpContext& context) {
  AdvancedIndex index(context);
  index.Prepare(context);
  ByteSize(context.Out(0));
  return std::make_unique<IndexKernel>(std::move(index), context.Port("x"),
                                       ElementBytes(context, context.In("x").type));
}

std::vector<TensorValue> EvaluateIndex(const OpContext& context) {
  for (int port = 0; port < context.inputs(); ++port)
    context.Needed(port);
  OpContext own = context;  // constants are added to it
  AdvancedIndex index(own);
  index.Prepare(own);
  TensorValue y(TensorType{context.In("x").type, Format::kNd, index.dims()});
  const IndexKernel kernel(std::move(index), context.Port("x"), ElementBytes(context, context.In("x").type));
  std::vector<const std::byte*> inputs;
  for (int port = 0; port < context.inputs(); ++port)
    inputs.push_back(context.Needed(port).data());
  for (const TensorValue& constant : own.added_constants())
    inputs.push_back(constant.data());
  std::byte* output = y.mutable_data();
  kernel.Run({inputs.data(), &output, nullptr});
  return {std::move(y)};
}

void InferIndexPut(OpContext& context) {
  const TensorType &x = context.In("x"), &value = context.In("value");
  if (context.Port("x") != 0) context.Refuse("x is input {}, expected the first", context.Port("x"));
  const AdvancedIndex index(context);
  if (value.type != x.type)
    context.Refuse("value is {}, expected {} as x is", DataTypeName(value.type), DataTypeName(x.type));
  if (BroadcastDims(context, index.dims(), value.dims) != index.dims())
    context.Refuse("value is {}, which does not repeat to {}", ToString(value.dims), ToString(index.dims()));
  context.SetOut(0, x);
}

// In order: of two values for one place the later one comes last.
class IndexPutKernel : public Kernel {
 public:
  IndexPutKernel(OpContext& context, AdvancedIndex index)
      : index_(std::move(index)),
        x_(context.Port("x")),
        value_(context.Port("value")),
        size_(ElementBytes(context, context.In("x").type)),
        bytes_(ByteSize(context.In("x"))),
        repeats_(context.In("value").dims != index_.dims()),
        repeat_(RepeatingCopy(context.In("value").dims, index_.dims(), size_)),
        combine_(CombineLoopFor(
            context, context.In("x").type,
            context.node().Bool("accumulate", false) ? Combination::kAdd : Combination::kReplace)) {}

  std::size_t WorkspaceBytes() const override {
    return repeats_ ? static_cast<std::size_t>(ElementCount(index_.dims())) * size_ : 0;
  }

  void Run(const RunArgs& args) const override {
    std::byte* to = args.outputs[0];
    if (bytes_ > 0 && to != args.inputs[x_]) std::memcpy(to, args.inputs[x_], bytes_);
    const std::byte* value = args.inputs[value_];
    if (repeats_) {
      repeat_.Run(value, args.workspace);
      value = args.workspace;
    }
    if (index_.block() == 0) return;
    index_.ForBlocks(args, 0, index_.items(), [&](std::size_t from, std::size_t place) {
      combine_(value + from * size_, index_.block(), size_, to + place * size_);
    });
  }

 private:
  AdvancedIndex index_;
  int x_, value_;
  std::size_t size_, bytes_;
  bool repeats_;
  StridedCopy repeat_;
  CombineLoop combine_;
};

std::unique_ptr<Kernel> LowerIndexPut(OpContext& context) {
  AdvancedIndex index(context);
  index.Prepare(context);
  return std::make_unique<IndexPutKernel>(context, std::move(index));
}

bool ReadsBlocks(const OpContext& context, int, const StridedView& x) {
  return x.DenseFrom(AdvancedIndex(context).block_axis());
}

const RegisterOp index({
    OpDef("AclnnIndex")
        .Infer(InferIndex)
        .Lower(LowerIndex)
        .ReadsViews({"x"}, ReadsBlocks)
        .Types(WholeByteTypes()),
    OpDef("AclnnMaskedIndex").Evaluate(EvaluateIndex).Types(WholeByteTypes()),
    OpDef("AclnnIndexPut").Infer(InferIndexPut).Lower(LowerIndexPut).InPlace(0, 0).Types(WholeByteTypes()),
});

}  // namespace
}  // namespace foothold
