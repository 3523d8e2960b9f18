// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Compute groups exist only where the program runs on the device itself. Here it always runs beside it, and
// every question about groups is answered the way such systems do.
#include "acl/acl_rt.h"
#include "api/guard.h"
#include "api/status.h"

using namespace foothold;

namespace {

[[noreturn]] void NoGroups() {
  Fail(
      kRtFeatureNotSupport,
      "there are no compute groups: they exist only for programs that run on the device itself (ACL_DEVICE)");
}

}  // namespace

FOOTHOLD_ALWAYS_REFUSED(aclrtGetGroupCount);
aclError aclrtGetGroupCount(uint32_t* count) {
  return Guard(FOOTHOLD_CALL(count), [&] {
    FOOTHOLD_NOT_NULL(count);
    NoGroups();
  });
}

FOOTHOLD_ALWAYS_REFUSED(aclrtSetGroup);
aclError aclrtSetGroup(int32_t groupId) {
  return Guard(FOOTHOLD_CALL(groupId), [] { NoGroups(); });
}

FOOTHOLD_ALWAYS_REFUSED(aclrtCreateGroupInfo);
aclrtGroupInfo* aclrtCreateGroupInfo(void) {
  return GuardValue(FOOTHOLD_CALL(), static_cast<aclrtGroupInfo*>(nullptr),
                    []() -> aclrtGroupInfo* { NoGroups(); });
}

FOOTHOLD_ALWAYS_REFUSED(aclrtDestroyGroupInfo);
aclError aclrtDestroyGroupInfo(aclrtGroupInfo* groupInfo) {
  return Guard(FOOTHOLD_CALL(groupInfo), [&] {
    FOOTHOLD_NOT_NULL(groupInfo);
    NoGroups();
  });
}

FOOTHOLD_ALWAYS_REFUSED(aclrtGetAllGroupInfo);
aclError aclrtGetAllGroupInfo(aclrtGroupInfo* groupInfo) {
  return Guard(FOOTHOLD_CALL(groupInfo), [&] {
    FOOTHOLD_NOT_NULL(groupInfo);
    NoGroups();
  });
}

FOOTHOLD_ALWAYS_REFUSED(aclrtGetGroupInfoDetail);
aclError aclrtGetGroupInfoDetail(const aclrtGroupInfo* groupInfo, int32_t groupIndex, aclrtGroupAttr attr,
                                 void* attrValue, size_t valueLen, size_t* paramRetSize) {
  return Guard(FOOTHOLD_CALL(groupInfo, groupIndex, attr, attrValue, valueLen, paramRetSize), [&] {
    FOOTHOLD_NOT_NULL(groupInfo);
    FOOTHOLD_NOT_NULL(attrValue);
    FOOTHOLD_NOT_NULL(paramRetSize);
    NoGroups();
  });
}
