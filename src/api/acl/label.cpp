// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/label.h"

#include "acl/acl_rt.h"
#include "api/acl/bound_stream.h"
#include "api/guard.h"
#include "capture/built/stored_controls.h"
#include "device/current.h"

using namespace foothold;

aclError aclrtCreateLabel(aclrtLabel* label) {
  return Guard(FOOTHOLD_CALL(label), [&] { *FOOTHOLD_NOT_NULL(label) = CreateLabel(CurrentContext()); });
}

aclError aclrtDestroyLabel(aclrtLabel label) {
  return Guard(FOOTHOLD_CALL(label), [&] { DestroyLabel(label); });
}

aclError aclrtSetLabel(aclrtLabel label, aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(label, stream), [&, api = __func__] {
    auto state = FindLabel(label);
    const StreamRef bound = FindBoundStream(stream);
    if (state->context() != bound->context().handle())
      Fail(kRtLabelContext, "label {} belongs to another context than stream {}", state->id(), bound->id());
    PushControl(bound, api, std::make_shared<LabelMark>(std::move(state)));
  });
}

aclError aclrtCreateLabelList(aclrtLabel* labels, size_t num, aclrtLabelList* labelList) {
  return Guard(FOOTHOLD_CALL(labels, num, labelList), [&] {
    FOOTHOLD_NOT_NULL(labels);
    FOOTHOLD_NOT_NULL(labelList);
    if (num == 0 || num > kMostLabels)
      Fail(kRtParamInvalid, "num must be from 1 to {}, not {}", kMostLabels, num);
    *labelList = CreateLabelList(CurrentContext(), labels, num);
  });
}

aclError aclrtDestroyLabelList(aclrtLabelList labelList) {
  return Guard(FOOTHOLD_CALL(labelList), [&] { DestroyLabelList(labelList); });
}

aclError aclrtSwitchLabelByIndex(void* ptr, uint32_t maxValue, aclrtLabelList labelList, aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(ptr, maxValue, labelList, stream), [&, api = __func__] {
    FOOTHOLD_NOT_NULL(ptr);
    if (maxValue == 0) Fail(kRtParamInvalid, "maxValue must not be 0: it is the number of labels");
    auto list = FindLabelList(labelList);
    const StreamRef bound = FindBoundStream(stream);
    PushControl(bound, api, std::make_shared<LabelSwitch>(StoredChoice(ptr, maxValue, std::move(list))));
  });
}
