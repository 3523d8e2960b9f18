// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "api/hccl/hccl_guard.h"

namespace foothold {

HcclResult HcclResultOf(Code code) noexcept {
  if (int{code} <= kLastHcclCode) return static_cast<HcclResult>(code);
  switch (code) {
    case kInvalidParam:
    case kRtParamInvalid:
    case kRtInvalidDeviceId:
    case kRtStreamContext:
    case kRtInvalidHandle:
      return HCCL_E_PARA;
    case kBadAlloc:
    case kRtMemoryAllocation:
    case kRtResourceAllocFail:
      return HCCL_E_MEMORY;
    case kRtFeatureNotSupport:
    case kApiNotSupport:
      return HCCL_E_NOT_SUPPORT;
    case kInternalError:
      return HCCL_E_INTERNAL;
    default:
      return HCCL_E_RUNTIME;
  }
}

}  // namespace foothold
