// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Borders of pictures.
#include "api/media/described.h"

using namespace foothold;
using namespace foothold::media;

namespace {

double& ValueAt(BorderConfig& config, uint32_t index) {
  if (index >= config.value.size())
    Fail(kInvalidParam, "a border has values 0 to {}, not {}", config.value.size() - 1, index);
  return config.value[index];
}

}  // namespace

acldvppBorderConfig* acldvppCreateBorderConfig() {
  return GuardValue(FOOTHOLD_CALL(), static_cast<acldvppBorderConfig*>(nullptr),
                    [&] { return static_cast<acldvppBorderConfig*>(BorderConfigs::Get().Add({})); });
}

aclError acldvppDestroyBorderConfig(acldvppBorderConfig* borderConfig) {
  return Guard(FOOTHOLD_CALL(borderConfig), [&] { BorderConfigs::Get().Remove(borderConfig); });
}

aclError acldvppSetBorderConfigBorderType(acldvppBorderConfig* borderConfig, acldvppBorderType borderType) {
  return Guard(FOOTHOLD_CALL(borderConfig, borderType),
               [&] { BorderConfigs::Get().Find(borderConfig).type = static_cast<std::int32_t>(borderType); });
}

acldvppBorderType acldvppGetBorderConfigBorderType(const acldvppBorderConfig* borderConfig) {
  return GuardValue(FOOTHOLD_CALL(borderConfig), BORDER_CONSTANT, [&] {
    return static_cast<acldvppBorderType>(BorderConfigs::Get().Find(borderConfig).type);
  });
}

aclError acldvppSetBorderConfigTop(acldvppBorderConfig* borderConfig, uint32_t top) {
  return Guard(FOOTHOLD_CALL(borderConfig, top), [&] { BorderConfigs::Get().Find(borderConfig).top = top; });
}

uint32_t acldvppGetBorderConfigTop(const acldvppBorderConfig* borderConfig) {
  return GuardValue(FOOTHOLD_CALL(borderConfig), uint32_t{0},
                    [&] { return BorderConfigs::Get().Find(borderConfig).top; });
}

aclError acldvppSetBorderConfigBottom(acldvppBorderConfig* borderConfig, uint32_t bottom) {
  return Guard(FOOTHOLD_CALL(borderConfig, bottom),
               [&] { BorderConfigs::Get().Find(borderConfig).bottom = bottom; });
}

uint32_t acldvppGetBorderConfigBottom(const acldvppBorderConfig* borderConfig) {
  return GuardValue(FOOTHOLD_CALL(borderConfig), uint32_t{0},
                    [&] { return BorderConfigs::Get().Find(borderConfig).bottom; });
}

aclError acldvppSetBorderConfigLeft(acldvppBorderConfig* borderConfig, uint32_t left) {
  return Guard(FOOTHOLD_CALL(borderConfig, left),
               [&] { BorderConfigs::Get().Find(borderConfig).left = left; });
}

uint32_t acldvppGetBorderConfigLeft(const acldvppBorderConfig* borderConfig) {
  return GuardValue(FOOTHOLD_CALL(borderConfig), uint32_t{0},
                    [&] { return BorderConfigs::Get().Find(borderConfig).left; });
}

aclError acldvppSetBorderConfigRight(acldvppBorderConfig* borderConfig, uint32_t right) {
  return Guard(FOOTHOLD_CALL(borderConfig, right),
               [&] { BorderConfigs::Get().Find(borderConfig).right = right; });
}

uint32_t acldvppGetBorderConfigRight(const acldvppBorderConfig* borderConfig) {
  return GuardValue(FOOTHOLD_CALL(borderConfig), uint32_t{0},
                    [&] { return BorderConfigs::Get().Find(borderConfig).right; });
}

aclError acldvppSetBorderConfigValue(acldvppBorderConfig* borderConfig, uint32_t index, double value) {
  return Guard(FOOTHOLD_CALL(borderConfig, index, value),
               [&] { ValueAt(BorderConfigs::Get().Find(borderConfig), index) = value; });
}

double acldvppGetBorderConfigValue(const acldvppBorderConfig* borderConfig, uint32_t index) {
  return GuardValue(FOOTHOLD_CALL(borderConfig, index), 0.0,
                    [&] { return ValueAt(BorderConfigs::Get().Find(borderConfig), index); });
}
