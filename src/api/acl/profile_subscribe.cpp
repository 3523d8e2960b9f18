// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <unistd.h>

#include <cstring>

#include "acl/acl_prof.h"
#include "api/acl/profile_objects.h"
#include "api/guard.h"
#include "check/open_things.h"
#include "model/loaded_models.h"
#include "profile/profile_codes.h"
#include "profile/profiler.h"
#include "profile/subscriptions.h"
#include "trace/trace.h"

namespace foothold {
namespace {

static_assert(sizeof(NodeRecord::name) == ACL_PROF_MAX_OP_NAME_LEN);
static_assert(sizeof(NodeRecord::type) == ACL_PROF_MAX_OP_TYPE_LEN);

struct SubscribeConfig {
  int pipe = -1;
};
using SubscribeConfigs = ProfileObjects<SubscribeConfig>;

std::uint32_t RecordCount(const void* records, std::size_t bytes) {
  CheckNotNull(records, "opInfo", kInvalidParam);
  if (bytes == 0 || bytes % sizeof(NodeRecord) != 0)
    Fail(kInvalidParam, "opInfoLen is {}; expected a multiple of the {} bytes aclprofGetOpDescSize gives",
         bytes, sizeof(NodeRecord));
  return static_cast<std::uint32_t>(bytes / sizeof(NodeRecord));
}

// A copy: what came through a pipe stands anywhere.
NodeRecord RecordAt(const void* records, std::size_t bytes, std::uint32_t index) {
  const std::uint32_t count = RecordCount(records, bytes);
  if (index >= count) Fail(kInvalidParam, "index is {}; there are {} operators", index, count);
  NodeRecord record;
  std::memcpy(&record, static_cast<const char*>(records) + index * sizeof record, sizeof record);
  record.name[sizeof record.name - 1] = record.type[sizeof record.type - 1] = '\0';
  return record;
}

void CopyText(const char* text, char* to, std::size_t room, const char* name) {
  CheckNotNull(to, name, kInvalidParam);
  const std::size_t bytes = std::strlen(text) + 1;
  if (room < bytes)
    Fail(kInvalidParam, "{} has room for {} bytes; the text takes {} with its end", name, room, bytes);
  std::memcpy(to, text, bytes);
}

}  // namespace
}  // namespace foothold

using namespace foothold;

aclprofSubscribeConfig* aclprofCreateSubscribeConfig(int8_t timeInfoSwitch,
                                                     aclprofAicoreMetrics aicoreMetrics, void* fd) {
  return GuardValue(FOOTHOLD_CALL(timeInfoSwitch, aicoreMetrics, fd),
                    static_cast<aclprofSubscribeConfig*>(nullptr), [&] {
                      CheckNotNull(fd, "fd", kInvalidParam);
                      SubscribeConfig config;
                      std::memcpy(&config.pipe, fd, sizeof config.pipe);
                      if (config.pipe < 0)
                        Fail(kInvalidParam, "fd points to {}, which is no open file", config.pipe);
                      return static_cast<aclprofSubscribeConfig*>(SubscribeConfigs::Get().Add(config));
                    });
}

aclError aclprofDestroySubscribeConfig(const aclprofSubscribeConfig* profSubscribeConfig) {
  return Guard(FOOTHOLD_CALL(profSubscribeConfig),
               [&] { SubscribeConfigs::Get().Remove(profSubscribeConfig, "profSubscribeConfig"); });
}

aclError aclprofModelSubscribe(uint32_t modelId, const aclprofSubscribeConfig* profSubscribeConfig) {
  return Guard(FOOTHOLD_CALL(modelId, profSubscribeConfig), [&] {
    const auto config = SubscribeConfigs::Get().Find(profSubscribeConfig, "profSubscribeConfig");
    if (Profiler::Get().initialized())
      Fail(kProfApiConflict,
           "profiling was begun with aclprofInit or aclInit; aclprofFinalize has to come first");
    LoadedModels::Get().Find(modelId);
    Subscriptions::Get().Add(modelId, config->pipe);
    check::Opened(check::Thing::kModelSubscription, modelId);
  });
}

aclError aclprofModelUnSubscribe(uint32_t modelId) {
  return Guard(FOOTHOLD_CALL(modelId), [&] {
    Subscriptions::Get().Remove(modelId);
    check::Closed(check::Thing::kModelSubscription, modelId);
  });
}

