// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <cstring>
#include <optional>
#include <string>

#include "acl/acl_mdl.h"
#include "api/acl/model_config.h"
#include "api/acl/model_source.h"
#include "api/status.h"
#include "base/first_time.h"
#include "check/late_settings.h"
#include "check/open_things.h"
#include "model/loaded_models.h"

namespace foothold {
namespace {

template <typename T>
T ReadValue(const void* value, std::size_t size) {
  if (size != sizeof(T))
    Fail(kInvalidParam, "this attribute has {} bytes, and valueSize is {}", sizeof(T), size);
  T read;
  std::memcpy(&read, value, sizeof read);
  return read;
}

std::size_t ReadLoadType(const void* value, std::size_t size) {
  const auto type = ReadValue<std::size_t>(value, size);
  if (type == ACL_MDL_LOAD_FROM_FILE_WITH_Q || type == ACL_MDL_LOAD_FROM_MEM_WITH_Q)
    Fail(kApiNotSupport, "load type {}: models cannot be connected with queues", type);
  if (type < ACL_MDL_LOAD_FROM_FILE || type > ACL_MDL_LOAD_FROM_MEM_WITH_Q)
    Fail(kInvalidParam, "{} is no load type; ACL_MDL_LOAD_FROM_FILE is 1", type);
  return type;
}

std::string ReadText(const void* value, std::size_t size) {
  return CheckNotNull(ReadValue<const char*>(value, size), "the path", kInvalidParam);
}

void SetOption(ModelConfig& config, aclmdlConfigAttr attr, const void* value, std::size_t size) {
  switch (attr) {
    case ACL_MDL_PRIORITY_INT32:
      CheckPriority(ReadValue<std::int32_t>(value, size));
      config.priority = ReadValue<std::int32_t>(value, size);
      return;
    case ACL_MDL_LOAD_TYPE_SIZET:
      config.load_type = ReadLoadType(value, size);
      return;
    case ACL_MDL_PATH_PTR:
      config.path = ReadText(value, size);
      return;
    case ACL_MDL_MEM_ADDR_PTR:
      config.model = ReadValue<const void*>(value, size);
      return;
    case ACL_MDL_MEM_SIZET:
      config.model_bytes = ReadValue<std::size_t>(value, size);
      return;
    case ACL_MDL_WEIGHT_ADDR_PTR:
      config.memory.weights = ReadValue<void*>(value, size);
      return;
    case ACL_MDL_WEIGHT_SIZET:
      config.memory.weight_bytes = ReadValue<std::size_t>(value, size);
      return;
    case ACL_MDL_WORKSPACE_ADDR_PTR:
      config.memory.work = ReadValue<void*>(value, size);
      return;
    case ACL_MDL_WORKSPACE_SIZET:
      config.memory.work_bytes = ReadValue<std::size_t>(value, size);
      return;
    case ACL_MDL_WORKSPACE_MEM_OPTIMIZE:
      if (ReadValue<std::size_t>(value, size) > ACL_WORKSPACE_MEM_OPTIMIZE_INPUTOUTPUT)
        Fail(kInvalidParam, "ACL_MDL_WORKSPACE_MEM_OPTIMIZE is 0 or 1");
      return WarnOnce("ACL_MDL_WORKSPACE_MEM_OPTIMIZE", "ACL_MDL_WORKSPACE_MEM_OPTIMIZE has no effect here");
    case ACL_MDL_WEIGHT_PATH_PTR:
      ReadText(value, size);
      return WarnOnce("ACL_MDL_WEIGHT_PATH_PTR",
                      "ACL_MDL_WEIGHT_PATH_PTR has no effect here: models hold their weights");
    default:
      Fail(kFeatureUnsupported, "attribute {} of a model configuration is not supported",
           static_cast<int>(attr));
  }
}

bool LendsMemory(std::size_t type) {
  return type == ACL_MDL_LOAD_FROM_FILE_WITH_MEM || type == ACL_MDL_LOAD_FROM_MEM_WITH_MEM;
}

std::shared_ptr<const OmFile> SourceOf(const ModelConfig& config, std::size_t type) {
  if (type == ACL_MDL_LOAD_FROM_FILE || type == ACL_MDL_LOAD_FROM_FILE_WITH_MEM) {
    if (!config.path) Fail(kInvalidParam, "load type {} needs ACL_MDL_PATH_PTR", type);
    return OpenModel(config.path->c_str());
  }
  if (config.model == nullptr || config.model_bytes == 0)
    Fail(kInvalidParam, "load type {} needs ACL_MDL_MEM_ADDR_PTR and ACL_MDL_MEM_SIZET", type);
  return ReadModel(config.model, config.model_bytes);
}

}  // namespace
}  // namespace foothold

using namespace foothold;

aclmdlConfigHandle* aclmdlCreateConfigHandle() {
  return GuardValue(FOOTHOLD_CALL(), static_cast<aclmdlConfigHandle*>(nullptr),
                    [&] { return static_cast<aclmdlConfigHandle*>(ModelConfigs::Get().Add({})); });
}

aclError aclmdlDestroyConfigHandle(aclmdlConfigHandle* handle) {
  return Guard(FOOTHOLD_CALL(handle), [&] { ModelConfigs::Get().Remove(handle); });
}

FOOTHOLD_PART_WITHOUT_EFFECT(aclmdlSetConfigOpt, ACL_MDL_PRIORITY_INT32);
FOOTHOLD_PART_WITHOUT_EFFECT(aclmdlSetConfigOpt, ACL_MDL_WORKSPACE_MEM_OPTIMIZE);
FOOTHOLD_PART_WITHOUT_EFFECT(aclmdlSetConfigOpt, ACL_MDL_WEIGHT_PATH_PTR);
aclError aclmdlSetConfigOpt(aclmdlConfigHandle* handle, aclmdlConfigAttr attr, const void* attrValue,
                            size_t valueSize) {
  return Guard(FOOTHOLD_CALL(handle, attr, attrValue, valueSize), [&] {
    ModelConfig& config = ModelConfigs::Get().Find(handle);
    SetOption(config, attr, CheckNotNull(attrValue, "attrValue", kInvalidParam), valueSize);
  });
}

aclError aclmdlLoadWithConfig(const aclmdlConfigHandle* handle, uint32_t* modelId) {
  return Guard(FOOTHOLD_CALL(handle, modelId), [&] {
    CheckNotNull(modelId, "modelId", kInvalidParam);
    const ModelConfig& config = ModelConfigs::Get().Find(handle);
    if (!config.load_type) Fail(kInvalidParam, "the configuration has no ACL_MDL_LOAD_TYPE_SIZET");
    const std::size_t type = *config.load_type;
    const LentMemory memory = LendsMemory(type) ? config.memory : LentMemory();
    const uint32_t id = LoadedModels::Get().Load(SourceOf(config, type), memory);
    check::Opened(check::Thing::kModel, id);
    check::ModelLoads();
    SetPriority(*LoadedModels::Get().Find(id), config.priority);
    *modelId = id;
  });
}
