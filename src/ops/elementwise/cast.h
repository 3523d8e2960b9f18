// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Conversion of elements, for Cast and for operators that mix types. Any thread.
#pragma once

#include <cstddef>

#include "base/data_type.h"

namespace foothold {

using CastLoop = void (*)(const std::byte* from, std::byte* to, std::size_t count);

// Floats lose their fraction on the way to integers, saturate there, and NaN becomes 0; integers keep their
// low bits; anything that is not 0 is true. Null for a type without elements of its own.
CastLoop CastLoopOf(DataType from, DataType to);

}  // namespace foothold
