// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Packed forms of constant weights. Products that pack the same bytes in the same way share one: in one
// program, and in the programs of a graph that is compiled for several shapes. Any thread.
#pragma once

#include <functional>
#include <string>

#include "ir/tensor_value.h"

namespace foothold {

// The result of `pack` for this weight. `way` names all that packing depends on besides the bytes of the
// weight. Kept as long as somebody holds it.
TensorValue SharedPacking(const TensorValue& weight, const std::string& way,
                          const std::function<TensorValue()>& pack);

}  // namespace foothold
