// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <cstring>
#include <vector>

#include "acl/acl_prof.h"
#include "api/acl/profile_objects.h"
#include "api/guard.h"
#include "api/library_start.h"
#include "api/status.h"
#include "base/first_time.h"
#include "base/handle_pool.h"
#include "check/check.h"
#include "check/late_settings.h"
#include "check/open_things.h"
#include "device/runtime.h"
#include "profile/listeners.h"
#include "profile/profile_codes.h"
#include "profile/profiler.h"

namespace foothold {
namespace {

static_assert(kProfAlreadyRun == ACL_ERROR_PROF_ALREADY_RUN);
static_assert(kProfNotRun == ACL_ERROR_PROF_NOT_RUN);
static_assert(kProfRepeatSubscribe == ACL_ERROR_PROF_REPEAT_SUBSCRIBE);
static_assert(kProfApiConflict == ACL_ERROR_PROF_API_CONFLICT);

constexpr std::size_t kLongestPath = 4096;
constexpr std::size_t kLongestValue = 256;

// What is measured on units of an NPU has no meaning here, so of the mask only the timeline is left.
struct ProfileConfig {
  std::vector<std::uint32_t> devices;
  std::uint64_t mask = 0;
  bool running = false;
};
using ProfileConfigs = ProfileObjects<ProfileConfig>;

ProfileConfig MakeConfig(const std::uint32_t* devices, std::uint32_t count, std::uint64_t mask) {
  ProfileConfig config;
  config.mask = mask;
  if (count > 0) CheckNotNull(devices, "deviceIdList", kInvalidParam);
  const int present = Runtime::Get().device_count();
  for (std::uint32_t i = 0; i < count; ++i) {
    if (devices[i] >= static_cast<std::uint32_t>(present))
      Fail(kInvalidParam, "deviceIdList[{}] is {}; there are {} devices", i, devices[i], present);
    for (const std::uint32_t before : config.devices)
      if (before == devices[i]) Fail(kInvalidParam, "deviceIdList has device {} twice", before);
    config.devices.push_back(devices[i]);
  }
  if (config.devices.empty()) Fail(kInvalidParam, "deviceNums is 0; at least one device has to be profiled");
  return config;
}

}  // namespace
}  // namespace foothold

using namespace foothold;

aclError aclprofInit(const char* profilerResultPath, size_t length) {
  return Guard(FOOTHOLD_CALL(profilerResultPath, length), [&] {
    CheckNotNull(profilerResultPath, "profilerResultPath", kInvalidParam);
    if (length == 0 || length > kLongestPath)
      Fail(kInvalidParam, "length is {}; a path has 1 to {} bytes", length, kLongestPath);
    EnsureStarted();
    Profiler::Get().Init(std::string(profilerResultPath, strnlen(profilerResultPath, length)));
    ProfileListeners::Get().Tell(ProfileChange::kInit);
    check::SettingMade(check::Setting::kProfile);
  });
}

aclError aclprofFinalize(void) {
  return Guard(FOOTHOLD_CALL(), [] {
    Profiler::Get().Finalize();
    ProfileListeners::Get().Tell(ProfileChange::kFinalize);
    if (check::On()) check::SettingEnded(check::Setting::kProfile);
  });
}

FOOTHOLD_WITHOUT_EFFECT(aclprofSetConfig);
aclError aclprofSetConfig(aclprofConfigType configType, const char* config, size_t configLength) {
  return Guard(FOOTHOLD_CALL(configType, config, configLength), [&] {
    CheckNotNull(config, "config", kInvalidParam);
    const int type = configType;
    if (type <= ACL_PROF_ARGS_MIN || type >= ACL_PROF_ARGS_MAX)
      Fail(kInvalidParam, "configType is {}; there are {} to {}", type, ACL_PROF_ARGS_MIN + 1,
           ACL_PROF_ARGS_MAX - 1);
    if (configLength == 0 || configLength > kLongestValue)
      Fail(kInvalidParam, "configLength is {}; a value has 1 to {} bytes", configLength, kLongestValue);
    WarnOnce("aclprofSetConfig",
             "aclprofSetConfig has no effect here: a profile has all there is to measure on a CPU");
  });
}

FOOTHOLD_PART_WITHOUT_EFFECT(aclprofCreateConfig, aicoreMetrics);
aclprofConfig* aclprofCreateConfig(uint32_t* deviceIdList, uint32_t deviceNums,
                                   aclprofAicoreMetrics aicoreMetrics,
                                   const aclprofAicoreEvents* aicoreEvents, uint64_t dataTypeConfig) {
  return GuardValue(FOOTHOLD_CALL(deviceIdList, deviceNums, aicoreMetrics, aicoreEvents, dataTypeConfig),
                    static_cast<aclprofConfig*>(nullptr), [&] {
                      if (aicoreEvents != nullptr) Fail(kInvalidParam, "aicoreEvents has to be null");
                      if (aicoreMetrics != ACL_AICORE_NONE)
                        WarnOnce(
                            "aicoreMetrics",
                            "aicoreMetrics of aclprofCreateConfig has no effect here: there are no counters "
                            "of cores");
                      return static_cast<aclprofConfig*>(
                          ProfileConfigs::Get().Add(MakeConfig(deviceIdList, deviceNums, dataTypeConfig)));
                    });
}

aclError aclprofDestroyConfig(const aclprofConfig* profilerConfig) {
  return Guard(FOOTHOLD_CALL(profilerConfig), [&] {
    if (ProfileConfigs::Get().Find(profilerConfig, "profilerConfig")->running)
      Fail(kProfAlreadyRun, "the configuration is in use; aclprofStop has to come first");
    ProfileConfigs::Get().Remove(profilerConfig, "profilerConfig");
  });
}

aclError aclprofStart(const aclprofConfig* profilerConfig) {
  return Guard(FOOTHOLD_CALL(profilerConfig), [&] {
    const auto config = ProfileConfigs::Get().Find(profilerConfig, "profilerConfig");
    Profiler::Get().Start(config->devices);
    config->running = true;
    check::Opened(check::Thing::kProfile, HandleValue(profilerConfig));
    ProfileListeners::Get().Tell(ProfileChange::kStart, config->devices, config->mask);
  });
}

aclError aclprofStop(const aclprofConfig* profilerConfig) {
  return Guard(FOOTHOLD_CALL(profilerConfig), [&] {
    const auto config = ProfileConfigs::Get().Find(profilerConfig, "profilerConfig");
    if (!config->running) Fail(kProfNotRun, "aclprofStart was not called with this configuration");
    config->running = false;
    ProfileListeners::Get().Tell(ProfileChange::kStop, config->devices, config->mask);
    Profiler::Get().Stop(config->devices);
    check::Closed(check::Thing::kProfile, HandleValue(profilerConfig));
  });
}
