// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What programs say about caches and about where memory is wanted. All memory is that of one machine with
// coherent caches, so the arguments are checked, tasks hold their place in the stream, and nothing else
// follows.
#include "acl/acl_rt.h"
#include "api/guard.h"
#include "api/status.h"
#include "device/cache_hint.h"
#include "device/current.h"
#include "device/memory_map.h"
#include "device/runtime.h"

using namespace foothold;

namespace {

constexpr size_t kMostBarriers = 6;

void CheckOperation(aclrtCmoType type) {
  if (type < ACL_RT_CMO_TYPE_PREFETCH || type > ACL_RT_CMO_TYPE_FLUSH)
    Fail(kRtParamInvalid, "cache operation {} does not exist", static_cast<int>(type));
}

void CheckManaged(const void* ptr, size_t size) {
  if (size == 0) Fail(kRtParamInvalid, "size must not be 0");
  const MemoryUse found = CheckDeviceRange(ptr, size, kRtParamInvalid, "ptr", Use::kRead);
  if (found.kind != MemoryKind::kManaged)
    Fail(kRtParamInvalid, "{} is not managed memory: it {}", ptr, MemoryMap::Get().Describe(ptr));
}

void CheckLocation(const aclrtMemManagedLocation& location) {
  switch (location.type) {
    case ACL_MEM_LOCATIONTYPE_DEVICE:
      Runtime::Get().device(location.id);
      return;
    case ACL_MEM_LOCATIONTYPE_HOST:
    case ACL_MEM_LOCATIONTYPE_HOST_NUMA:
    case ACL_MEM_LOCATIONTYPE_HOST_NUMA_CURRENT:
      return;
    default:
      Fail(kRtParamInvalid, "location type {} is not possible here", static_cast<int>(location.type));
  }
}

// Each location holds from its index to that of the next.
void CheckLocations(const aclrtMemManagedLocation* locations, const size_t* indexes, size_t number,
                    size_t count) {
  if (number == 0 || number > count)
    Fail(kRtParamInvalid, "numPrefetchLocs must be from 1 to count, {}; it is {}", count, number);
  for (size_t i = 0; i < number; ++i) {
    CheckLocation(locations[i]);
    const bool ordered = i == 0 ? indexes[0] == 0 : indexes[i] > indexes[i - 1] && indexes[i] < count;
    if (!ordered)
      Fail(kRtParamInvalid, "prefetchLocIdxs must begin with 0 and grow, below {}; number {} is {}", count, i,
           indexes[i]);
  }
}

}  // namespace

FOOTHOLD_WITHOUT_EFFECT(aclrtCmoAsync);
aclError aclrtCmoAsync(void* src, size_t size, aclrtCmoType cmoType, aclrtStream stream) {
  const auto call = FOOTHOLD_CALL(src, size, cmoType, stream);
  return Guard(call, [&] {
    CheckOperation(cmoType);
    PushCacheHint(FindStream(stream), call.name, src, size);
  });
}

FOOTHOLD_WITHOUT_EFFECT(aclrtCmoAsyncWithBarrier);
aclError aclrtCmoAsyncWithBarrier(void* src, size_t size, aclrtCmoType cmoType, uint32_t barrierId,
                                  aclrtStream stream) {
  const auto call = FOOTHOLD_CALL(src, size, cmoType, barrierId, stream);
  return Guard(call, [&] {
    CheckOperation(cmoType);
    PushCacheHint(FindStream(stream), call.name, src, size);
  });
}

FOOTHOLD_WITHOUT_EFFECT(aclrtCmoWaitBarrier);
aclError aclrtCmoWaitBarrier(aclrtBarrierTaskInfo* taskInfo, aclrtStream stream, uint32_t flag) {
  const auto call = FOOTHOLD_CALL(taskInfo, stream, flag);
  return Guard(call, [&] {
    FOOTHOLD_NOT_NULL(taskInfo);
    if (taskInfo->barrierNum == 0 || taskInfo->barrierNum > kMostBarriers)
      Fail(kRtParamInvalid, "barrierNum must be from 1 to {}; it is {}", kMostBarriers, taskInfo->barrierNum);
    for (size_t i = 0; i < taskInfo->barrierNum; ++i)
      CheckOperation(taskInfo->cmoInfo[i].cmoType);
    PushCacheBarrier(FindStream(stream), call.name);
  });
}

aclError aclrtCmoGetDescSize(size_t* size) {
  return Guard(FOOTHOLD_CALL(size), [&] { *FOOTHOLD_NOT_NULL(size) = kCacheHintBytes; });
}

