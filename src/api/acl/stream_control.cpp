// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/acl_rt.h"
#include "api/acl/bound_stream.h"
#include "api/guard.h"
#include "capture/built/stored_controls.h"

using namespace foothold;

aclError aclrtActiveStream(aclrtStream activeStream, aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(activeStream, stream), [&, api = __func__] {
    const StreamRef started = FindExplicitStream(activeStream);
    const StreamRef bound = FindExplicitStream(stream);
    CheckSameModel(started, bound);
    PushControl(bound, api, std::make_shared<StreamActivation>(started));
  });
}

aclError aclrtSwitchStream(void* leftValue, aclrtCondition cond, void* rightValue,
                           aclrtCompareDataType dataType, aclrtStream trueStream, aclrtStream falseStream,
                           aclrtStream stream) {
  const auto body = [&, api = __func__] {
    if (cond < ACL_RT_EQUAL || cond > ACL_RT_LESS_OR_EQUAL)
      Fail(kRtParamInvalid, "cond {} is no aclrtCondition", static_cast<int>(cond));
    if (dataType != ACL_RT_SWITCH_INT32 && dataType != ACL_RT_SWITCH_INT64)
      Fail(kRtParamInvalid, "dataType {} is no aclrtCompareDataType", static_cast<int>(dataType));
    FOOTHOLD_NOT_NULL(leftValue);
    FOOTHOLD_NOT_NULL(rightValue);
    const StoredComparison comparison(leftValue, static_cast<StoredComparison::Sign>(cond), rightValue,
                                      dataType == ACL_RT_SWITCH_INT32 ? 4 : 8);
    if (falseStream != nullptr) Fail(kRtParamInvalid, "falseStream is reserved and must be null");
    const StreamRef chosen = FindExplicitStream(trueStream);
    const StreamRef bound = FindExplicitStream(stream);
    CheckSameModel(chosen, bound);
    PushControl(bound, api, std::make_shared<StreamSwitch>(comparison, chosen));
  };
  return Guard(FOOTHOLD_CALL(leftValue, cond, rightValue, dataType, trueStream, falseStream, stream), body);
}
