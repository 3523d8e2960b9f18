// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The job this process is a part of, as the options of GEInitialize describe it: its group of all ranks
// exists from there to GEFinalize. Any thread.
#pragma once

#include "options/options.h"

namespace foothold {

class Job {
 public:
  // Waits for all ranks of the table; nothing happens where the options name none, or where the program made
  // the group itself. Throws E10001 for options that cannot be, and what HcomInitByRankTable fails with.
  static void Join(const OptionMap& options);
  // Ends what Join has made.
  static void Leave();
};

}  // namespace foothold
