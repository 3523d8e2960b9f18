// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/softmax.h"

#include "ops/float_type.h"
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

std::unique_ptr<Kernel> LowerSoftmax(OpContext& context, SoftmaxKind kind) {
  const auto& [type, format, dims] = context.In(0);
  const std::vector<bool> axes = AxesOf(context, "axes", dims);
  if (type == DataType::kDouble) return std::make_unique<GroupSoftmax<double>>(kind, GroupsOf(dims, axes));
  if (!ComputesInFloat(type))
    context.Unsupported("no kernel for {}; float, float16, bfloat16 and double have one", DataTypeName(type));
  if (const auto middle = MiddleAxisOf(dims, axes)) {
    if (context.Out(0).type == type)
      return std::make_unique<MiddleSoftmax>(
          kind, SoftmaxSizes{FloatTypeOf(context, type), middle->outer, middle->count, middle->inner});
    return ThroughFloat(
        context, std::make_unique<MiddleSoftmax>(
                     kind, SoftmaxSizes{ElementType::kFloat, middle->outer, middle->count, middle->inner}));
  }
  return ThroughFloat(context, std::make_unique<GroupSoftmax<float>>(kind, GroupsOf(dims, axes)));
}

OpDef SoftmaxOp(const char* type, SoftmaxKind kind) {
  return OpDef(type)
      .Infer(InferSoftmax)
      .Lower([kind](OpContext& context) { return LowerSoftmax(context, kind); })
      .InPlace(0, 0)
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble});
}

const RegisterOp softmax(std::vector<OpDef>{SoftmaxOp("SoftmaxV2", SoftmaxKind::kSoftmax),
                                            SoftmaxOp("LogSoftmaxV2", SoftmaxKind::kLogSoftmax)});

}  // namespace
}  // namespace foothold
