// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A data buffer: memory of the program and its size, as datasets and operators take it. Owns nothing.
#pragma once

#include <cstddef>

#include "base/host_objects.h"

namespace foothold {

struct DataBuffer {
  void* data = nullptr;
  std::size_t size = 0;
};

using DataBuffers = HostObjects<DataBuffer, HandleKind::kDataBuffer>;

}  // namespace foothold
