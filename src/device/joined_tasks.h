// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Neighbouring tasks that are run as one, to the same effect: what a type of tasks makes of those that are
// kept to be run again (TaskForm::join), if it knows a better way than one after the other. The tasks stay as
// they are and exist as long as this.
#pragma once

#include <cstddef>

namespace foothold {

class JoinedTasks {
 public:
  virtual ~JoinedTasks() = default;
  // How many of the tasks it was made from, counted from the first; at least two.
  virtual std::size_t size() const noexcept = 0;
  // False: nothing was done, since somebody has to see the tasks one by one, or one of them would fail.
  // Whoever calls it calls nothing else of the tasks meanwhile.
  virtual bool Run() = 0;
};

}  // namespace foothold
