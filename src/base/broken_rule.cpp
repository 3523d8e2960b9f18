// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/broken_rule.h"

#include <utility>

namespace foothold {
namespace {

constinit thread_local BrokenRule broken;

}  // namespace

void BreaksRule(const char* rule, const void* object) noexcept {
  broken = {rule, object};
}

BrokenRule TakeBrokenRule() noexcept {
  return std::exchange(broken, {});
}

}  // namespace foothold
