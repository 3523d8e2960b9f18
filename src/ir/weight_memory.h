// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Memory of weights, which lives as long as a model. Any thread.
#pragma once

#include <cstddef>

#include "ir/tensor_value.h"

namespace foothold {

// Like AllocateBytes. Large blocks are pages of their own: they go back to the system with the model, where
// the allocator would keep them between whatever else the program has.
SharedBytes AllocateWeights(std::size_t size);
// Whether a block of that size is such pages.
bool HasPagesOfItsOwn(std::size_t size);

}  // namespace foothold
