// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/acl_mdl.h"
#include "api/acl/model_config.h"
#include "api/acl/model_source.h"
#include "base/log.h"
#include "check/late_settings.h"
#include "check/open_things.h"
#include "model/bundle.h"
#include "model/dumped_model.h"
#include "model/loaded_models.h"

namespace foothold {
namespace {

using BundleSizeList = std::vector<ModelSizes>;
using BundleQueries = HostObjects<BundleSizeList, HandleKind::kBundleSizes>;

std::uint32_t LoadAll(const std::shared_ptr<const OmFile>& file) {
  LoadedModels& models = LoadedModels::Get();
  const std::uint32_t bundle = models.AddBundle(file);
  try {
    for (std::size_t i = 0; i < models.ModelCount(bundle); ++i)
      models.LoadFromBundle(bundle, i, {});
  } catch (...) {
    models.UnloadBundle(bundle);
    throw;
  }
  return bundle;
}

// Variables live where the library keeps them, whoever offers memory.
std::uint32_t Init(const std::shared_ptr<const OmFile>& file, void* variables) {
  if (variables != nullptr)
    Log(LogLevel::kInfo, "varWeightPtr is not used: variables have memory of their own");
  return LoadedModels::Get().AddBundle(file);
}

BundleSizeList SizesOf(const std::shared_ptr<const OmFile>& file) {
  BundleSizeList sizes;
  for (std::size_t i = 0; i < BundleSize(*file); ++i) {
    const auto model = BundledModel(*file, i);
    sizes.push_back(FixedPlans(*OfflineModel::Load(model, KeptNodes(DumpOf(*model, 0, 0)))).sizes());
  }
  return sizes;
}

}  // namespace
}  // namespace foothold

using namespace foothold;

aclError aclmdlBundleLoadFromFile(const char* modelPath, uint32_t* bundleId) {
  return Guard(FOOTHOLD_CALL(modelPath, bundleId), [&] {
    CheckNotNull(bundleId, "bundleId", kInvalidParam);
    *bundleId = LoadAll(OpenModel(modelPath));
    check::Opened(check::Thing::kBundle, *bundleId);
    check::ModelLoads();
  });
}

aclError aclmdlBundleLoadFromMem(const void* model, size_t modelSize, uint32_t* bundleId) {
  return Guard(FOOTHOLD_CALL(model, modelSize, bundleId), [&] {
    CheckNotNull(bundleId, "bundleId", kInvalidParam);
    *bundleId = LoadAll(ReadModel(model, modelSize));
    check::Opened(check::Thing::kBundle, *bundleId);
    check::ModelLoads();
  });
}

aclError aclmdlBundleUnload(uint32_t bundleId) {
  return Guard(FOOTHOLD_CALL(bundleId), [&] {
    LoadedModels::Get().UnloadBundle(bundleId);
    check::Closed(check::Thing::kBundle, bundleId);
  });
}

aclError aclmdlBundleGetModelNum(uint32_t bundleId, size_t* modelNum) {
  return Guard(FOOTHOLD_CALL(bundleId, modelNum), [&] {
    CheckNotNull(modelNum, "modelNum", kInvalidParam);
    *modelNum = LoadedModels::Get().ModelCount(bundleId);
  });
}

aclError aclmdlBundleGetModelId(uint32_t bundleId, size_t index, uint32_t* modelId) {
  return Guard(FOOTHOLD_CALL(bundleId, index, modelId), [&] {
    CheckNotNull(modelId, "modelId", kInvalidParam);
    const auto models = LoadedModels::Get().ModelsOf(bundleId);
    if (index >= models.size())
      Fail(kInvalidParam, "bundle {} has {} loaded models, and index {} is none of them", bundleId,
           models.size(), index);
    *modelId = models[index];
  });
}

aclError aclmdlBundleInitFromFile(const char* modelPath, void* varWeightPtr, size_t varWeightSize,
                                  uint32_t* bundleId) {
  return Guard(FOOTHOLD_CALL(modelPath, varWeightPtr, varWeightSize, bundleId), [&] {
    CheckNotNull(bundleId, "bundleId", kInvalidParam);
    *bundleId = Init(OpenModel(modelPath), varWeightPtr);
    check::Opened(check::Thing::kBundle, *bundleId);
    check::ModelLoads();
  });
}

aclError aclmdlBundleInitFromMem(const void* model, size_t modelSize, void* varWeightPtr,
                                 size_t varWeightSize, uint32_t* bundleId) {
  return Guard(FOOTHOLD_CALL(model, modelSize, varWeightPtr, varWeightSize, bundleId), [&] {
    CheckNotNull(bundleId, "bundleId", kInvalidParam);
    *bundleId = Init(ReadModel(model, modelSize), varWeightPtr);
    check::Opened(check::Thing::kBundle, *bundleId);
    check::ModelLoads();
  });
}

