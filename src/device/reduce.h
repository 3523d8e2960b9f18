// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Combines two arrays of device memory as a task of a stream (aclrtReduceAsync). Any thread.
#pragma once

#include <cstddef>

#include "device/current.h"
#include "kernels/reduce.h"

namespace foothold {

// dst[i] = dst[i] ⊕ src[i] for `bytes` bytes. Whether sums saturate is what the device's overflow mode says
// when the task is queued.
void PushReduce(const StreamRef& stream, const char* api, void* dst, const void* src, std::size_t bytes,
                ReduceOperation operation, ReduceType type);

}  // namespace foothold
