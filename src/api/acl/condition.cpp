// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Conditions inside captures.
#include "capture/condition.h"

#include "acl/acl_rt.h"
#include "api/guard.h"
#include "capture/add_condition.h"
#include "capture/capture.h"
#include "capture/instances.h"
#include "device/current.h"

namespace foothold {
namespace {

// More children than a kind chooses from are taken and never run.
Condition::Kind CheckedKind(const aclmdlRICondTaskParams& params) {
  if (params.type < ACL_MODEL_RI_COND_TYPE_IF || params.type > ACL_MODEL_RI_COND_TYPE_SWITCH)
    Fail(kRtParamInvalid, "params.type {} is no aclmdlRICondTaskType", static_cast<int>(params.type));
  if (params.size == 0) Fail(kRtParamInvalid, "params.size, the number of children, must not be 0");
  return static_cast<Condition::Kind>(params.type);
}

}  // namespace
}  // namespace foothold

using namespace foothold;

aclError aclmdlRICondHandleCreate(aclmdlRI modelRI, uint32_t defaultLaunchValue, aclmdlRICondHandleFlag flag,
                                  aclmdlRICondHandle* handle) {
  return Guard(FOOTHOLD_CALL(modelRI, defaultLaunchValue, flag, handle), [&] {
    FOOTHOLD_NOT_NULL(handle);
    const auto instance = Instances::Get().Find(modelRI);
    if (flag != 0 && flag != ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT) {
      Fail(kRtParamInvalid, "flag must be 0 or ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT (1), not {}",
           static_cast<int>(flag));
    }
    *handle =
        CreateCondition(instance, CurrentDevice(), defaultLaunchValue,
                        flag == 0 ? ConditionCell::AtBegin::kKeep : ConditionCell::AtBegin::kAssignDefault);
  });
}

aclError aclmdlRICondHandleGetCondPtr(aclmdlRICondHandle handle, uint64_t** ptr) {
  return Guard(FOOTHOLD_CALL(handle, ptr), [&] {
    FOOTHOLD_NOT_NULL(ptr);
    *ptr = static_cast<uint64_t*>(ConditionHandles::Get().Find(handle)->cell->address());
  });
}

aclError aclmdlRIAddCondTask(aclmdlRICondTaskParams params, aclrtStream stream, uint32_t flags) {
  return Guard(FOOTHOLD_CALL(params, stream, flags), [&, api = __func__] {
    const Condition::Kind kind = CheckedKind(params);
    CheckNotNull(params.modelRIArray, "params.modelRIArray");
    if (flags != 0) Fail(kRtParamInvalid, "flags is reserved and must be 0, not {}", flags);
    const auto handle = ConditionHandles::Get().Find(params.handle);
    AddCondition(FindStream(stream), api, kind, *handle, params.size, params.modelRIArray);
  });
}
