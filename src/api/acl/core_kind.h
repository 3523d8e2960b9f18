// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The kinds of cores that the limits of devices, streams and threads are about.
#pragma once

#include "acl/acl_rt.h"
#include "base/error.h"
#include "device/core_limits.h"

namespace foothold {

inline CoreKind CheckedCoreKind(aclrtDevResLimitType type) {
  if (type != ACL_RT_DEV_RES_CUBE_CORE && type != ACL_RT_DEV_RES_VECTOR_CORE) {
    Fail(kRtParamInvalid,
         "type must be ACL_RT_DEV_RES_CUBE_CORE (0) or ACL_RT_DEV_RES_VECTOR_CORE (1), not {}",
         static_cast<int>(type));
  }
  return static_cast<CoreKind>(type);
}

}  // namespace foothold
