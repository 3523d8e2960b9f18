// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Shows the run of this thread to everybody who watches, while it lives: who takes dumps, who looks for
// overflows, who has subscribed to a model.
#pragma once

#include <optional>

#include "dump/run_dump.h"
#include "launch/bound_run.h"
#include "launch/overflow_watch.h"
#include "profile/subscriptions.h"

namespace foothold {

class WatchedRun {
 public:
  WatchedRun(const RunScope& scope, const PreparedProgram& program)
      : dumped_(scope.dump, scope.stream, program.is_static()),
        overflow_(scope.overflow, program.is_static() ? &program.program() : nullptr,
                  scope.overflowing_device) {
    if (scope.model != RunScope::kNoModel && Subscriptions::Get().any()) subscribed_.emplace(scope.model);
  }

 private:
  const DumpedRun dumped_;
  const WatchedForOverflow overflow_;
  std::optional<SubscribedRun> subscribed_;
};

}  // namespace foothold
