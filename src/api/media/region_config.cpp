// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Regions of pictures.
#include "api/media/described.h"

using namespace foothold;
using namespace foothold::media;

acldvppRoiConfig* acldvppCreateRoiConfig(uint32_t left, uint32_t right, uint32_t top, uint32_t bottom) {
  return GuardValue(FOOTHOLD_CALL(left, right, top, bottom), static_cast<acldvppRoiConfig*>(nullptr), [&] {
    return static_cast<acldvppRoiConfig*>(RegionConfigs::Get().Add({left, right, top, bottom}));
  });
}

aclError acldvppDestroyRoiConfig(acldvppRoiConfig* roiConfig) {
  return Guard(FOOTHOLD_CALL(roiConfig), [&] { RegionConfigs::Get().Remove(roiConfig); });
}

aclError acldvppSetRoiConfig(acldvppRoiConfig* config, uint32_t left, uint32_t right, uint32_t top,
                             uint32_t bottom) {
  return Guard(FOOTHOLD_CALL(config, left, right, top, bottom), [&] {
    RegionConfigs::Get().Find(config) = {left, right, top, bottom};
  });
}

aclError acldvppSetRoiConfigLeft(acldvppRoiConfig* config, uint32_t left) {
  return Guard(FOOTHOLD_CALL(config, left), [&] { RegionConfigs::Get().Find(config).left = left; });
}

aclError acldvppSetRoiConfigRight(acldvppRoiConfig* config, uint32_t right) {
  return Guard(FOOTHOLD_CALL(config, right), [&] { RegionConfigs::Get().Find(config).right = right; });
}

aclError acldvppSetRoiConfigTop(acldvppRoiConfig* config, uint32_t top) {
  return Guard(FOOTHOLD_CALL(config, top), [&] { RegionConfigs::Get().Find(config).top = top; });
}

aclError acldvppSetRoiConfigBottom(acldvppRoiConfig* config, uint32_t bottom) {
  return Guard(FOOTHOLD_CALL(config, bottom), [&] { RegionConfigs::Get().Find(config).bottom = bottom; });
}
