// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tensors as text, for operators that show them to people. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "ir/tensor_type.h"

namespace foothold {

// "float[2,2] [1, 2, 3, ...]": the first `limit` elements, all of them if it is negative. Types without
// numbers show their type alone.
std::string ElementText(const TensorType& type, const std::byte* data, std::int64_t limit);

}  // namespace foothold
