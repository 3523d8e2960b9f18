// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Around a kernel that waits for others, so that nobody takes its run for a short one.
#pragma once

#include <memory>
#include <utility>

#include "ops/kernel.h"

namespace foothold {

class WaitingKernel final : public Kernel {
 public:
  explicit WaitingKernel(std::unique_ptr<Kernel> inner) : inner_(std::move(inner)) {}

  void Run(const RunArgs& args) const override { inner_->Run(args); }
  std::size_t WorkspaceBytes() const override { return inner_->WorkspaceBytes(); }

 private:
  const std::unique_ptr<Kernel> inner_;
};

}  // namespace foothold
