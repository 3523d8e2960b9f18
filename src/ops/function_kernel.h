// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A kernel that is one function of what it is run with, for operators whose work is a plain loop:
//
//   return KernelOf([layout](const RunArgs& args) { ... });
//
// Used while lowering; any thread. The function is called as Kernel::Run is.
#pragma once

#include <memory>
#include <utility>

#include "ops/element_types.h"
#include "ops/through_float.h"

namespace foothold {

template <typename Function>
class FunctionKernel : public Kernel {
 public:
  FunctionKernel(Function function, std::size_t workspace)
      : function_(std::move(function)), workspace_(workspace) {}
  void Run(const RunArgs& args) const override { function_(args); }
  std::size_t WorkspaceBytes() const override { return workspace_; }

 private:
  Function function_;
  std::size_t workspace_;
};

template <typename Function>
std::unique_ptr<Kernel> KernelOf(Function function, std::size_t workspace = 0) {
  return std::make_unique<FunctionKernel<Function>>(std::move(function), workspace);
}

// make(ElementTag<T>) for float or double, as input 0 has it; 16-bit floats go through the kernel for float.
// As ThroughFloat, the last thing in a lowering.
template <typename Make>
std::unique_ptr<Kernel> FloatingKernel(const OpContext& context, const Make& make) {
  const DataType type = context.In(0).type;
  if (type == DataType::kDouble) return make(ElementTag<double>());
  if (ComputesInFloat(type)) return ThroughFloat(context, make(ElementTag<float>()));
  context.Unsupported("no kernel for {}; float, float16, bfloat16 and double have one", DataTypeName(type));
}

// The same by the size of elements, for kernels that only move them: make(ElementTag<T>) for an unsigned T.
template <typename Make>
std::unique_ptr<Kernel> MovingKernel(const OpContext& context, DataType type, const Make& make) {
  switch (BytesPerElement(type)) {
    case 1:
      return make(ElementTag<std::uint8_t>());
    case 2:
      return make(ElementTag<std::uint16_t>());
    case 4:
      return make(ElementTag<std::uint32_t>());
    case 8:
      return make(ElementTag<std::uint64_t>());
    default:
      context.Unsupported("no kernel for {}; types of 1, 2, 4 and 8 bytes have one", DataTypeName(type));
  }
}

}  // namespace foothold
