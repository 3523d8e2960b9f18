// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A kernel that only puts inputs beside each other in its output. The compiler may let whoever makes such an
// input write it where it belongs. Any thread.
#pragma once

#include <cstddef>
#include <vector>

#include "ops/kernel.h"

namespace foothold {

struct JoinedInput {
  int input;           // port
  std::size_t offset;  // bytes in output 0
};

class JoiningKernel : public Kernel {
 public:
  // Those that move in one piece. Run leaves alone what stands in its place.
  virtual std::vector<JoinedInput> JoinedInputs() const = 0;
};

}  // namespace foothold
