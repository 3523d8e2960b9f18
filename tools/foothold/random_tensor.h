// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Random tensors that are the same on every machine, for `foothold run`.
#pragma once

#include <cstdint>
#include <optional>

#include "ir/tensor_value.h"

namespace foothold::run {

struct ValueRange {
  double least = 0, most = 0;
};

// Without a range floats are between -1 and 1, and whole numbers 0 or 1: right as indices, masks and flags.
// Throws kInvalidParam for types that are no numbers of whole bytes.
TensorValue RandomTensor(const TensorType& type, const std::optional<ValueRange>& range, std::uint64_t seed);

}  // namespace foothold::run
