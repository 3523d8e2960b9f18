// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The options of aclrtSetSysParamOpt and aclrtCtxSetSysParamOpt as places in the runtime's tables.
#pragma once

#include "acl/acl_base.h"
#include "base/error.h"
#include "device/context.h"

namespace foothold {

inline int CheckSysParam(aclSysParamOpt option) {
  const auto place = static_cast<int>(option);
  if (place < 0 || place >= Context::kSysParams)
    Fail(kRtParamInvalid, "opt is {}; expected 0 to {}", place, Context::kSysParams - 1);
  return place;
}

}  // namespace foothold
