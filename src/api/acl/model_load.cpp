// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/acl_mdl.h"
#include "api/acl/model_source.h"
#include "api/status.h"
#include "check/check.h"
#include "check/late_settings.h"
#include "check/open_things.h"
#include "check/queued_uses.h"
#include "model/dumped_model.h"
#include "model/loaded_models.h"

namespace foothold {
namespace {

void QuerySizes(const std::shared_ptr<const OmFile>& file, std::size_t* work, std::size_t* weights) {
  // What is dumped takes more memory.
  const auto model = OfflineModel::Load(file, KeptNodes(DumpOf(*file, 0, 0)));
  if (!model->description().FixedSizes())
    Fail(kGeExecParamInvalid, "the model {} has shapes that come with the run, so it has no sizes before",
         file->origin());
  const ModelSizes sizes = FixedPlans(*model).sizes();
  *work = Allocatable(sizes.work);
  *weights = Allocatable(sizes.weights);
}

std::uint32_t Load(const std::shared_ptr<const OmFile>& file, const LentMemory& memory) {
  const std::uint32_t id = LoadedModels::Get().Load(file, memory);
  check::Opened(check::Thing::kModel, id);
  check::ModelLoads();
  return id;
}

}  // namespace
}  // namespace foothold

using namespace foothold;

aclError aclmdlQuerySize(const char* fileName, size_t* workSize, size_t* weightSize) {
  return Guard(FOOTHOLD_CALL(fileName, workSize, weightSize), [&] {
    CheckNotNull(workSize, "workSize", kInvalidParam);
    CheckNotNull(weightSize, "weightSize", kInvalidParam);
    QuerySizes(OpenModel(fileName), workSize, weightSize);
  });
}

aclError aclmdlQuerySizeFromMem(const void* model, size_t modelSize, size_t* workSize, size_t* weightSize) {
  return Guard(FOOTHOLD_CALL(model, modelSize, workSize, weightSize), [&] {
    CheckNotNull(workSize, "workSize", kInvalidParam);
    CheckNotNull(weightSize, "weightSize", kInvalidParam);
    QuerySizes(ReadModel(model, modelSize), workSize, weightSize);
  });
}

// Kernels, their arguments and tasks take no memory of the device.
aclError aclmdlQueryExeOMDesc(const char* fileName, aclmdlExeOMDesc* mdlPartitionSize) {
  return Guard(FOOTHOLD_CALL(fileName, mdlPartitionSize), [&] {
    CheckNotNull(mdlPartitionSize, "mdlPartitionSize", kInvalidParam);
    aclmdlExeOMDesc sizes = {};
    QuerySizes(OpenModel(fileName), &sizes.workSize, &sizes.weightSize);
    *mdlPartitionSize = sizes;
  });
}

aclError aclmdlLoadFromFile(const char* modelPath, uint32_t* modelId) {
  return Guard(FOOTHOLD_CALL(modelPath, modelId), [&] {
    CheckNotNull(modelId, "modelId", kInvalidParam);
    *modelId = Load(OpenModel(modelPath), {});
  });
}

aclError aclmdlLoadFromMem(const void* model, size_t modelSize, uint32_t* modelId) {
  return Guard(FOOTHOLD_CALL(model, modelSize, modelId), [&] {
    CheckNotNull(modelId, "modelId", kInvalidParam);
    *modelId = Load(ReadModel(model, modelSize), {});
  });
}

aclError aclmdlLoadFromFileWithMem(const char* modelPath, uint32_t* modelId, void* workPtr, size_t workSize,
                                   void* weightPtr, size_t weightSize) {
  return Guard(FOOTHOLD_CALL(modelPath, modelId, workPtr, workSize, weightPtr, weightSize), [&] {
    CheckNotNull(modelId, "modelId", kInvalidParam);
    *modelId = Load(OpenModel(modelPath), {workPtr, workSize, weightPtr, weightSize});
  });
}

aclError aclmdlLoadFromMemWithMem(const void* model, size_t modelSize, uint32_t* modelId, void* workPtr,
                                  size_t workSize, void* weightPtr, size_t weightSize) {
  return Guard(FOOTHOLD_CALL(model, modelSize, modelId, workPtr, workSize, weightPtr, weightSize), [&] {
    CheckNotNull(modelId, "modelId", kInvalidParam);
    *modelId = Load(ReadModel(model, modelSize), {workPtr, workSize, weightPtr, weightSize});
  });
}

aclError aclmdlUnload(uint32_t modelId) {
  return Guard(FOOTHOLD_CALL(modelId), [&] {
    if (check::On()) check::LookAtUnload(modelId);
    LoadedModels::Get().Unload(modelId);
    check::Closed(check::Thing::kModel, modelId);
  });
}

FOOTHOLD_WITHOUT_EFFECT(aclmdlSetAttribute);
aclError aclmdlSetAttribute(uint32_t modelId, aclmdlAttr attr, aclmdlAttrValue_t* attrValue) {
  return Guard(FOOTHOLD_CALL(modelId, attr, attrValue), [&] {
    CheckNotNull(attrValue, "attrValue", kInvalidParam);
    if (attr != ACL_MDL_ATTR_PRIORITY_INT32)
      Fail(kInvalidParam, "{} is no attribute of a model", static_cast<int>(attr));
    SetPriority(*LoadedModels::Get().Find(modelId), static_cast<std::int64_t>(attrValue->mdlPriority));
  });
}

aclError aclmdlGetAttribute(uint32_t modelId, aclmdlAttr attr, aclmdlAttrValue_t* attrValue) {
  return Guard(FOOTHOLD_CALL(modelId, attr, attrValue), [&] {
    CheckNotNull(attrValue, "attrValue", kInvalidParam);
    if (attr != ACL_MDL_ATTR_PRIORITY_INT32)
      Fail(kInvalidParam, "{} is no attribute of a model", static_cast<int>(attr));
    attrValue->mdlPriority = static_cast<uint32_t>(LoadedModels::Get().Find(modelId)->priority.load());
  });
}
