// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Combines two arrays element by element into the first (aclrtReduceAsync). Any thread.
#pragma once

#include <cstddef>
#include <optional>

namespace foothold {

enum class ReduceOperation { kSum, kMax, kMin };
enum class ReduceType { kInt8, kInt16, kInt32, kFloat16, kBFloat16, kFloat32 };

std::size_t SizeOf(ReduceType type);

// dst[i] = dst[i] ⊕ src[i]. Integer sums wrap; a NaN on either side gives a NaN. With `saturate`, a
// floating-point sum of finite values that leaves the range of the type becomes its largest finite value
// instead of an infinity. True if that happened somewhere. The arrays need no alignment; they are the same
// array or do not overlap.
bool ReduceInto(void* dst, const void* src, std::size_t elements, ReduceOperation operation, ReduceType type,
                bool saturate);

}  // namespace foothold
