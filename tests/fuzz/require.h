// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Stops the process where an expectation of a fuzz target does not hold, which is what a fuzzer looks for.
#pragma once

#include <cstdlib>

namespace foothold {

inline void Require(bool expectation) {
  if (!expectation) std::abort();
}

}  // namespace foothold
