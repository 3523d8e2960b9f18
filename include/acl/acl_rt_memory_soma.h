// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Memory pools whose allocations and releases take their place in the order of a stream.
#ifndef FOOTHOLD_ACL_ACL_RT_MEMORY_SOMA_H_
#define FOOTHOLD_ACL_ACL_RT_MEMORY_SOMA_H_

#include <stddef.h>
#include <stdint.h>

#include "acl_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

// Types.

typedef void* aclrtMemPool;

typedef enum aclrtMemPoolAttr {
  ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES   = 1,
  ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC         = 2,
  ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES = 3,
  ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD            = 4,
  ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT         = 5,
  ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH            = 6,
  ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT             = 7,
  ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH                = 8,
} aclrtMemPoolAttr;

typedef struct aclrtMemPoolProps {
  aclrtMemAllocationType allocType;
  aclrtMemHandleType handleType;
  aclrtMemLocation location;
  size_t maxSize;
  unsigned char reserved[32];
} aclrtMemPoolProps;

// Pools.

ACL_FUNC_VISIBILITY aclError aclrtMemPoolCreate(aclrtMemPool* memPool, const aclrtMemPoolProps* poolProps);
ACL_FUNC_VISIBILITY aclError aclrtMemPoolDestroy(const aclrtMemPool memPool);
ACL_FUNC_VISIBILITY aclError aclrtMemPoolSetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr, void* value);
ACL_FUNC_VISIBILITY aclError aclrtMemPoolGetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr, void* value);
ACL_FUNC_VISIBILITY aclError aclrtMemPoolTrimTo(aclrtMemPool memPool, size_t minBytesToKeep);

// Allocations.

ACL_FUNC_VISIBILITY aclError aclrtMemPoolMallocAsync(void** ptr, size_t size, aclrtMemPool memPool,
                                                     aclrtStream stream);
ACL_FUNC_VISIBILITY aclError aclrtMemPoolFreeAsync(void* ptr, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // FOOTHOLD_ACL_ACL_RT_MEMORY_SOMA_H_
