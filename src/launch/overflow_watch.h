// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Raises the overflow status of a device when a node of a run leaves infinities or NaN in a float16 output,
// on streams where the program has switched that on (aclrtSetStreamOverflowSwitch). Programs without float16
// values run as if it were off.
#pragma once

#include <optional>

#include "program/program.h"
#include "program/run_observer.h"

namespace foothold {

class OverflowWatch final : public RunObserver {
 public:
  explicit OverflowWatch(int device) : device_(device) {}
  void OnNodeBegin(const NodeRun&) override {}
  void OnNodeEnd(const NodeRun& node) override;

 private:
  const int device_;
};

// Watches the run of this thread while it lives, if that is wanted and there is something to see. `program`
// may be null: not known before the run.
class WatchedForOverflow {
 public:
  WatchedForOverflow(bool wanted, const Program* program, int device);

 private:
  std::optional<OverflowWatch> watch_;
  std::optional<ObserverScope> scope_;
};

}  // namespace foothold
