// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What programs tell the checking mode (include/foothold/check.h).
#include "check/call_scope.h"
#include "check/check.h"
#include "check/initialised.h"
#include "check/pool_blocks.h"
#include "foothold/check.h"

using namespace foothold;

extern "C" {

void FootholdCheckBlockTaken(void* address, size_t bytes, const void*, const char* name) {
  if (!check::On() || address == nullptr || bytes == 0) return;
  const check::CallScope call("FootholdBlockTaken");
  check::BlockTaken(address, bytes, name);
}

void FootholdCheckBlockGiven(void* address, const void*) {
  if (!check::On()) return;
  const check::CallScope call("FootholdBlockGiven");
  check::BlockGiven(address);
}

void FootholdCheckWritten(void* address, size_t bytes) {
  if (check::On()) check::MarkWritten(reinterpret_cast<std::uintptr_t>(address), bytes);
}

void FootholdCheckIgnore(int begins) {
  if (check::On()) check::Ignore(begins != 0);
}

}  // extern "C"
