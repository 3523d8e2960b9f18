// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <fmt/format.h>

#include <cstring>
#include <string>

#include "acl/acl.h"
#include "api/guard.h"
#include "base/environment.h"
#include "base/version.h"
#include "device/runtime.h"
#include "device/soc.h"

using namespace foothold;

namespace {

const char* PackageName(aclCANNPackageName name) {
  switch (name) {
    case ACL_PKG_NAME_CANN:
      return "cann";
    case ACL_PKG_NAME_RUNTIME:
      return "runtime";
    case ACL_PKG_NAME_COMPILER:
      return "compiler";
    case ACL_PKG_NAME_HCCL:
      return "hccl";
    case ACL_PKG_NAME_TOOLKIT:
      return "toolkit";
    case ACL_PKG_NAME_OPP:
      return "opp";
    case ACL_PKG_NAME_OPP_KERNEL:
      return "opp_kernel";
    case ACL_PKG_NAME_DRIVER:
      return "driver";
  }
  Fail(kInvalidParam, "{} is no package; expected 0 to 7", static_cast<int>(name));
}

template <size_t kSize>
void Put(char (&room)[kSize], const std::string& text) {
  fmt::format_to_n(room, kSize - 1, "{}", text).out[0] = '\0';
}

constexpr aclCannAttr kCannAttributes[] = {ACL_CANN_ATTR_INF_NAN, ACL_CANN_ATTR_BF16,
                                           ACL_CANN_ATTR_JIT_COMPILE};

}  // namespace

aclError aclrtGetVersion(int32_t* majorVersion, int32_t* minorVersion, int32_t* patchVersion) {
  return Guard(FOOTHOLD_QUERY(majorVersion, minorVersion, patchVersion), [&] {
    FOOTHOLD_NOT_NULL(majorVersion);
    FOOTHOLD_NOT_NULL(minorVersion);
    FOOTHOLD_NOT_NULL(patchVersion);
    *majorVersion = ACL_MAJOR_VERSION;
    *minorVersion = ACL_MINOR_VERSION;
    *patchVersion = ACL_PATCH_VERSION;
  });
}

aclError aclsysGetCANNVersion(aclCANNPackageName name, aclCANNPackageVersion* version) {
  return Guard(FOOTHOLD_QUERY(name, version), [&] {
    CheckNotNull(version, "version", kInvalidParam);
    const Version found = PackageVersion(PackageName(name));
    *version = {};
    Put(version->version, found.Text());
    Put(version->majorVersion, std::to_string(found.major_number));
    Put(version->minorVersion, std::to_string(found.minor_number));
    Put(version->releaseVersion, std::to_string(found.patch_number));
  });
}

aclError aclsysGetVersionStr(char* pkgName, char* versionStr) {
  return Guard(FOOTHOLD_QUERY(pkgName), [&] {
    CheckNotNull(pkgName, "pkgName", kInvalidParam);
    CheckNotNull(versionStr, "versionStr", kInvalidParam);
    std::strcpy(versionStr, PackageVersion(pkgName).Text().c_str());
  });
}

aclError aclsysGetVersionNum(char* pkgName, int32_t* versionNum) {
  return Guard(FOOTHOLD_QUERY(pkgName, versionNum), [&] {
    CheckNotNull(pkgName, "pkgName", kInvalidParam);
    CheckNotNull(versionNum, "versionNum", kInvalidParam);
    *versionNum = PackageVersion(pkgName).Number();
  });
}

const char* aclrtGetSocName(void) {
  return GuardValue(FOOTHOLD_QUERY(), static_cast<const char*>(nullptr), [&] {
    Runtime::Get().device(0);
    return Runtime::Get().soc_name().c_str();
  });
}

aclError aclrtGetRunMode(aclrtRunMode* runMode) {
  return Guard(FOOTHOLD_QUERY(runMode), [&] { *FOOTHOLD_NOT_NULL(runMode) = ACL_HOST; });
}

aclError aclrtCheckArchCompatibility(const char* socVersion, int32_t* canCompatible) {
  return Guard(FOOTHOLD_QUERY(socVersion, canCompatible), [&] {
    FOOTHOLD_NOT_NULL(socVersion);
    FOOTHOLD_NOT_NULL(canCompatible);
    *canCompatible = SameSocFamily(socVersion, Runtime::Get().soc_name());
  });
}

aclError aclGetCannAttributeList(const aclCannAttr** cannAttrList, size_t* num) {
  return Guard(FOOTHOLD_QUERY(cannAttrList, num), [&] {
    CheckNotNull(cannAttrList, "cannAttrList", kInvalidParam);
    CheckNotNull(num, "num", kInvalidParam);
    *cannAttrList = kCannAttributes;
    *num = std::size(kCannAttributes);
  });
}

aclError aclGetCannAttribute(aclCannAttr cannAttr, int32_t* value) {
  return Guard(FOOTHOLD_QUERY(cannAttr, value), [&] {
    CheckNotNull(value, "value", kInvalidParam);
    for (const aclCannAttr known : kCannAttributes) {
      if (known != cannAttr) continue;
      *value = 1;
      return;
    }
    Fail(kInvalidParam, "{} is no attribute; aclGetCannAttributeList has them", static_cast<int>(cannAttr));
  });
}

aclError aclGetDeviceCapability(uint32_t deviceId, aclDeviceInfo deviceInfo, int64_t* value) {
  return Guard(FOOTHOLD_QUERY(deviceId, deviceInfo, value), [&] {
    CheckNotNull(value, "value", kInvalidParam);
    Runtime::Get().device(static_cast<int>(deviceId));
    switch (deviceInfo) {
      case ACL_DEVICE_INFO_AI_CORE_NUM:
      case ACL_DEVICE_INFO_VECTOR_CORE_NUM:
        *value = Runtime::Get().cores();
        return;
      case ACL_DEVICE_INFO_L2_SIZE:
        if (auto bytes = LastLevelCache()) {
          *value = static_cast<int64_t>(*bytes);
          return;
        }
        Fail(kFeatureUnsupported, "this machine does not say how large its caches are");
      case ACL_DEVICE_INFO_UNDEFINED:
        break;
    }
    Fail(kInvalidParam, "{} is no device information; expected 0 (AI cores), 1 (vector cores) or 2 (L2 size)",
         static_cast<int>(deviceInfo));
  });
}
