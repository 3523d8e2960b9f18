// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The kernel of operators that only move data: a list of strided copies between ports. Any thread.
#pragma once

#include <utility>
#include <vector>

#include "ir/strided_view.h"
#include "ir/tensor_type.h"
#include "kernels/strided_copy.h"
#include "ops/kernel.h"

namespace foothold {

struct PortCopy {
  int input;  // may be a constant the lowering added
  int output;
  StridedCopy copy;
};

class CopyKernel : public Kernel {
 public:
  explicit CopyKernel(std::vector<PortCopy> copies) : copies_(std::move(copies)) {}
  void Run(const RunArgs& args) const override {
    for (const PortCopy& each : copies_)
      each.copy.Run(args.inputs[each.input], args.outputs[each.output]);
  }

 private:
  std::vector<PortCopy> copies_;
};

// Elements of a view one after the other; where they begin is the address that is read.
StridedCopy PackingCopy(const StridedView& view, std::size_t element_size);

// A copy of `bytes` bytes in one piece.
StridedCopy WholeCopy(std::size_t bytes);

}  // namespace foothold
