// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "api/acl/malloc_config.h"

#include "base/error.h"

namespace foothold {

MallocConfig ReadMallocConfig(const aclrtMallocConfig* config) {
  MallocConfig out;
  if (config == nullptr || config->numAttrs == 0) return out;
  if (config->attrs == nullptr)
    Fail(kRtParamInvalid, "cfg has {} attributes, but attrs is null", config->numAttrs);
  for (std::size_t i = 0; i < config->numAttrs; ++i) {
    const aclrtMallocAttribute& attribute = config->attrs[i];
    switch (attribute.attr) {
      case ACL_RT_MEM_ATTR_MODULE_ID:
        out.module = attribute.value.moduleId;
        break;
      case ACL_RT_MEM_ATTR_DEVICE_ID:
        out.device = static_cast<int>(attribute.value.deviceId);
        break;
      case ACL_RT_MEM_ATTR_RSV:
      case ACL_RT_MEM_ATTR_VA_FLAG:
        break;  // one address space for all: nothing to arrange
      default:
        Fail(kRtParamInvalid, "attribute {} of cfg has the unknown type {}", i,
             static_cast<int>(attribute.attr));
    }
  }
  return out;
}

}  // namespace foothold
