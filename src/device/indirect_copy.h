// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Copies within a device whose ends stand in device memory and are read when the copy runs: as descriptions,
// or as two cells with addresses. Any thread.
#pragma once

#include <cstddef>

#include "device/current.h"

namespace foothold {

// What a description takes.
constexpr std::size_t kCopyDescriptionBytes = 64;

// Writes one to device memory, at once. What it names is checked when the copy runs.
void WriteCopyDescription(void* description, void* dst, const void* src, std::size_t count);
// Queued copies read memory of the program that nobody knows of before, so they do not replay. One that finds
// no description, or memory that is not there, fails with 507013.
void PushDescribedCopy(const StreamRef& stream, const char* api, void* description);

// Cells with the addresses of two buffers, and where in them the copy begins.
struct OffsetCopy {
  void* dst_cell;
  std::size_t dst_offset;
  std::size_t dst_max;
  const void* src_cell;
  std::size_t src_offset;
  std::size_t count;
};
void PushOffsetCopy(const StreamRef& stream, const char* api, const OffsetCopy& copy);

}  // namespace foothold
