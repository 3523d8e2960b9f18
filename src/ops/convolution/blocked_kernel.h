// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The kernels of convolutions on blocks of channels, for any plan of kernels/ that packs a filter and
// finishes its output (output_finish.h). The ports are x, filter, bias and residual. Used while lowering; any
// thread.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "kernels/convolution_shape.h"
#include "kernels/output_finish.h"
#include "kernels/winograd.h"
#include "ops/matrix/packed_weights.h"
#include "ops/op.h"

namespace foothold {

struct BlockedPorts {
  int data = 0, filter = 0, bias = -1, residual = -1;  // -1: none
};

// The activation is kept in attributes of the node; `of` is what they begin with, for a node of two layers.
void SetActivation(Node& node, const ActivationSpec& activation, const std::string& of = {});
ActivationSpec ActivationAttribute(const Node& node, const std::string& of = {});

// Float data, a float filter whose value is known, and a bias that is too, if there is one.
bool HasKnownFloatFilter(const OpContext& context);

// Float data and a float filter that is computed, and no bias: packed in every run, so there must be pixels
// enough to be worth it.
bool HasComputedFloatFilter(const OpContext& context, const ConvolutionShape& shape);

// Ports with the bias, filled up to whole blocks, and this filter as constants; `of` is what the names of
// their ports begin with.
BlockedPorts AddBlockedConstants(OpContext& context, TensorValue packed_filter, std::size_t out_channels,
                                 const std::string& of = {});

// `way` names the packing of the plan.
template <typename Plan>
TensorValue PackedFilter(const TensorValue& filter, const Plan& plan, const FilterStrides& strides,
                         const std::string& way) {
  const std::size_t bytes = plan.PackedFilterBytes();
  const auto floats = static_cast<std::int64_t>(bytes / sizeof(float));
  return SharedPacking(filter, fmt::format("{} {} {}", way, ToString(filter.type()), bytes),
                       {DataType::kFloat, Format::kNd, {floats}}, [&](TensorValue& to) {
                         plan.PackFilter(filter.As<float>(), strides, to.template MutableAs<float>());
                       });
}

template <typename Plan>
class BlockedKernel : public Kernel {
 public:
  BlockedKernel(Plan plan, BlockedPorts ports, const ActivationSpec& activation)
      : plan_(std::move(plan)), ports_(ports), activation_(activation) {}

  std::size_t WorkspaceBytes() const override { return plan_.WorkspaceBytes(); }

  void Run(const RunArgs& args) const override {
    OutputFinish finish;
    if (ports_.bias >= 0) finish.bias = args.In<float>(ports_.bias);
    if (ports_.residual >= 0) finish.residual = args.In<float>(ports_.residual);
    finish.activation = activation_;
    plan_.Run(args.In<float>(ports_.data), args.In<float>(ports_.filter), finish, args.Out<float>(0),
              args.workspace);
  }

 private:
  Plan plan_;
  BlockedPorts ports_;
  ActivationSpec activation_;
};

// Plans that run with a filter that is not packed do so; others have it packed in the workspace.
template <typename Plan>
std::size_t PackingBytes(const Plan& plan) {
  constexpr std::size_t kAligned = kTensorAlignment - 1;
  return ((plan.PackedFilterBytes() + kAligned) & ~kAligned) + plan.WorkspaceBytes();
}
inline std::size_t PackingBytes(const WinogradPlan& plan) {
  return plan.PackingWorkspaceBytes();
}
template <typename Plan>
void RunPacking(const Plan& plan, const float* data, const float* filter, const FilterStrides& strides,
                const OutputFinish& finish, float* out, std::byte* workspace) {
  auto* packed = reinterpret_cast<float*>(workspace);
  plan.PackFilter(filter, strides, packed);
  plan.Run(data, packed, finish, out, workspace + PackingBytes(plan) - plan.WorkspaceBytes());
}
inline void RunPacking(const WinogradPlan& plan, const float* data, const float* filter,
                       const FilterStrides& strides, const OutputFinish& finish, float* out,
                       std::byte* workspace) {
  plan.RunPacking(data, {filter, strides}, finish, out, workspace);
}

// With a filter that is packed in every run.
template <typename Plan>
class PackingBlockedKernel : public Kernel {
 public:
  PackingBlockedKernel(Plan plan, const FilterStrides& strides, BlockedPorts ports,
                       const ActivationSpec& activation)
      : plan_(std::move(plan)), strides_(strides), ports_(ports), activation_(activation) {}

  std::size_t WorkspaceBytes() const override { return PackingBytes(plan_); }

  void Run(const RunArgs& args) const override {
    OutputFinish finish;
    if (ports_.residual >= 0) finish.residual = args.In<float>(ports_.residual);
    finish.activation = activation_;
    RunPacking(plan_, args.In<float>(ports_.data), args.In<float>(ports_.filter), strides_, finish,
               args.Out<float>(0), args.workspace);
  }

 private:
  Plan plan_;
  FilterStrides strides_;
  BlockedPorts ports_;
  ActivationSpec activation_;
};

// Ports without a bias, which is for filters that are constant.
BlockedPorts ComputedPorts(const OpContext& context);

template <typename Plan>
std::unique_ptr<Kernel> LowerBlocked(OpContext& context, Plan plan, const FilterStrides& strides,
                                     std::size_t out_channels, const std::string& way) {
  if (context.Value("filter") == nullptr)
    return std::make_unique<PackingBlockedKernel<Plan>>(std::move(plan), strides, ComputedPorts(context),
                                                        ActivationAttribute(context.node()));
  const BlockedPorts ports =
      AddBlockedConstants(context, PackedFilter(context.Needed("filter"), plan, strides, way), out_channels);
  return std::make_unique<BlockedKernel<Plan>>(std::move(plan), ports, ActivationAttribute(context.node()));
}

}  // namespace foothold
