// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tells the best instruction set of this machine by the name that Highway's macros have for it.
#include <hwy/highway.h>

#include <cstdio>

int main() {
  const auto sets = hwy::SupportedTargets() & HWY_TARGETS;
  std::puts(hwy::TargetName(static_cast<decltype(sets)>(sets & -sets)));
}
