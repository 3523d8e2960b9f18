// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Addresses that code of the program must not follow, or not now: the pages there have no access, and what a
// fault there means is reported before the process ends or goes on. One handler of SIGSEGV, in front of
// whatever was there when the first range came; all other faults are passed on to that. The handler itself
// takes no locks and no memory: it hands what it saw to a thread of its own that makes the report, and waits.
// Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "check/stacks.h"

namespace foothold::check {

struct Fault {
  std::uintptr_t address;
  bool write;
  Site site;  // whose call is "host code"
};

// What becomes of the code that met the page: the fault is passed on, or it is tried again.
enum class Verdict { kPassOn, kAgain };

// Says what it means, on the thread of the reports.
using Judge = Verdict (*)(const Fault& fault, void* about);

// False if there are too many ranges: faults there are the program's own.
bool Forbid(std::uintptr_t begin, std::size_t bytes, Judge judge, void* about) noexcept;
// The range that begins there is ordinary memory again, or gone.
void Permit(std::uintptr_t begin) noexcept;

}  // namespace foothold::check
