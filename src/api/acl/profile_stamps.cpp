// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// More about marks, and what libraries ask the profiler for. No header has these; programs declare them
// themselves or find them by name.
#include <fmt/format.h>

#include <map>
#include <mutex>
#include <string>

#include "acl/acl_prof.h"
#include "api/acl/profile_stamp.h"
#include "api/guard.h"
#include "api/status.h"
#include "base/first_time.h"
#include "trace/trace.h"

extern "C" {

ACL_FUNC_VISIBILITY aclError aclprofSetStampTagName(void* stamp, const char* tagName, uint16_t len);
ACL_FUNC_VISIBILITY aclError aclprofSetCategoryName(uint32_t category, const char* categoryName);
ACL_FUNC_VISIBILITY aclError aclprofSetStampCategory(void* stamp, uint32_t category);
ACL_FUNC_VISIBILITY aclError aclprofSetStampPayload(void* stamp, const int32_t type, void* value);
ACL_FUNC_VISIBILITY aclError aclprofSetStampCallStack(void* stamp, const char* callStack, uint32_t len);
ACL_FUNC_VISIBILITY aclError aclprofMsproftxSwitch(bool isOpen);
ACL_FUNC_VISIBILITY aclError aclprofReportStamp(const char* tag, unsigned int tagLen, unsigned char* data,
                                                unsigned int dataLen);
ACL_FUNC_VISIBILITY aclError aclprofWarmup(const aclprofConfig* profilerConfig);
ACL_FUNC_VISIBILITY aclError aclprofGetSupportedFeatures(size_t* featuresSize, void** featuresData);
ACL_FUNC_VISIBILITY aclError aclprofGetSupportedFeaturesV2(size_t* featuresSize, void** featuresData);
ACL_FUNC_VISIBILITY aclError aclprofRegisterDeviceCallback(void);

}  // extern "C"

namespace foothold {
namespace {

class Categories {
 public:
  static Categories& Get() {
    static auto* const categories = new Categories;
    return *categories;
  }
  void Set(std::uint32_t category, const char* name) {
    const std::lock_guard lock(mutex_);
    names_[category] = trace::Keep(name);
  }
  // A category without a name is called by its number.
  const char* Name(std::uint32_t category) const {
    const std::lock_guard lock(mutex_);
    const auto found = names_.find(category);
    return found == names_.end() ? trace::Keep(std::to_string(category)) : found->second;
  }

 private:
  mutable std::mutex mutex_;  // guards the names
  std::map<std::uint32_t, const char*> names_;
};

// What else there is to measure is not on offer here.
void TellNoFeatures(std::size_t* size, void** data) {
  CheckNotNull(size, "featuresSize", kInvalidParam);
  CheckNotNull(data, "featuresData", kInvalidParam);
  *size = 0;
  *data = nullptr;
}

}  // namespace

const char* Stamp::Detail() const {
  std::string shown;
  const auto add = [&](const char* name, const char* value) {
    if (value != nullptr) shown += fmt::format("{}{}={}", shown.empty() ? "" : ", ", name, value);
  };
  add("tag", tag);
  add("category", category);
  add("from", call_stack);
  return shown.empty() ? nullptr : trace::Keep(shown);
}

}  // namespace foothold

using namespace foothold;

aclError aclprofSetStampTagName(void* stamp, const char* tagName, uint16_t len) {
  return Guard(FOOTHOLD_CALL(stamp, len), [&] {
    CheckNotNull(tagName, "tagName", kInvalidParam);
    Stamps::Get().Find(stamp, "stamp")->tag = trace::Keep({tagName, len});
  });
}

aclError aclprofSetCategoryName(uint32_t category, const char* categoryName) {
  return Guard(FOOTHOLD_CALL(category, categoryName), [&] {
    Categories::Get().Set(category, CheckNotNull(categoryName, "categoryName", kInvalidParam));
  });
}

aclError aclprofSetStampCategory(void* stamp, uint32_t category) {
  return Guard(FOOTHOLD_CALL(stamp, category),
               [&] { Stamps::Get().Find(stamp, "stamp")->category = Categories::Get().Name(category); });
}

aclError aclprofSetStampCallStack(void* stamp, const char* callStack, uint32_t len) {
  return Guard(FOOTHOLD_CALL(stamp, len), [&] {
    CheckNotNull(callStack, "callStack", kInvalidParam);
    Stamps::Get().Find(stamp, "stamp")->call_stack = trace::Keep({callStack, len});
  });
}

// The timeline shows texts only.
FOOTHOLD_WITHOUT_EFFECT(aclprofSetStampPayload);
aclError aclprofSetStampPayload(void* stamp, const int32_t type, void* value) {
  return Guard(FOOTHOLD_CALL(stamp, type, value), [&] {
    CheckNotNull(value, "value", kInvalidParam);
    Stamps::Get().Find(stamp, "stamp");
    WarnOnce("aclprofSetStampPayload", "aclprofSetStampPayload has no effect here: the timeline shows texts");
  });
}

// A profile always has the marks.
FOOTHOLD_WITHOUT_EFFECT(aclprofMsproftxSwitch);
aclError aclprofMsproftxSwitch(bool isOpen) {
  return Guard(FOOTHOLD_CALL(isOpen), [] {});
}

// Blocks of marks in a form of the reporter's own.
FOOTHOLD_WITHOUT_EFFECT(aclprofReportStamp);
aclError aclprofReportStamp(const char* tag, unsigned int tagLen, unsigned char* data, unsigned int dataLen) {
  return Guard(FOOTHOLD_CALL(tagLen, data, dataLen), [&] {
    CheckNotNull(tag, "tag", kInvalidParam);
    CheckNotNull(data, "data", kInvalidParam);
    WarnOnce("aclprofReportStamp",
             "aclprofReportStamp has no effect here: use aclprofPush, aclprofRangeStart or aclprofMark");
  });
}

// There is nothing to make ready before aclprofStart.
FOOTHOLD_WITHOUT_EFFECT(aclprofWarmup);
aclError aclprofWarmup(const aclprofConfig* profilerConfig) {
  return Guard(FOOTHOLD_CALL(profilerConfig),
               [&] { CheckNotNull(profilerConfig, "profilerConfig", kInvalidParam); });
}

aclError aclprofGetSupportedFeatures(size_t* featuresSize, void** featuresData) {
  return Guard(FOOTHOLD_QUERY(featuresSize, featuresData),
               [&] { TellNoFeatures(featuresSize, featuresData); });
}

aclError aclprofGetSupportedFeaturesV2(size_t* featuresSize, void** featuresData) {
  return Guard(FOOTHOLD_QUERY(featuresSize, featuresData),
               [&] { TellNoFeatures(featuresSize, featuresData); });
}

// The timeline has all devices, also those that are opened while it is made.
FOOTHOLD_WITHOUT_EFFECT(aclprofRegisterDeviceCallback);
aclError aclprofRegisterDeviceCallback(void) {
  return Guard(FOOTHOLD_CALL(), [] {});
}
