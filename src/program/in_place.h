// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What memory planning and callers both ask of a step whose operator works in place. Any thread.
#pragma once

#include "base/data_type.h"
#include "program/program.h"

namespace foothold {

// An output is made in place of an input only if both have elements of one size: what has as many bytes then
// has as many elements, and is not repeated.
inline bool HasElementsOfOneSize(const Step& step, int input, int output) {
  return BitsPerElement(step.input_types[static_cast<std::size_t>(input)].type) ==
         BitsPerElement(step.output_types[static_cast<std::size_t>(output)].type);
}

}  // namespace foothold
