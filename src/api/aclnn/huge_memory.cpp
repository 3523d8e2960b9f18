// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Programs look these up by name, no header has them, and call them around every aclnn operator, to keep
// memory of the first phase for the next call of the thread. There is no such memory here.
#include "acl/acl_base.h"
#include "api/status.h"

extern "C" {

ACL_FUNC_VISIBILITY int InitHugeMemThreadLocal(void* memory, bool shared);
ACL_FUNC_VISIBILITY void UnInitHugeMemThreadLocal(void* memory, bool shared);
ACL_FUNC_VISIBILITY void ReleaseHugeMem(void* memory, bool shared);

}  // extern "C"

FOOTHOLD_WITHOUT_EFFECT(InitHugeMemThreadLocal);
int InitHugeMemThreadLocal(void*, bool) {
  return ACL_SUCCESS;
}

FOOTHOLD_WITHOUT_EFFECT(UnInitHugeMemThreadLocal);
void UnInitHugeMemThreadLocal(void*, bool) {}

FOOTHOLD_WITHOUT_EFFECT(ReleaseHugeMem);
void ReleaseHugeMem(void*, bool) {}
