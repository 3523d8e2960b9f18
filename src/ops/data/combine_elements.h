// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How scattered values meet what is there: written over it, added, ... for every element type. Any thread.
#pragma once

#include <cstddef>

#include "ops/op.h"

namespace foothold {

enum class Combination { kReplace, kAdd, kSubtract, kMultiply, kMax, kMin };

// Combines `count` elements into `to`.
using CombineLoop = void (*)(const std::byte* from, std::size_t count, std::size_t size, std::byte* to);

// Unsupported for types the combination has no meaning for.
CombineLoop CombineLoopFor(const OpContext& context, DataType type, Combination combination);

}  // namespace foothold
