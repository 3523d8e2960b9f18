// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What a copy that works here may still have wrong: ACL-MEM-005, 010, 014. Inside the call, before it copies.
#pragma once

#include <cstddef>

namespace foothold::check {

struct AskedCopy {
  const void* dst;
  std::size_t dst_max, dst_room;  // what the program says, and what there is; 0: not known
  const void* src;
  std::size_t count;
  int kind;
  bool kind_fits;
  bool queued;
};

// Throws if findings are to fail the call.
void LookAtCopy(const AskedCopy& copy);

}  // namespace foothold::check
