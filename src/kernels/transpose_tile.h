// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Transposes a small block, for StridedCopy. Any thread.
#pragma once

#include <cstddef>

namespace foothold {

// dst[r * dst_stride + c * size] = src[c * src_stride + r * size], strides in bytes, `size` 1, 2, 4, 8 or 16.
void TransposeTile(const std::byte* src, std::ptrdiff_t src_stride, std::byte* dst, std::ptrdiff_t dst_stride,
                   std::size_t rows, std::size_t cols, std::size_t size);

}  // namespace foothold
