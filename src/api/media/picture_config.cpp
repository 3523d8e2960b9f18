// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// How pictures are resized and coded.
#include "api/media/described.h"

using namespace foothold;
using namespace foothold::media;

acldvppResizeConfig* acldvppCreateResizeConfig() {
  return GuardValue(FOOTHOLD_CALL(), static_cast<acldvppResizeConfig*>(nullptr),
                    [&] { return static_cast<acldvppResizeConfig*>(ResizeConfigs::Get().Add({})); });
}

aclError acldvppDestroyResizeConfig(acldvppResizeConfig* resizeConfig) {
  return Guard(FOOTHOLD_CALL(resizeConfig), [&] { ResizeConfigs::Get().Remove(resizeConfig); });
}

aclError acldvppSetResizeConfigInterpolation(acldvppResizeConfig* resizeConfig, uint32_t interpolation) {
  return Guard(FOOTHOLD_CALL(resizeConfig, interpolation),
               [&] { ResizeConfigs::Get().Find(resizeConfig).interpolation = interpolation; });
}

uint32_t acldvppGetResizeConfigInterpolation(const acldvppResizeConfig* resizeConfig) {
  return GuardValue(FOOTHOLD_CALL(resizeConfig), uint32_t{0},
                    [&] { return ResizeConfigs::Get().Find(resizeConfig).interpolation; });
}

acldvppJpegeConfig* acldvppCreateJpegeConfig() {
  return GuardValue(FOOTHOLD_CALL(), static_cast<acldvppJpegeConfig*>(nullptr),
                    [&] { return static_cast<acldvppJpegeConfig*>(JpegConfigs::Get().Add({})); });
}

aclError acldvppDestroyJpegeConfig(acldvppJpegeConfig* jpegeConfig) {
  return Guard(FOOTHOLD_CALL(jpegeConfig), [&] { JpegConfigs::Get().Remove(jpegeConfig); });
}

aclError acldvppSetJpegeConfigLevel(acldvppJpegeConfig* jpegeConfig, uint32_t level) {
  return Guard(FOOTHOLD_CALL(jpegeConfig, level), [&] {
    JpegConfig& config = JpegConfigs::Get().Find(jpegeConfig);
    if (level > 100) Fail(kInvalidParam, "the level of a JPEG picture is from 0 to 100, not {}", level);
    config.level = level;
  });
}

uint32_t acldvppGetJpegeConfigLevel(const acldvppJpegeConfig* jpegeConfig) {
  return GuardValue(FOOTHOLD_CALL(jpegeConfig), uint32_t{0},
                    [&] { return JpegConfigs::Get().Find(jpegeConfig).level; });
}
