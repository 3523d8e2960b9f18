// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// An operator prepared for many runs with tensors that look the same (aclopHandle): found once, and all it
// was described with. Immutable; one thread destroys it, any may run it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/host_objects.h"
#include "single_op/op_run.h"

namespace foothold {

class OpHandle {
 public:
  // Throws kOpUnsupportedDynamic if sizes are not known before the run.
  OpHandle(const OpCall& call, std::shared_ptr<const ReadyOp> ready);

  // Throws kInvalidParam if these are not as many tensors as it was made for, and what RunOperator throws.
  void Run(const OpTensors& tensors, const StreamRef& stream, const char* api) const;

  OpHandle(const OpHandle&) = delete;
  OpHandle& operator=(const OpHandle&) = delete;

 private:
  std::string type_;
  std::vector<TensorDesc> inputs_, outputs_;
  OpCall call_;  // of the three above
  std::shared_ptr<const ReadyOp> ready_;
};

using OpHandles = HostObjects<std::shared_ptr<const OpHandle>, HandleKind::kOperatorHandle>;

}  // namespace foothold