aclError aclmdlBundleLoadModel(uint32_t bundleId, size_t index, uint32_t* modelId) {
  return Guard(FOOTHOLD_CALL(bundleId, index, modelId), [&] {
    CheckNotNull(modelId, "modelId", kInvalidParam);
    *modelId = LoadedModels::Get().LoadFromBundle(bundleId, index, {});
  });
}

aclError aclmdlBundleLoadModelWithMem(uint32_t bundleId, size_t index, void* workPtr, size_t workSize,
                                      void* weightPtr, size_t weightSize, uint32_t* modelId) {
  return Guard(FOOTHOLD_CALL(bundleId, index, workPtr, workSize, weightPtr, weightSize, modelId), [&] {
    CheckNotNull(modelId, "modelId", kInvalidParam);
    *modelId =
        LoadedModels::Get().LoadFromBundle(bundleId, index, {workPtr, workSize, weightPtr, weightSize});
  });
}

aclError aclmdlBundleLoadModelWithConfig(uint32_t bundleId, size_t index, aclmdlConfigHandle* handle,
                                         uint32_t* modelId) {
  return Guard(FOOTHOLD_CALL(bundleId, index, handle, modelId), [&] {
    CheckNotNull(modelId, "modelId", kInvalidParam);
    const ModelConfig& config = ModelConfigs::Get().Find(handle);
    const uint32_t id = LoadedModels::Get().LoadFromBundle(bundleId, index, config.memory);
    SetPriority(*LoadedModels::Get().Find(id), config.priority);
    *modelId = id;
  });
}

aclError aclmdlBundleUnloadModel(uint32_t bundleId, uint32_t modelId) {
  return Guard(FOOTHOLD_CALL(bundleId, modelId),
               [&] { LoadedModels::Get().UnloadFromBundle(bundleId, modelId); });
}

aclmdlBundleQueryInfo* aclmdlBundleCreateQueryInfo() {
  return GuardValue(FOOTHOLD_CALL(), static_cast<aclmdlBundleQueryInfo*>(nullptr),
                    [&] { return static_cast<aclmdlBundleQueryInfo*>(BundleQueries::Get().Add({})); });
}

aclError aclmdlBundleDestroyQueryInfo(aclmdlBundleQueryInfo* queryInfo) {
  return Guard(FOOTHOLD_CALL(queryInfo), [&] { BundleQueries::Get().Remove(queryInfo); });
}

aclError aclmdlBundleQueryInfoFromFile(const char* fileName, aclmdlBundleQueryInfo* queryInfo) {
  return Guard(FOOTHOLD_CALL(fileName, queryInfo),
               [&] { BundleQueries::Get().Find(queryInfo) = SizesOf(OpenModel(fileName)); });
}

aclError aclmdlBundleQueryInfoFromMem(const void* model, size_t modelSize, aclmdlBundleQueryInfo* queryInfo) {
  return Guard(FOOTHOLD_CALL(model, modelSize, queryInfo),
               [&] { BundleQueries::Get().Find(queryInfo) = SizesOf(ReadModel(model, modelSize)); });
}

aclError aclmdlBundleGetQueryModelNum(const aclmdlBundleQueryInfo* queryInfo, size_t* modelNum) {
  return Guard(FOOTHOLD_CALL(queryInfo, modelNum), [&] {
    CheckNotNull(modelNum, "modelNum", kInvalidParam);
    *modelNum = BundleQueries::Get().Find(queryInfo).size();
  });
}

aclError aclmdlBundleGetSize(const aclmdlBundleQueryInfo* queryInfo, size_t index, size_t* workSize,
                             size_t* constWeightSize) {
  return Guard(FOOTHOLD_CALL(queryInfo, index, workSize, constWeightSize), [&] {
    CheckNotNull(workSize, "workSize", kInvalidParam);
    CheckNotNull(constWeightSize, "constWeightSize", kInvalidParam);
    const BundleSizeList& sizes = BundleQueries::Get().Find(queryInfo);
    if (index >= sizes.size())
      Fail(kInvalidParam, "the bundle has {} models, and index {} is none of them", sizes.size(), index);
    *workSize = Allocatable(sizes[index].work);
    *constWeightSize = Allocatable(sizes[index].weights);
  });
}

aclError aclmdlBundleGetVarWeightSize(const aclmdlBundleQueryInfo* queryInfo, size_t* variableWeightSize) {
  return Guard(FOOTHOLD_CALL(queryInfo, variableWeightSize), [&] {
    CheckNotNull(variableWeightSize, "variableWeightSize", kInvalidParam);
    BundleQueries::Get().Find(queryInfo);
    *variableWeightSize = 0;
  });
}
