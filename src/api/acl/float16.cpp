// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/float16.h"
#include "acl/acl_base.h"

float aclFloat16ToFloat(aclFloat16 value) {
  return foothold::SaturatingHalfToFloat(value);
}

aclFloat16 aclFloatToFloat16(float value) {
  return foothold::SaturatingFloatToHalf(value);
}
