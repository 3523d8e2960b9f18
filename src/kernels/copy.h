// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Copies of any size at the speed of the memory: small ones as the C library does them, large ones past the
// caches and on several threads. Used by the copy tasks of streams and by the synchronous copy calls. Any
// thread.
#pragma once

#include <cstddef>

namespace foothold {

// The ranges may overlap: the result is that of a copy through a third place.
void CopyBytes(void* dst, const void* src, std::size_t count);

struct Plane {
  std::size_t width;   // bytes of a row that are copied
  std::size_t height;  // rows
};

// Copies `plane` between two buffers whose rows begin every `pitch` bytes. The ranges must not overlap.
void CopyRows(void* dst, std::size_t dst_pitch, const void* src, std::size_t src_pitch, Plane plane);

}  // namespace foothold
