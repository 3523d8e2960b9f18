// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/softmax.h"

#include <algorithm>

#include "kernels/float_memory.h"
#include "kernels/parallel_items.h"
#include "ops/float_type.h"
#include "ops/row_gather.h"
#include "ops/softmax/softmax_axes.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

class MiddleSoftmax : public Kernel {
 public:
  MiddleSoftmax(SoftmaxKind kind, const SoftmaxSizes& sizes) : kind_(kind), sizes_(sizes) {}

  std::size_t WorkspaceBytes() const override { return SoftmaxWorkspace(sizes_); }
  void Run(const RunArgs& args) const override {
    SoftmaxElements(kind_, sizes_, args.inputs[0], args.outputs[0], args.workspace);
  }

 private:
  SoftmaxKind kind_;
  SoftmaxSizes sizes_;
};

// Rows that lie apart: a few at a time are brought to where their results belong.
class GatheredSoftmax : public Kernel {
 public:
  GatheredSoftmax(SoftmaxKind kind, const SoftmaxSizes& sizes, RowGather rows)
      : kind_(kind), sizes_(sizes), rows_(std::move(rows)), piece_(sizes) {
    piece_.outer = rows_.together();
    items_ = (sizes.outer + piece_.outer - 1) / piece_.outer;
    constexpr double kWorkPerElement = 20;
    slots_ = SlotsFor(items_, kWorkPerElement * double(sizes.outer) * double(sizes.count));
  }

  std::size_t WorkspaceBytes() const override { return slots_ * SoftmaxWorkspace(piece_); }
  void Run(const RunArgs& args) const override {
    ForEachItem(items_, slots_, [&](std::size_t slot, std::size_t item) {
      const std::size_t first = item * piece_.outer;
      SoftmaxSizes piece = piece_;
      piece.outer = std::min(piece_.outer, sizes_.outer - first);
      std::byte* to = ElementAt(sizes_.type, args.outputs[0], first * sizes_.count);
      rows_.Gather(args.inputs[0], first, piece.outer, to);
      SoftmaxElements(kind_, piece, to, to, args.workspace + slot * SoftmaxWorkspace(piece_));
    });
  }

 private:
  SoftmaxKind kind_;
  SoftmaxSizes sizes_;
  RowGather rows_;
  SoftmaxSizes piece_;
  std::size_t items_ = 0, slots_ = 1;
};

template <typename T>
class GroupSoftmax : public Kernel {
 public:
  GroupSoftmax(SoftmaxKind kind, ElementGroups where) : kind_(kind), where_(std::move(where)) {}

  void Run(const RunArgs& args) const override {
    SoftmaxGroups(kind_, args.In<T>(0), where_, args.Out<T>(0));
  }

 private:
  SoftmaxKind kind_;
  ElementGroups where_;
};

void InferSoftmax(OpContext& context) {
  TensorType out = context.In(0);
  AxesOf(context, "axes", out.dims);
  if (out.type == DataType::kFloat16 && context.node().Bool("half_to_float", false))
    out.type = DataType::kFloat;
  context.SetOut(0, out);
}

// The first dimension of a row; those of one element belong to either side.
std::size_t FirstAxis(const Dims& dims, const std::vector<bool>& axes) {
  std::size_t first = dims.size();
  for (std::size_t i = dims.size(); i-- > 0;)
    if (axes[i] && dims[i] != 1) first = i;
  return first;
}

std::unique_ptr<Kernel> LowerSoftmax(OpContext& context, SoftmaxKind kind) {
  const auto& [type, format, dims] = context.In(0);
  const std::vector<bool> axes = AxesOf(context, "axes", dims);
  if (type == DataType::kDouble) return std::make_unique<GroupSoftmax<double>>(kind, GroupsOf(dims, axes));
  if (!ComputesInFloat(type))
    context.Unsupported("no kernel for {}; float, float16, bfloat16 and double have one", DataTypeName(type));
  if (const auto middle = MiddleAxisOf(dims, axes)) {
    const StridedView view = ViewOf(context, 0);
    if (!view.dense())
      return std::make_unique<GatheredSoftmax>(
          kind, SoftmaxSizes{FloatTypeOf(context, type), middle->outer, middle->count},
          RowGather(view, FirstAxis(dims, axes), BytesPerElement(type)));
    if (context.Out(0).type == type)
      return std::make_unique<MiddleSoftmax>(
          kind, SoftmaxSizes{FloatTypeOf(context, type), middle->outer, middle->count, middle->inner});
    return ThroughFloat(
        context, std::make_unique<MiddleSoftmax>(
                     kind, SoftmaxSizes{ElementType::kFloat, middle->outer, middle->count, middle->inner}));
  }
  return ThroughFloat(context, std::make_unique<GroupSoftmax<float>>(kind, GroupsOf(dims, axes)));
}

// Where the axes are the last ones.
bool ReadsRows(const OpContext& context, int, const StridedView&) {
  const auto& [type, format, dims] = context.In(0);
  const auto middle = MiddleAxisOf(dims, AxesOf(context, "axes", dims));
  return middle && middle->inner == 1 && ComputesInFloat(type) && context.Out(0).type == type;
}

OpDef SoftmaxOp(const char* type, SoftmaxKind kind) {
  return OpDef(type)
      .Infer(InferSoftmax)
      .Lower([kind](OpContext& context) { return LowerSoftmax(context, kind); })
      .InPlace(0, 0)
      .ReadsViews({"x", "logits"}, ReadsRows)
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble});
}

const RegisterOp softmax(std::vector<OpDef>{SoftmaxOp("SoftmaxV2", SoftmaxKind::kSoftmax),
                                            SoftmaxOp("LogSoftmaxV2", SoftmaxKind::kLogSoftmax)});

}  // namespace
}  // namespace foothold
