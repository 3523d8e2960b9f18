// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The kernels of operators that pass float data through a packed filter, for any plan of kernels/ that packs
// it: once while lowering if the filter is constant, else at every run.
#pragma once

#include <memory>
#include <utility>

#include "kernels/convolution_shape.h"
#include "kernels/gemm_pack.h"
#include "ops/op.h"
#include "ops/through_float.h"

namespace foothold {

struct FilterPorts {
  int data = 0;
  int filter = 1;
  int bias = -1;  // none
};

template <typename Plan>
class FilterKernel : public Kernel {
 public:
  FilterKernel(Plan plan, FilterPorts ports, FilterStrides strides, bool packed)
      : plan_(std::move(plan)), ports_(ports), strides_(strides), packed_(packed) {}

  std::size_t WorkspaceBytes() const override { return FilterBytes() + plan_.WorkspaceBytes(); }

  void Run(const RunArgs& args) const override {
    const float* filter = args.In<float>(ports_.filter);
    if (!packed_) {
      auto* to = reinterpret_cast<float*>(args.workspace);
      plan_.PackFilter(filter, strides_, to);
      filter = to;
    }
    const float* bias = ports_.bias < 0 ? nullptr : args.In<float>(ports_.bias);
    plan_.Run(args.In<float>(ports_.data), filter, bias, args.Out<float>(0), args.workspace + FilterBytes());
  }

 private:
  std::size_t FilterBytes() const {
    if (packed_) return 0;
    return RoundUp(plan_.PackedFilterBytes(), kTensorAlignment);
  }

  Plan plan_;
  FilterPorts ports_;
  FilterStrides strides_;
  bool packed_;
};

template <typename Plan>
std::unique_ptr<Kernel> LowerWithFilter(OpContext& context, Plan plan, FilterPorts ports,
                                        const FilterStrides& strides) {
  const TensorValue* constant = context.Value(ports.filter);
  if (constant != nullptr) {
    const auto floats = static_cast<std::int64_t>(plan.PackedFilterBytes() / sizeof(float));
    TensorValue packed(TensorType{DataType::kFloat, Format::kNd, {floats}});
    plan.PackFilter(AsFloats(*constant).As<float>(), strides, packed.MutableAs<float>());
    context.SetUnused(ports.filter);
    ports.filter = context.AddConstant(std::move(packed));
  }
  return ThroughFloat(
      context, std::make_unique<FilterKernel<Plan>>(std::move(plan), ports, strides, constant != nullptr));
}

}  // namespace foothold
