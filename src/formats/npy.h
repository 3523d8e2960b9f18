// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Arrays as NumPy keeps them (.npy): how tensors come from and go to scripts. Versions 1 to 3, C order,
// little-endian numbers. Files are not trusted. For the command-line tools; any thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "ir/tensor_value.h"

namespace foothold {

// Throw kParseFile for what is no such array, or one that cannot be read here; `origin` is for the message.
// NumPy has no bfloat16: elements of two bytes without a type ('V2', as ml_dtypes writes them) are taken for
// it.
TensorValue ParseNpy(std::span<const std::byte> bytes, const std::string& origin);
// The same with kInvalidFile if there is no such file.
TensorValue ReadNpy(const std::string& path);

// What stands before the elements. bfloat16 is written as its bits, uint16. Throws kInvalidParam for types
// NumPy has no name for.
std::string NpyHeader(const TensorType& type);
// Throws kInvalidFile with what the system said; no half-written file is left.
void WriteNpy(const std::string& path, const TensorType& type, std::span<const std::byte> elements);

}  // namespace foothold
