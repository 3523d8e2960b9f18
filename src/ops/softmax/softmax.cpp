// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/softmax.h"

#include "ops/softmax/softmax_axes.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

class FloatSoftmax : public Kernel {
 public:
  FloatSoftmax(SoftmaxKind kind, const MiddleAxis& axis) : kind_(kind), axis_(axis) {}

  void Run(const RunArgs& args) const override {
    SoftmaxFloats(kind_, args.In<float>(0), axis_.outer, axis_.count, axis_.inner, args.Out<float>(0));
  }

 private:
  SoftmaxKind kind_;
  MiddleAxis axis_;
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
  if (const auto middle = MiddleAxisOf(dims, axes))
    return ThroughFloat(context, std::make_unique<FloatSoftmax>(kind, *middle));
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
