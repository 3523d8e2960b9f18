// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How much scratch memory of a chain (element_chain.h) what is turned takes. Any thread.
#pragma once

#include <cstddef>

namespace foothold {

// Of a tile of so many elements, in floats: they stay as they are stored.
inline std::size_t TurnedFloats(std::size_t elements, std::size_t element_size) {
  return (elements * element_size + sizeof(float) - 1) / sizeof(float);
}

}  // namespace foothold
