// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Random numbers into device memory as a task of a stream (aclrtRandomNumAsync). The same seed, counter and
// parameters give the same numbers, whatever the machine. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/current.h"
#include "kernels/random.h"

namespace foothold {

enum class Distribution { kDropoutMask, kUniform, kNormal, kTruncatedNormal };

// A number given with the call, or read from device memory when the task runs.
struct RandomParameter {
  bool by_address = false;
  std::uint8_t bytes = 0;  // of the value
  std::uint64_t bits = 0;  // the value
  const void* address = nullptr;
  std::uint64_t serial = 0;  // of the memory at `address`; known once the task is queued
};

struct RandomRequest {
  Distribution distribution;
  RandomType type;  // of the values; for a mask that of the ratio
  // Ratio of dropped values; low and high; mean and deviation. Integers when `type` is one, otherwise
  // floating-point: 8 bytes double, 4 bytes float, 2 bytes `type` itself (float16 if that is no half).
  RandomParameter parameters[2];
  RandomParameter seed;
  RandomParameter count;  // values; for a mask bits
  void* out;
  void*
      counter;  // 8 bytes of device memory that say where the sequence goes on and are advanced; null: from 0
};

// Throws 107000 for what can be seen now to be wrong; the rest fails when the task runs.
void PushRandom(const StreamRef& stream, const char* api, RandomRequest request);

}  // namespace foothold
