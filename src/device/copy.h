// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Copies between any two places: at once, or as a task of a stream. Which way a copy goes is seen from the
// addresses; the kind a program passes is compared with them and a difference is only logged. Overlapping
// ranges are copied as if through a third place. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/current.h"
#include "device/memory_map.h"
#include "kernels/copy.h"

namespace foothold {

enum class CopyKind : int {
  kHostToHost = 0,
  kHostToDevice = 1,
  kDeviceToHost = 2,
  kDeviceToDevice = 3,
  kDefault = 4,
  kHostToBufferToDevice = 5,  // asynchronous: the source is read before the call returns
  kInnerDeviceToDevice = 6,
  kInterDeviceToDevice = 7,
};

// Does not wait for queued tasks. Throws 107000 for arguments that make no sense.
void Copy(void* dst, std::size_t dst_max, const void* src, std::size_t count, CopyKind kind);
// Queues the copy. With pageable memory on one side it returns when the copy is done. From host to host:
// 207000.
void PushCopy(const StreamRef& stream, const char* api, void* dst, std::size_t dst_max, const void* src,
              std::size_t count, CopyKind kind);

// A rectangle: `plane.height` rows that begin every `pitch` bytes.
struct RectangleCopy {
  void* dst;
  std::size_t dst_pitch;
  const void* src;
  std::size_t src_pitch;
  Plane plane;
};
// Host to host: 100000.
void CopyRectangle(const RectangleCopy& copy, CopyKind kind);
// The same limits for width and height as the devices have.
void PushRectangleCopy(const StreamRef& stream, const char* api, const RectangleCopy& copy, CopyKind kind);

}  // namespace foothold
