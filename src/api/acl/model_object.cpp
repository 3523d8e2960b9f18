// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// What a program may ask of a model run instance, and its end.
#include <fmt/format.h>

#include <cstring>
#include <string>

#include "acl/acl_rt.h"
#include "api/guard.h"
#include "base/tell.h"
#include "capture/built/built_model.h"
#include "capture/instances.h"
#include "capture/timeline.h"
#include "device/current.h"

namespace foothold {
namespace {

constexpr std::size_t kLongestName = 512;  // bytes, with the one that ends it

// What it would run, for those who look at it. A model built by hand has its tasks in its streams.
std::shared_ptr<Instance> Shown(const void* handle) {
  auto instance = Instances::Get().Find(handle);
  if (instance->built() == nullptr) return instance;
  auto content = instance->built()->Content();
  content->set_name(instance->name());
  return content;
}

}  // namespace
}  // namespace foothold

using namespace foothold;

aclError aclmdlRIGetId(aclmdlRI modelRI, uint32_t* modelRIId) {
  return Guard(FOOTHOLD_CALL(modelRI, modelRIId), [&] {
    FOOTHOLD_NOT_NULL(modelRIId);
    *modelRIId = Instances::Get().Find(modelRI)->id();
  });
}

aclError aclmdlRISetName(aclmdlRI modelRI, const char* name) {
  return Guard(FOOTHOLD_CALL(modelRI, name), [&] {
    FOOTHOLD_NOT_NULL(name);
    const auto instance = Instances::Get().Find(modelRI);
    if (strnlen(name, kLongestName) == kLongestName)
      Fail(kRtParamInvalid, "name must have less than {} bytes", kLongestName);
    instance->set_name(name);
  });
}

aclError aclmdlRIGetName(aclmdlRI modelRI, uint32_t maxLen, char* name) {
  return Guard(FOOTHOLD_CALL(modelRI, maxLen), [&] {
    FOOTHOLD_NOT_NULL(name);
    const std::string found = Instances::Get().Find(modelRI)->name();
    if (maxLen <= found.size()) {
      Fail(kRtParamInvalid, "maxLen is {}, but the name needs {} bytes with the one that ends it", maxLen,
           found.size() + 1);
    }
    std::memcpy(name, found.c_str(), found.size() + 1);
  });
}

aclError aclmdlRIAbort(aclmdlRI modelRI) {
  return Guard(FOOTHOLD_CALL(modelRI), [&] {
    const auto instance = Instances::Get().Find(modelRI);
    const auto failure = std::make_shared<const Error>(
        kRtModelAbortNormal,
        fmt::format("the run of model instance {} was ended by aclmdlRIAbort", instance->id()));
    instance->run().Abort(failure);
    if (instance->built() == nullptr) return;
    if (const auto content = instance->built()->last_content()) content->run().Abort(failure);
  });
}

aclError aclmdlRIDestroyRegisterCallback(aclmdlRI modelRI, aclrtCallback func, void* userData) {
  return Guard(FOOTHOLD_CALL(modelRI, userData), [&] {
    FOOTHOLD_NOT_NULL(func);
    Instances::Get().Find(modelRI)->end_callbacks()->Add(func, userData);
  });
}

aclError aclmdlRIDestroyUnregisterCallback(aclmdlRI modelRI, aclrtCallback func) {
  return Guard(FOOTHOLD_CALL(modelRI), [&] {
    FOOTHOLD_NOT_NULL(func);
    Instances::Get().Find(modelRI)->end_callbacks()->Remove(func);
  });
}

aclError aclmdlRIDebugPrint(aclmdlRI modelRI) {
  return Guard(FOOTHOLD_CALL(modelRI), [&] { Tell(LogLevel::kInfo, DescribeInstance(*Shown(modelRI))); });
}

aclError aclmdlRIDebugJsonPrint(aclmdlRI modelRI, const char* path, uint32_t flags) {
  return Guard(FOOTHOLD_CALL(modelRI, path, flags), [&] {
    FOOTHOLD_NOT_NULL(path);
    if (flags > ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE) {
      Fail(kRtParamInvalid,
           "flags must be ACL_MDLRI_DEBUG_JSON_PRINT_SUMMARY (0) or ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE (1), "
           "not {}",
           flags);
    }
    const bool is_verbose = flags == ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE;
    WriteTimeline(*Shown(modelRI), path, is_verbose ? Detail::kVerbose : Detail::kSummary);
  });
}
