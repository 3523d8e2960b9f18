// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A binary that cannot be loaded: a constructor in it throws.
#include <foothold/kernel.h>

#include <stdexcept>

namespace {

struct Thrower {
  Thrower() { throw std::runtime_error("from a constructor"); }
};
const Thrower thrower;

}  // namespace

FOOTHOLD_KERNEL(unreachable) {
  (void)block;
  (void)args;
}
