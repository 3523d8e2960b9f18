// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/data_buffer.h"
#include "acl/acl_base.h"
#include "api/guard.h"
#include "check/check.h"
#include "check/copy_rules.h"
#include "check/queued_uses.h"
#include "device/memory_map.h"

using namespace foothold;

namespace {

void CheckClaim(const void* data, size_t size) {
  if (check::On() && data != nullptr) check::LookAtClaim(data, size, ReachOf(data));
}

}  // namespace

aclDataBuffer* aclCreateDataBuffer(void* data, size_t size) {
  return GuardValue(FOOTHOLD_CALL(data, size), static_cast<aclDataBuffer*>(nullptr), [&] {
    CheckClaim(data, size);
    return static_cast<aclDataBuffer*>(DataBuffers::Get().Add({data, size}));
  });
}

aclError aclDestroyDataBuffer(const aclDataBuffer* dataBuffer) {
  return Guard(FOOTHOLD_RELEASE(dataBuffer), [&] {
    if (check::On()) check::LookAtChange(dataBuffer);
    DataBuffers::Get().Remove(dataBuffer);
  });
}

aclError aclUpdateDataBuffer(aclDataBuffer* dataBuffer, void* data, size_t size) {
  return Guard(FOOTHOLD_CALL(dataBuffer, data, size), [&] {
    CheckClaim(data, size);
    if (check::On()) check::LookAtChange(dataBuffer);
    DataBuffers::Get().Find(dataBuffer) = {data, size};
  });
}

void* aclGetDataBufferAddr(const aclDataBuffer* dataBuffer) {
  return GuardValue(FOOTHOLD_CALL(dataBuffer), static_cast<void*>(nullptr),
                    [&] { return DataBuffers::Get().Find(dataBuffer).data; });
}

size_t aclGetDataBufferSizeV2(const aclDataBuffer* dataBuffer) {
  return GuardValue(FOOTHOLD_CALL(dataBuffer), size_t{0},
                    [&] { return DataBuffers::Get().Find(dataBuffer).size; });
}

uint32_t aclGetDataBufferSize(const aclDataBuffer* dataBuffer) {
  return GuardValue(FOOTHOLD_CALL(dataBuffer), uint32_t{0}, [&] {
    const size_t size = DataBuffers::Get().Find(dataBuffer).size;
    if (size > UINT32_MAX)
      Fail(kInvalidParam, "the size {} does not fit into 32 bits; use aclGetDataBufferSizeV2", size);
    return static_cast<uint32_t>(size);
  });
}
