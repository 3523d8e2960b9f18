// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/acl_platform.h"

#include <fmt/format.h>

#include <cstring>

#include "api/guard.h"
#include "base/environment.h"
#include "device/current.h"
#include "device/runtime.h"

using namespace foothold;

namespace {

std::string PlatformInfo(aclplatformDevInfo type) {
  switch (type) {
    case ACL_PLATFORM_AICORE_CNT:
    case ACL_PLATFORM_CUBE_CORE_CNT:
    case ACL_PLATFORM_VECTOR_CORE_CNT:
      return fmt::format("{}", Runtime::Get().cores());
    case ACL_PLATFORM_L2_SIZE:
      if (const auto bytes = LastLevelCache()) return fmt::format("{}", *bytes);
      Fail(kFeatureUnsupported, "this machine does not say how large its caches are");
    case ACL_PLATFORM_MEMORY_SIZE:
      return fmt::format("{}", CurrentDevice().memory().capacity());
    case ACL_PLATFORM_SOC_VERSION:
      return Runtime::Get().soc_name();
    default:
      if (type < ACL_PLATFORM_AICORE_CNT || type > ACL_PLATFORM_MEMORY_TYPE)
        Fail(kInvalidParam, "infoType {} does not exist", static_cast<int>(type));
      Fail(kFeatureUnsupported,
           "a CPU has no answer for infoType {}: it is about memory inside of the hardware's cores",
           static_cast<int>(type));
  }
}

}  // namespace

aclError aclplatformGetDeviceInfo(aclplatformDevInfo infoType, char* value, uint32_t maxLen) {
  return Guard(FOOTHOLD_QUERY(infoType, maxLen), [&] {
    CheckNotNull(value, "value", kInvalidParam);
    const std::string text = PlatformInfo(infoType);
    if (maxLen <= text.size())
      Fail(kInvalidParam, "maxLen is {}; the text takes {} bytes with its end", maxLen, text.size() + 1);
    std::memcpy(value, text.c_str(), text.size() + 1);
  });
}
