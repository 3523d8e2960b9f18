// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// No model has image preprocessing in front of its inputs, which is what these two tell.
#include "acl/acl_mdl.h"
#include "api/guard.h"
#include "api/status.h"
#include "model/loaded_models.h"
#include "model/model_codes.h"

namespace foothold {
namespace {

void CheckInput(std::uint32_t id, std::size_t index) {
  const auto model = LoadedModels::Get().Find(id);
  if (index >= model->description().inputs.size())
    Fail(kInvalidParam, "{} has {} inputs, and index {} is none of them", model->Describe(),
         model->description().inputs.size(), index);
}

}  // namespace
}  // namespace foothold

using namespace foothold;

aclError aclmdlGetAippType(uint32_t modelId, size_t index, aclmdlInputAippType* type,
                           size_t* dynamicAttachedDataIndex) {
  return Guard(FOOTHOLD_CALL(modelId, index, type, dynamicAttachedDataIndex), [&] {
    CheckNotNull(type, "type", kInvalidParam);
    CheckNotNull(dynamicAttachedDataIndex, "dynamicAttachedDataIndex", kInvalidParam);
    CheckInput(modelId, index);
    *type = ACL_DATA_WITHOUT_AIPP;
    *dynamicAttachedDataIndex = ACL_INVALID_NODE_INDEX;
  });
}

FOOTHOLD_ALWAYS_REFUSED(aclmdlGetFirstAippInfo);
aclError aclmdlGetFirstAippInfo(uint32_t modelId, size_t index, aclAippInfo* aippInfo) {
  return Guard(FOOTHOLD_CALL(modelId, index, aippInfo), [&] {
    CheckNotNull(aippInfo, "aippInfo", kInvalidParam);
    CheckInput(modelId, index);
    Fail(kGeAippNotExist, "input {} of model {} has no image preprocessing", index, modelId);
  });
}