aclError aclprofGetOpDescSize(size_t* opDescSize) {
  return Guard(FOOTHOLD_CALL(opDescSize),
               [&] { *CheckNotNull(opDescSize, "opDescSize", kInvalidParam) = sizeof(NodeRecord); });
}

aclError aclprofGetOpNum(const void* opInfo, size_t opInfoLen, uint32_t* opNumber) {
  return Guard(FOOTHOLD_CALL(opInfo, opInfoLen, opNumber),
               [&] { *CheckNotNull(opNumber, "opNumber", kInvalidParam) = RecordCount(opInfo, opInfoLen); });
}

size_t aclprofGetModelId(const void* opInfo, size_t opInfoLen, uint32_t index) {
  return GuardValue(FOOTHOLD_CALL(opInfo, opInfoLen, index), size_t{0},
                    [&] { return size_t{RecordAt(opInfo, opInfoLen, index).model}; });
}

aclError aclprofGetOpTypeLen(const void* opInfo, size_t opInfoLen, uint32_t index, size_t* opTypeLen) {
  return Guard(FOOTHOLD_CALL(opInfo, opInfoLen, index, opTypeLen), [&] {
    *CheckNotNull(opTypeLen, "opTypeLen", kInvalidParam) =
        std::strlen(RecordAt(opInfo, opInfoLen, index).type) + 1;
  });
}

aclError aclprofGetOpType(const void* opInfo, size_t opInfoLen, uint32_t index, char* opType,
                          size_t opTypeLen) {
  return Guard(FOOTHOLD_CALL(opInfo, opInfoLen, index, opTypeLen),
               [&] { CopyText(RecordAt(opInfo, opInfoLen, index).type, opType, opTypeLen, "opType"); });
}

aclError aclprofGetOpNameLen(const void* opInfo, size_t opInfoLen, uint32_t index, size_t* opNameLen) {
  return Guard(FOOTHOLD_CALL(opInfo, opInfoLen, index, opNameLen), [&] {
    *CheckNotNull(opNameLen, "opNameLen", kInvalidParam) =
        std::strlen(RecordAt(opInfo, opInfoLen, index).name) + 1;
  });
}

aclError aclprofGetOpName(const void* opInfo, size_t opInfoLen, uint32_t index, char* opName,
                          size_t opNameLen) {
  return Guard(FOOTHOLD_CALL(opInfo, opInfoLen, index, opNameLen),
               [&] { CopyText(RecordAt(opInfo, opInfoLen, index).name, opName, opNameLen, "opName"); });
}

uint64_t aclprofGetOpStart(const void* opInfo, size_t opInfoLen, uint32_t index) {
  return GuardValue(FOOTHOLD_CALL(opInfo, opInfoLen, index), uint64_t{0},
                    [&] { return RecordAt(opInfo, opInfoLen, index).begin; });
}

uint64_t aclprofGetOpEnd(const void* opInfo, size_t opInfoLen, uint32_t index) {
  return GuardValue(FOOTHOLD_CALL(opInfo, opInfoLen, index), uint64_t{0},
                    [&] { return RecordAt(opInfo, opInfoLen, index).end; });
}

uint64_t aclprofGetOpDuration(const void* opInfo, size_t opInfoLen, uint32_t index) {
  return GuardValue(FOOTHOLD_CALL(opInfo, opInfoLen, index), uint64_t{0}, [&] {
    const NodeRecord record = RecordAt(opInfo, opInfoLen, index);
    return record.end - record.begin;
  });
}

aclprofSubscribeOpFlag aclprofGetOpFlag(const void* opInfo, size_t opInfoLen, uint32_t index) {
  return GuardValue(FOOTHOLD_CALL(opInfo, opInfoLen, index), ACL_SUBSCRIBE_NONE, [&] {
    RecordAt(opInfo, opInfoLen, index);
    return ACL_SUBSCRIBE_OP;
  });
}

const char* aclprofGetOpAttriValue(const void* opInfo, size_t opInfoLen, uint32_t index,
                                   aclprofSubscribeOpAttri attri) {
  return GuardValue(FOOTHOLD_CALL(opInfo, opInfoLen, index, attri), static_cast<const char*>(nullptr), [&] {
    if (attri != ACL_SUBSCRIBE_ATTRI_THREADID)
      Fail(kInvalidParam, "attri is {}; there is {} for the thread", static_cast<int>(attri),
           static_cast<int>(ACL_SUBSCRIBE_ATTRI_THREADID));
    return trace::Keep(std::to_string(RecordAt(opInfo, opInfoLen, index).thread));
  });
}
