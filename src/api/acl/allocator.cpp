// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// A program's own allocator for a stream.
#include "acl/acl_rt_allocator.h"
#include "api/guard.h"
#include "base/handle_pool.h"
#include "check/late_settings.h"
#include "device/stream_allocator.h"

using namespace foothold;

aclrtAllocatorDesc aclrtAllocatorCreateDesc(void) {
  return GuardValue(FOOTHOLD_CALL(), aclrtAllocatorDesc{nullptr},
                    [&] { return CreateAllocatorDescription(); });
}

aclError aclrtAllocatorDestroyDesc(aclrtAllocatorDesc allocatorDesc) {
  return Guard(FOOTHOLD_CALL(allocatorDesc), [&] { DestroyAllocatorDescription(allocatorDesc); });
}

aclError aclrtAllocatorSetObjToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocator allocator) {
  return Guard(FOOTHOLD_CALL(allocatorDesc, allocator), [&] {
    CheckNotNull(allocator, "allocator", kInvalidParam);
    FindAllocatorDescription(allocatorDesc).Update([&](StreamAllocator& into) { into.object = allocator; });
  });
}

aclError aclrtAllocatorSetAllocFuncToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocatorAllocFunc func) {
  return Guard(FOOTHOLD_CALL(allocatorDesc, func), [&] {
    CheckNotNull(func, "func", kInvalidParam);
    FindAllocatorDescription(allocatorDesc).Update([&](StreamAllocator& into) { into.allocate = func; });
  });
}

aclError aclrtAllocatorSetFreeFuncToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocatorFreeFunc func) {
  return Guard(FOOTHOLD_CALL(allocatorDesc, func), [&] {
    CheckNotNull(func, "func", kInvalidParam);
    FindAllocatorDescription(allocatorDesc).Update([&](StreamAllocator& into) { into.free = func; });
  });
}

aclError aclrtAllocatorSetAllocAdviseFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                                aclrtAllocatorAllocAdviseFunc func) {
  return Guard(FOOTHOLD_CALL(allocatorDesc, func), [&] {
    CheckNotNull(func, "func", kInvalidParam);
    FindAllocatorDescription(allocatorDesc).Update([&](StreamAllocator& into) { into.allocate_at = func; });
  });
}

aclError aclrtAllocatorSetGetAddrFromBlockFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                                     aclrtAllocatorGetAddrFromBlockFunc func) {
  return Guard(FOOTHOLD_CALL(allocatorDesc, func), [&] {
    CheckNotNull(func, "func", kInvalidParam);
    FindAllocatorDescription(allocatorDesc).Update([&](StreamAllocator& into) { into.address_of = func; });
  });
}

aclError aclrtAllocatorRegister(aclrtStream stream, aclrtAllocatorDesc allocatorDesc) {
  return Guard(FOOTHOLD_CALL(stream, allocatorDesc), [&] {
    RegisterAllocator(stream, allocatorDesc);
    check::SettingMade(check::Setting::kAllocator, HandleValue(stream));
  });
}

aclError aclrtAllocatorUnregister(aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(stream), [&] { UnregisterAllocator(stream); });
}

aclError aclrtAllocatorGetByStream(aclrtStream stream, aclrtAllocatorDesc* allocatorDesc,
                                   aclrtAllocator* allocator, aclrtAllocatorAllocFunc* allocFunc,
                                   aclrtAllocatorFreeFunc* freeFunc,
                                   aclrtAllocatorAllocAdviseFunc* allocAdviseFunc,
                                   aclrtAllocatorGetAddrFromBlockFunc* getAddrFromBlockFunc) {
  const auto call = FOOTHOLD_CALL(stream, allocatorDesc, allocator, allocFunc, freeFunc, allocAdviseFunc,
                                  getAddrFromBlockFunc);
  return Guard(call, [&] {
    CheckNotNull(allocatorDesc, "allocatorDesc", kInvalidParam);
    CheckNotNull(allocator, "allocator", kInvalidParam);
    CheckNotNull(allocFunc, "allocFunc", kInvalidParam);
    CheckNotNull(freeFunc, "freeFunc", kInvalidParam);
    CheckNotNull(allocAdviseFunc, "allocAdviseFunc", kInvalidParam);
    CheckNotNull(getAddrFromBlockFunc, "getAddrFromBlockFunc", kInvalidParam);
    const auto found = AllocatorOf(stream);
    *allocatorDesc = found->description;
    *allocator = found->object;
    *allocFunc = found->allocate;
    *freeFunc = found->free;
    *allocAdviseFunc = found->allocate_at;
    *getAddrFromBlockFunc = found->address_of;
  });
}
