// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Memory of float, float16 or bfloat16, for kernels that read and write all three. Any thread.
#pragma once

#include <cstddef>

#include "base/half.h"
#include "kernels/element_convert.h"

namespace foothold {

// Null stays null.
inline const std::byte* ElementAt(ElementType type, const std::byte* data, std::size_t index) {
  return data == nullptr ? nullptr : data + index * SizeOf(type);
}
inline std::byte* ElementAt(ElementType type, std::byte* data, std::size_t index) {
  return data == nullptr ? nullptr : data + index * SizeOf(type);
}

// Calls visit with an element of the type: float(), Half() or Bfloat16().
template <typename Visit>
void VisitFloats(ElementType type, const Visit& visit) {
  if (type == ElementType::kFloat16) return visit(Half());
  if (type == ElementType::kBfloat16) return visit(Bfloat16());
  visit(float());
}

}  // namespace foothold
