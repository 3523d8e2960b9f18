// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Three numbers name a device: what a program uses (user id), what the machine has before
// ASCEND_RT_VISIBLE_DEVICES renumbers (logic id), and the chip (physical id), which here is the logic id. In
// the two functions between logic and physical id the interface says "logic" and means the user id.
#include "acl/acl_rt.h"
#include "api/guard.h"
#include "device/runtime.h"

using namespace foothold;

aclError aclrtGetLogicDevIdByUserDevId(const int32_t userDevid, int32_t* const logicDevId) {
  return Guard(FOOTHOLD_CALL(userDevid, logicDevId), [&] {
    FOOTHOLD_NOT_NULL(logicDevId);
    *logicDevId = Runtime::Get().device(userDevid).physical_id();
  });
}

aclError aclrtGetUserDevIdByLogicDevId(const int32_t logicDevId, int32_t* const userDevid) {
  return Guard(FOOTHOLD_CALL(logicDevId, userDevid), [&] {
    FOOTHOLD_NOT_NULL(userDevid);
    *userDevid = Runtime::Get().device_by_physical_id(logicDevId).id();
  });
}

aclError aclrtGetLogicDevIdByPhyDevId(const int32_t phyDevId, int32_t* const logicDevId) {
  return Guard(FOOTHOLD_CALL(phyDevId, logicDevId), [&] {
    FOOTHOLD_NOT_NULL(logicDevId);
    *logicDevId = Runtime::Get().device_by_physical_id(phyDevId).id();
  });
}

aclError aclrtGetPhyDevIdByLogicDevId(const int32_t logicDevId, int32_t* const phyDevId) {
  return Guard(FOOTHOLD_CALL(logicDevId, phyDevId), [&] {
    FOOTHOLD_NOT_NULL(phyDevId);
    *phyDevId = Runtime::Get().device(logicDevId).physical_id();
  });
}

aclError aclrtGetPhyDevIdByUserDevId(const int32_t userDevId, int32_t* const phyDevId) {
  return Guard(FOOTHOLD_CALL(userDevId, phyDevId), [&] {
    FOOTHOLD_NOT_NULL(phyDevId);
    *phyDevId = Runtime::Get().device(userDevId).physical_id();
  });
}

aclError aclrtGetUserDevIdByPhyDevId(const int32_t phyDevId, int32_t* const userDevId) {
  return Guard(FOOTHOLD_CALL(phyDevId, userDevId), [&] {
    FOOTHOLD_NOT_NULL(userDevId);
    *userDevId = Runtime::Get().device_by_physical_id(phyDevId).id();
  });
}
