// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What libraries of operators tell the profiler: when it runs, how long a call took, and what it was about.
// No header has these; prebuilt programs import them or find them by name.
#include <cstring>
#include <map>
#include <mutex>
#include <string_view>

#include "acl/acl_base.h"
#include "api/guard.h"
#include "api/status.h"
#include "base/clock.h"
#include "profile/listeners.h"
#include "trace/trace.h"

extern "C" {

struct MsprofApi {
  uint16_t magicNumber;
  uint16_t level;
  uint32_t type;
  uint32_t threadId;
  uint32_t reserve;
  uint64_t beginTime;
  uint64_t endTime;
  uint64_t itemId;
};

ACL_FUNC_VISIBILITY uint64_t MsprofSysCycleTime(void);
ACL_FUNC_VISIBILITY uint64_t MsprofGetHashId(const char* hashInfo, size_t length);
ACL_FUNC_VISIBILITY int32_t MsprofRegisterCallback(uint32_t moduleId,
                                                   foothold::ProfileListeners::Listener handle);
ACL_FUNC_VISIBILITY int32_t MsprofReportApi(uint32_t nonPersistentFlag, const MsprofApi* api);
ACL_FUNC_VISIBILITY int32_t MsprofReportCompactInfo(uint32_t nonPersistentFlag, const void* data,
                                                    uint32_t length);
ACL_FUNC_VISIBILITY int32_t MsprofReportAdditionalInfo(uint32_t nonPersistentFlag, const void* data,
                                                       uint32_t length);

}  // extern "C"

namespace foothold {
namespace {

constexpr std::uint16_t kMagic = 0x5A5A;
constexpr std::size_t kCompactBytes = 64;
constexpr std::size_t kAdditionalBytes = 256;

static_assert(sizeof(MsprofApi) == 48 - 8);

// The texts behind the numbers that reports carry.
class ReportNames {
 public:
  static ReportNames& Get() {
    static auto* const names = new ReportNames;
    return *names;
  }

  std::uint64_t Number(std::string_view text) {
    const std::uint64_t number = Hash(text);
    const std::lock_guard lock(mutex_);
    const auto [place, is_new] = names_.try_emplace(number, nullptr);
    if (is_new) place->second = trace::Keep(text);
    return number;
  }
  const char* Name(std::uint64_t number) const {
    const std::lock_guard lock(mutex_);
    const auto found = names_.find(number);
    return found == names_.end() ? "call of a library of operators" : found->second;
  }

 private:
  // FNV-1a.
  static std::uint64_t Hash(std::string_view text) {
    std::uint64_t hash = 14695981039346656037u;
    for (const char character : text)
      hash = (hash ^ static_cast<unsigned char>(character)) * 1099511628211u;
    return hash;
  }

  mutable std::mutex mutex_;  // guards the names
  std::map<std::uint64_t, const char*> names_;
};

void CheckReport(const void* data, std::uint32_t length, std::size_t expected) {
  CheckNotNull(data, "data", kInvalidParam);
  if (length != expected) Fail(kInvalidParam, "length is {}; such a report has {} bytes", length, expected);
  std::uint16_t magic = 0;
  std::memcpy(&magic, data, sizeof magic);
  if (magic != kMagic)
    Fail(kInvalidParam, "data begins with {:#x}; a report begins with {:#x}", magic, kMagic);
}

}  // namespace
}  // namespace foothold

using namespace foothold;

// The clock of the timeline, so that reports lie in it where they belong.
uint64_t MsprofSysCycleTime(void) {
  return static_cast<uint64_t>(Now());
}

uint64_t MsprofGetHashId(const char* hashInfo, size_t length) {
  return GuardValue(FOOTHOLD_CALL(length), uint64_t{0}, [&] {
    CheckNotNull(hashInfo, "hashInfo", kInvalidParam);
    return ReportNames::Get().Number({hashInfo, length});
  });
}

int32_t MsprofRegisterCallback(uint32_t moduleId, ProfileListeners::Listener handle) {
  return Guard(FOOTHOLD_CALL(moduleId), [&] {
    if (handle == nullptr) Fail(kInvalidParam, "handle must not be null");
    ProfileListeners::Get().Add(handle);
  });
}

int32_t MsprofReportApi(uint32_t nonPersistentFlag, const MsprofApi* api) {
  return Guard(FOOTHOLD_CALL(nonPersistentFlag, api), [&] {
    CheckReport(api, sizeof *api, sizeof *api);
    if (!trace::Active()) return;
    trace::Record({trace::Kind::kRange, 0, ReportNames::Get().Name(api->itemId), nullptr, 0,
                   static_cast<Nanoseconds>(api->beginTime), static_cast<Nanoseconds>(api->endTime)});
  });
}

// Blocks, cores and shapes of kernels on an NPU: the timeline has the tasks that ran here instead.
FOOTHOLD_WITHOUT_EFFECT(MsprofReportCompactInfo);
int32_t MsprofReportCompactInfo(uint32_t nonPersistentFlag, const void* data, uint32_t length) {
  return Guard(FOOTHOLD_CALL(nonPersistentFlag, data, length),
               [&] { CheckReport(data, length, kCompactBytes); });
}

FOOTHOLD_WITHOUT_EFFECT(MsprofReportAdditionalInfo);
int32_t MsprofReportAdditionalInfo(uint32_t nonPersistentFlag, const void* data, uint32_t length) {
  return Guard(FOOTHOLD_CALL(nonPersistentFlag, data, length),
               [&] { CheckReport(data, length, kAdditionalBytes); });
}
