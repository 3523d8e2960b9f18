// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Many copies in one call, all from host to device or all from device to host (aclrtMemcpyBatch and its
// like). Nothing is copied unless all of them are possible. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/current.h"

namespace foothold {

enum class BatchPlace : int { kHost = 0, kDevice = 1, kManaged = 3 };

struct BatchAttribute {
  int dst_place;  // a BatchPlace, as the program gave it
  int src_place;
};

struct CopyBatch {
  void* const* dsts;
  const std::size_t* dst_maxs;
  void* const* srcs;
  const std::size_t* sizes;
  std::size_t count;
  // Attribute i describes the items from attribute_indexes[i] to before the next.
  const std::size_t* attribute_indexes;
  std::size_t attribute_count;
  BatchAttribute (*attribute)(const void* attributes, std::size_t index);
  const void* attributes;
};

// On failure *failed is the item that is wrong, or SIZE_MAX if it is none in particular.
void CopyAll(const CopyBatch& batch, std::size_t* failed);
void PushCopyAll(const StreamRef& stream, const char* api, const CopyBatch& batch, std::size_t* failed);

}  // namespace foothold
