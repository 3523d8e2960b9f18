// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What a call that works here may still have wrong about its memory: ACL-MEM-005, 006, 010, 012 to 014.
// Inside the call, before it touches anything.
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
  bool within_devices;  // both ends are device memory
};

// Throws if findings are to fail the call.
void LookAtCopy(const AskedCopy& copy);
// The call describes memory: so many bytes from there, of which `room` are to be had; 0: not known
// (ACL-MEM-006).
void LookAtClaim(const void* address, std::size_t claimed, std::size_t room);
// A port of a graph is there (ACL-MEM-012).
void LookAtPort(const void* address);
// A task of one device touches memory of another one that it has no access to (ACL-MEM-013). Locks of streams
// may be held.
void PeerTouched(const void* address, int device, int owner) noexcept;

}  // namespace foothold::check
