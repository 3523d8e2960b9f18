// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The failure of a node, with which one it was: an Error like others to everybody who does not ask.
#pragma once

#include <memory>
#include <utility>

#include "base/error.h"
#include "program/program.h"

namespace foothold {

class NodeFailure : public Error {
 public:
  NodeFailure(Error error, std::shared_ptr<const Program> program, const Step& step)
      : Error(std::move(error)), program_(std::move(program)), step_(step) {}
  const Step& step() const noexcept { return step_; }

 private:
  std::shared_ptr<const Program> program_;  // keeps the step
  const Step& step_;
};

}  // namespace foothold
