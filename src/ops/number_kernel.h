// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The kernel for whatever numbers an operator gets, for rules that have one loop for all of them. Used while
// lowering; any thread.
#pragma once

#include <memory>

#include "ops/element_types.h"
#include "ops/through_float.h"

namespace foothold {

// make(ElementTag<T>) for real numbers of type T, as input 0 has them; 16-bit floats go through the kernel
// for float. Refuses bool and what is no number. As ThroughFloat, the last thing in a lowering.
template <typename Make>
std::unique_ptr<Kernel> NumberKernel(const OpContext& context, const Make& make) {
  const DataType type = context.In(0).type;
  if (ComputesInFloat(type)) return ThroughFloat(context, make(ElementTag<float>()));
  const auto refuse = [&]() -> std::unique_ptr<Kernel> {
    context.Unsupported("no kernel for {}; floating-point and integer types have one", DataTypeName(type));
  };
  return VisitType(
      type,
      [&](auto tag) -> std::unique_ptr<Kernel> {
        using T = typename decltype(tag)::Type;
        if constexpr (kIsHalf<T> || std::is_same_v<T, bool>)
          return refuse();
        else
          return make(tag);
      },
      refuse);
}

}  // namespace foothold
