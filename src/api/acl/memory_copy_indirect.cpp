// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Copies within a device whose ends stand in device memory.
#include "acl/acl_rt.h"
#include "api/guard.h"
#include "device/copy.h"
#include "device/current.h"
#include "device/indirect_copy.h"

using namespace foothold;

namespace {

void CheckInnerKind(aclrtMemcpyKind kind) {
  switch (static_cast<CopyKind>(kind)) {
    case CopyKind::kInnerDeviceToDevice:
    case CopyKind::kDeviceToDevice:
    case CopyKind::kDefault:
      return;
    default:
      Fail(kRtFeatureNotSupport,
           "such copies go within a device only (ACL_MEMCPY_INNER_DEVICE_TO_DEVICE); kind is {}",
           static_cast<int>(kind));
  }
}

}  // namespace

aclError aclrtGetMemcpyDescSize(aclrtMemcpyKind kind, size_t* descSize) {
  return Guard(FOOTHOLD_CALL(kind, descSize), [&] {
    FOOTHOLD_NOT_NULL(descSize);
    CheckInnerKind(kind);
    *descSize = kCopyDescriptionBytes;
  });
}

aclError aclrtSetMemcpyDesc(void* desc, aclrtMemcpyKind kind, void* srcAddr, void* dstAddr, size_t count,
                            void* config) {
  return Guard(FOOTHOLD_CALL(desc, kind, srcAddr, dstAddr, count, config), [&] {
    FOOTHOLD_NOT_NULL(srcAddr);
    FOOTHOLD_NOT_NULL(dstAddr);
    CheckInnerKind(kind);
    if (config != nullptr) Fail(kRtParamInvalid, "config must be null");
    WriteCopyDescription(desc, dstAddr, srcAddr, count);
  });
}

aclError aclrtMemcpyAsyncWithDesc(void* desc, aclrtMemcpyKind kind, aclrtStream stream) {
  const auto call = FOOTHOLD_CALL(desc, kind, stream);
  return Guard(call, [&] {
    CheckInnerKind(kind);
    PushDescribedCopy(FindStream(stream), call.name, desc);
  });
}

aclError aclrtMemcpyAsyncWithOffset(void** dst, size_t destMax, size_t dstDataOffset, const void** src,
                                    size_t count, size_t srcDataOffset, aclrtMemcpyKind kind,
                                    aclrtStream stream) {
  const auto call = FOOTHOLD_CALL(dst, destMax, dstDataOffset, src, count, srcDataOffset, kind, stream);
  return Guard(call, [&] {
    CheckInnerKind(kind);
    PushOffsetCopy(FindStream(stream), call.name, {dst, dstDataOffset, destMax, src, srcDataOffset, count});
  });
}
