// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The options of aclrtSetSysParamOpt and aclrtCtxSetSysParamOpt as places in the runtime's tables.
#pragma once

#include <fmt/format.h>

#include "acl/acl_base.h"
#include "base/error.h"
#include "base/first_time.h"
#include "device/context.h"

namespace foothold {

inline int CheckSysParam(aclSysParamOpt option) {
  const auto place = static_cast<int>(option);
  if (place < 0 || place >= Context::kSysParams)
    Fail(kRtParamInvalid, "opt is {}; expected 0 to {}", place, Context::kSysParams - 1);
  return place;
}

inline void WarnOfSysParam(aclSysParamOpt option, const char* function) {
  const int number = option;
  WarnOnce(fmt::format("{} {}", function, number),
           "option {} of {} has no effect here: it is kept to be read back", number, function);
}

}  // namespace foothold
