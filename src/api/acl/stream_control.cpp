// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/acl_rt.h"
#include "api/guard.h"
#include "api/status.h"
#include "device/current.h"
#include "device/memory_map.h"

namespace foothold {
namespace {

// Models are not built from streams by this library, so the rule that both streams belong to one is never
// met.
[[noreturn]] void FailUnbound(const StreamRef& other, const StreamRef& stream) {
  Fail(kRtStreamModel,
       "streams {} and {} are not bound to a model; this call is only for streams bound with "
       "aclmdlRIBindStream",
       other->id(), stream->id());
}

void CheckOperand(const void* value, const char* name, std::size_t size) {
  CheckNotNull(value, name);
  CheckDeviceRange(value, size, kRtParamInvalid);
}

}  // namespace
}  // namespace foothold

using namespace foothold;

FOOTHOLD_ALWAYS_REFUSED(aclrtActiveStream);
aclError aclrtActiveStream(aclrtStream activeStream, aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(activeStream, stream), [&] {
    const StreamRef active = FindExplicitStream(activeStream);
    FailUnbound(active, FindExplicitStream(stream));
  });
}

FOOTHOLD_ALWAYS_REFUSED(aclrtSwitchStream);
aclError aclrtSwitchStream(void* leftValue, aclrtCondition cond, void* rightValue,
                           aclrtCompareDataType dataType, aclrtStream trueStream, aclrtStream falseStream,
                           aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(leftValue, cond, rightValue, dataType, trueStream, falseStream, stream), [&] {
    if (cond < ACL_RT_EQUAL || cond > ACL_RT_LESS_OR_EQUAL)
      Fail(kRtParamInvalid, "cond {} is no aclrtCondition", static_cast<int>(cond));
    if (dataType != ACL_RT_SWITCH_INT32 && dataType != ACL_RT_SWITCH_INT64)
      Fail(kRtParamInvalid, "dataType {} is no aclrtCompareDataType", static_cast<int>(dataType));
    const std::size_t size = dataType == ACL_RT_SWITCH_INT32 ? 4 : 8;
    CheckOperand(leftValue, "leftValue", size);
    CheckOperand(rightValue, "rightValue", size);
    const StreamRef chosen = FindExplicitStream(trueStream);
    if (falseStream != nullptr) Fail(kRtParamInvalid, "falseStream is reserved and must be null");
    FailUnbound(chosen, FindExplicitStream(stream));
  });
}
