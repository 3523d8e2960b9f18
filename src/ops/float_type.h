// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The floating types of tensors that kernels read and write where they lie. Used by rules; any thread.
#pragma once

#include "kernels/element_convert.h"
#include "ops/op.h"

namespace foothold {

// Unsupported for what is not float, float16 or bfloat16.
ElementType FloatTypeOf(const OpContext& context, DataType type);
inline ElementType FloatTypeOf(const OpContext& context, int port) {
  return FloatTypeOf(context, context.In(port).type);
}

}  // namespace foothold