aclError aclrtCmoSetDesc(void* cmoDesc, void* src, size_t size) {
  return Guard(FOOTHOLD_CALL(cmoDesc, src, size), [&] { WriteCacheHint(cmoDesc, src, size); });
}

FOOTHOLD_WITHOUT_EFFECT(aclrtCmoAsyncWithDesc);
aclError aclrtCmoAsyncWithDesc(void* cmoDesc, aclrtCmoType cmoType, aclrtStream stream, const void* reserve) {
  const auto call = FOOTHOLD_CALL(cmoDesc, cmoType, stream, reserve);
  return Guard(call, [&] {
    CheckOperation(cmoType);
    if (reserve != nullptr) Fail(kRtParamInvalid, "reserve must be null");
    PushDescribedCacheHint(FindStream(stream), call.name, cmoDesc);
  });
}

FOOTHOLD_WITHOUT_EFFECT(aclrtDeviceL2CacheFlush);
aclError aclrtDeviceL2CacheFlush(void* rsv) {
  return Guard(FOOTHOLD_CALL(rsv), [&] { CurrentContext(); });
}

// Every device reaches the memory of every other one.
FOOTHOLD_WITHOUT_EFFECT(aclrtMemP2PMap);
aclError aclrtMemP2PMap(void* devPtr, size_t size, int32_t dstDevId, uint64_t flags) {
  return Guard(FOOTHOLD_CALL(devPtr, size, dstDevId, flags), [&] {
    CheckDeviceRange(devPtr, size);
    Runtime::Get().device(dstDevId);
    if (flags != 0) Fail(kRtParamInvalid, "flags must be 0; they are {:#x}", flags);
  });
}

FOOTHOLD_WITHOUT_EFFECT(aclrtMemManagedAdvise);
aclError aclrtMemManagedAdvise(const void* const ptr, uint64_t size, aclrtMemManagedAdviseType advise,
                               aclrtMemManagedLocation location) {
  return Guard(FOOTHOLD_CALL(ptr, size, advise), [&] {
    if (advise < ACL_MEM_ADVISE_SET_READ_MOSTLY || advise > ACL_MEM_ADVISE_UNSET_ACCESSED_BY)
      Fail(kRtParamInvalid, "advise {} does not exist", static_cast<int>(advise));
    CheckManaged(ptr, size);
    const bool placed =
        advise == ACL_MEM_ADVISE_SET_PREFERRED_LOCATION || advise == ACL_MEM_ADVISE_SET_ACCESSED_BY;
    if (placed) CheckLocation(location);
  });
}

FOOTHOLD_WITHOUT_EFFECT(aclrtMemManagedPrefetchAsync);
aclError aclrtMemManagedPrefetchAsync(const void* ptr, size_t size, aclrtMemManagedLocation location,
                                      uint32_t flags, aclrtStream stream) {
  const auto call = FOOTHOLD_CALL(ptr, size, flags, stream);
  return Guard(call, [&] {
    const StreamRef found = FindStream(stream);
    CheckManaged(ptr, size);
    CheckLocation(location);
    if (flags != 0) Fail(kRtParamInvalid, "flags must be 0; they are {:#x}", flags);
    PushCacheHint(found, call.name, const_cast<void*>(ptr), size);
  });
}

FOOTHOLD_WITHOUT_EFFECT(aclrtMemManagedPrefetchBatchAsync);
aclError aclrtMemManagedPrefetchBatchAsync(const void** ptrs, size_t* sizes, size_t count,
                                           aclrtMemManagedLocation* prefetchLocs, size_t* prefetchLocIdxs,
                                           size_t numPrefetchLocs, uint64_t flags, aclrtStream stream) {
  const auto call =
      FOOTHOLD_CALL(ptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags, stream);
  return Guard(call, [&] {
    FOOTHOLD_NOT_NULL(ptrs);
    FOOTHOLD_NOT_NULL(sizes);
    FOOTHOLD_NOT_NULL(prefetchLocs);
    FOOTHOLD_NOT_NULL(prefetchLocIdxs);
    const StreamRef found = FindStream(stream);
    if (flags != 0) Fail(kRtParamInvalid, "flags must be 0; they are {:#x}", flags);
    CheckLocations(prefetchLocs, prefetchLocIdxs, numPrefetchLocs, count);
    for (size_t i = 0; i < count; ++i)
      CheckManaged(ptrs[i], sizes[i]);
    for (size_t i = 0; i < count; ++i)
      PushCacheHint(found, call.name, const_cast<void*>(ptrs[i]), sizes[i]);
  });
}
