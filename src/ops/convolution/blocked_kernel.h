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
#include "ops/matrix/packed_weights.h"
#include "ops/op.h"

namespace foothold {

struct BlockedPorts {
  int data = 0, filter = 0, bias = -1, residual = -1;  // -1: none
};

// The activation is kept in attributes of the node.
void SetActivation(Node& node, const ActivationSpec& activation);
ActivationSpec ActivationAttribute(const Node& node);

// Float data, a float filter whose value is known, and a bias that is too, if there is one.
bool HasKnownFloatFilter(const OpContext& context);

// Ports with the bias, filled up to whole blocks, and this filter as constants.
BlockedPorts AddBlockedConstants(OpContext& context, TensorValue packed_filter, std::size_t out_channels);

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

// `way` names the packing of the plan.
template <typename Plan>
std::unique_ptr<Kernel> LowerBlocked(OpContext& context, Plan plan, const FilterStrides& strides,
                                     std::size_t out_channels, const char* way) {
  const TensorValue& filter = context.Needed("filter");
  const std::size_t bytes = plan.PackedFilterBytes();
  const auto floats = static_cast<std::int64_t>(bytes / sizeof(float));
  TensorValue packed = SharedPacking(
      filter, fmt::format("{} {} {}", way, ToString(filter.type()), bytes),
      {DataType::kFloat, Format::kNd, {floats}},
      [&](TensorValue& to) { plan.PackFilter(filter.As<float>(), strides, to.template MutableAs<float>()); });
  const BlockedPorts ports = AddBlockedConstants(context, std::move(packed), out_channels);
  return std::make_unique<BlockedKernel<Plan>>(std::move(plan), ports, ActivationAttribute(context.node()));
}

}  // namespace foothold
