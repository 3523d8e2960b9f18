// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Memory that is given back in the order of a stream.
#include "acl/acl_rt_memory_soma.h"
#include "api/guard.h"
#include "api/status.h"
#include "device/current.h"
#include "device/runtime.h"
#include "device/stream_memory_pool.h"

using namespace foothold;

namespace {

int CheckPoolProperties(const aclrtMemPoolProps& props) {
  if (props.handleType != ACL_MEM_HANDLE_TYPE_NONE || props.allocType != ACL_MEM_ALLOCATION_TYPE_PINNED) {
    Fail(kRtParamInvalid, "poolProps must have allocType 0 and handleType 0; they are {} and {}",
         static_cast<int>(props.allocType), static_cast<int>(props.handleType));
  }
  if (props.location.type != ACL_MEM_LOCATION_TYPE_DEVICE) {
    Fail(kRtFeatureNotSupport, "pools are device memory only; poolProps->location.type is {}",
         static_cast<int>(props.location.type));
  }
  return Runtime::Get().device(static_cast<int>(props.location.id)).id();
}

[[noreturn]] void NoSuchPoolAttribute(aclrtMemPoolAttr attr) {
  Fail(kRtParamInvalid, "attribute {} does not exist, or cannot be set", static_cast<int>(attr));
}

size_t PoolNumber(const StreamMemoryPool& pool, aclrtMemPoolAttr attr) {
  const StreamMemoryPool::Numbers numbers = pool.numbers();
  switch (attr) {
    case ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD:
      return numbers.threshold;
    case ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT:
      return numbers.reserved;
    case ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH:
      return numbers.most_reserved;
    case ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT:
      return numbers.used;
    case ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH:
      return numbers.most_used;
    default:
      NoSuchPoolAttribute(attr);
  }
}

bool IsReuseRule(aclrtMemPoolAttr attr) {
  return attr >= ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES &&
         attr <= ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES;
}

int ReuseRule(aclrtMemPoolAttr attr) {
  return attr - ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES;
}

}  // namespace

aclError aclrtMemPoolCreate(aclrtMemPool* memPool, const aclrtMemPoolProps* poolProps) {
  return Guard(FOOTHOLD_CALL(memPool, poolProps), [&] {
    FOOTHOLD_NOT_NULL(memPool);
    const int device = CheckPoolProperties(*FOOTHOLD_NOT_NULL(poolProps));
    *memPool = StreamMemoryPools::Get().Create(device, poolProps->maxSize);
  });
}

aclError aclrtMemPoolDestroy(const aclrtMemPool memPool) {
  return Guard(FOOTHOLD_CALL(memPool), [&] { StreamMemoryPools::Get().Destroy(memPool); });
}

// Memory comes back when it is free for every stream, so the rules of reuse are only kept to be read back.
FOOTHOLD_PART_WITHOUT_EFFECT(aclrtMemPoolSetAttr, ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES);
FOOTHOLD_PART_WITHOUT_EFFECT(aclrtMemPoolSetAttr, ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC);
FOOTHOLD_PART_WITHOUT_EFFECT(aclrtMemPoolSetAttr, ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES);
aclError aclrtMemPoolSetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr, void* value) {
  return Guard(FOOTHOLD_CALL(memPool, attr, value), [&] {
    const auto pool = StreamMemoryPools::Get().Find(memPool);
    FOOTHOLD_NOT_NULL(value);
    if (IsReuseRule(attr)) return pool->SetReuseRule(ReuseRule(attr), *static_cast<const int32_t*>(value));
    switch (attr) {
      case ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD:
        return pool->SetThreshold(*static_cast<const uint64_t*>(value));
      case ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH:
      case ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH:
        return pool->ResetPeaks();
      default:
        NoSuchPoolAttribute(attr);
    }
  });
}

aclError aclrtMemPoolGetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr, void* value) {
  return Guard(FOOTHOLD_CALL(memPool, attr, value), [&] {
    const auto pool = StreamMemoryPools::Get().Find(memPool);
    FOOTHOLD_NOT_NULL(value);
    if (IsReuseRule(attr)) {
      *static_cast<int32_t*>(value) = pool->reuse_rule(ReuseRule(attr));
    } else {
      *static_cast<uint64_t*>(value) = PoolNumber(*pool, attr);
    }
  });
}

aclError aclrtMemPoolTrimTo(aclrtMemPool memPool, size_t minBytesToKeep) {
  const auto call = FOOTHOLD_CALL(memPool, minBytesToKeep);
  return Guard(call, [&] { StreamMemoryPools::Get().Find(memPool)->TrimTo(minBytesToKeep, call.name); });
}

// The stream does not matter: the memory is free for all when it is handed out.
aclError aclrtMemPoolMallocAsync(void** ptr, size_t size, aclrtMemPool memPool, aclrtStream stream) {
  const auto call = FOOTHOLD_CALL(ptr, size, memPool, stream);
  return Guard(call, [&] {
    FOOTHOLD_NOT_NULL(ptr);
    FindStream(stream);
    *ptr = StreamMemoryPools::Get().Allocate(memPool, size, call.name);
  });
}

aclError aclrtMemPoolFreeAsync(void* ptr, aclrtStream stream) {
  const auto call = FOOTHOLD_CALL(ptr, stream);
  return Guard(call, [&] {
    FOOTHOLD_NOT_NULL(ptr);
    StreamMemoryPools::Get().PushFree(FindStream(stream), call.name, ptr);
  });
}
