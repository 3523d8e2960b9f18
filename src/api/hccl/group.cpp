// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "api/hccl/hccl_guard.h"
#include "collectives/call_group.h"
#include "hccl/hccl_comm.h"

using namespace foothold;
using namespace foothold::collectives;

HcclResult HcclGroupStart() {
  return GuardHccl(FOOTHOLD_CALL(), [&] { call_group::Start(); });
}

HcclResult HcclGroupEnd() {
  return GuardHccl(FOOTHOLD_CALL(), [&] { call_group::End(); });
}

HcclResult HcclGroupStatusGet(bool* isGroupEnabled) {
  return GuardHccl(FOOTHOLD_CALL(isGroupEnabled), [&] {
    FOOTHOLD_HCCL_NOT_NULL(isGroupEnabled);
    *isGroupEnabled = call_group::IsOpen();
  });
}
