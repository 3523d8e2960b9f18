// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/float_type.h"

namespace foothold {

ElementType FloatTypeOf(const OpContext& context, DataType type) {
  if (type == DataType::kFloat) return ElementType::kFloat;
  if (type == DataType::kFloat16) return ElementType::kFloat16;
  if (type == DataType::kBfloat16) return ElementType::kBfloat16;
  context.Unsupported("no kernel for {}; float, float16 and bfloat16 have one", DataTypeName(type));
}

}  // namespace foothold
