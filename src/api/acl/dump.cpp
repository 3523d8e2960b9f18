// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/acl_dump.h"

#include <fmt/format.h>

#include "acl/acl_mdl.h"
#include "api/guard.h"
#include "base/failure_text.h"
#include "check/check.h"
#include "check/late_settings.h"
#include "check/open_things.h"
#include "device/initialization.h"
#include "dump/dump_codes.h"
#include "dump/dumps.h"
#include "dump/receiver.h"

namespace foothold {
namespace {

static_assert(kDumpAlreadyRun == ACL_ERROR_DUMP_ALREADY_RUN);
static_assert(kDumpNotRun == ACL_ERROR_DUMP_NOT_RUN);
static_assert(offsetof(acldumpChunk, fileName) == offsetof(DumpChunkHead, file_name));
static_assert(offsetof(acldumpChunk, bufLen) == offsetof(DumpChunkHead, bytes));
static_assert(offsetof(acldumpChunk, isLastChunk) == offsetof(DumpChunkHead, is_last));
static_assert(offsetof(acldumpChunk, offset) == offsetof(DumpChunkHead, offset));
static_assert(offsetof(acldumpChunk, flag) == offsetof(DumpChunkHead, flag));
static_assert(offsetof(acldumpChunk, dataBuf) == kDumpChunkData);
static_assert(sizeof(acldumpChunk) == kDumpChunkSize);

DumpKind KindOf(acldumpType type) {
  switch (type) {
    case AIC_ERR_BRIEF_DUMP:
      return DumpKind::kBriefException;
    case AIC_ERR_NORM_DUMP:
      return DumpKind::kNormException;
    case AIC_ERR_DETAIL_DUMP:
      return DumpKind::kDetailException;
    case DATA_DUMP:
      return DumpKind::kData;
    case OVERFLOW_DUMP:
      return DumpKind::kOverflow;
  }
  throw Error(kInvalidParam, fmt::format("{} is no kind of dump; there are 1 to 5", static_cast<int>(type)),
              kTextDumpArgument);
}

void Receive(DumpReceiver::Function function, int32_t flag) {
  if (function == nullptr)
    throw Error(kInvalidParam, "messageCallback must not be null", kTextDumpNullPointer);
  if (flag != 0)
    throw Error(
        kInvalidParam,
        fmt::format("flag is {}; only 0 is possible: dumps that go to a callback are not written to the "
                    "disk as well",
                    flag),
        kTextDumpArgument);
  DumpReceiver::Get().Register(function);
  check::Opened(check::Thing::kDumpCallback, 0);
}

void StopReceiving() {
  DumpReceiver::Get().Unregister();
  check::Closed(check::Thing::kDumpCallback, 0);
}

}  // namespace
}  // namespace foothold

using namespace foothold;

aclError aclmdlInitDump() {
  return Guard(FOOTHOLD_CALL(), [] {
    Initialization::Get().RequireInitialize();
    Dumps::Get().InitDump();
    check::Opened(check::Thing::kDump, 0);
    check::SettingMade(check::Setting::kDump);
  });
}

aclError aclmdlSetDump(const char* dumpCfgPath) {
  return Guard(FOOTHOLD_CALL(dumpCfgPath), [&] {
    Dumps::Get().SetDump(CheckNotNull(dumpCfgPath, "dumpCfgPath", kInvalidParam));
    check::SettingMade(check::Setting::kDump);
  });
}

aclError aclmdlFinalizeDump() {
  return Guard(FOOTHOLD_CALL(), [] {
    Dumps::Get().FinalizeDump();
    check::Closed(check::Thing::kDump, 0);
    if (check::On()) check::SettingEnded(check::Setting::kDump);
  });
}

aclError acldumpRegCallback(int32_t (*const messageCallback)(const acldumpChunk*, int32_t), int32_t flag) {
  return Guard(FOOTHOLD_CALL(flag), [&] { Receive(messageCallback, flag); });
}

void acldumpUnregCallback(void) {
  Guard(FOOTHOLD_CALL(), [] { StopReceiving(); });
}

const char* acldumpGetPath(acldumpType dumpType) {
  return GuardValue(FOOTHOLD_CALL(dumpType), static_cast<const char*>(nullptr),
                    [&] { return Dumps::Get().Path(KindOf(dumpType)); });
}

// Prebuilt programs carry the two functions above themselves, and call these on an object of theirs.
namespace Adx {

struct DumpChunk;  // an acldumpChunk by another name

class AdxDumpProcess {
 public:
  ACL_DUMP_API void MessageCallbackRegister(int32_t (*callback)(const DumpChunk*, int32_t));
  ACL_DUMP_API void MessageCallbackUnRegister();
};

void AdxDumpProcess::MessageCallbackRegister(int32_t (*callback)(const DumpChunk*, int32_t)) {
  Guard(FOOTHOLD_CALL(), [&] { Receive(reinterpret_cast<DumpReceiver::Function>(callback), 0); });
}

void AdxDumpProcess::MessageCallbackUnRegister() {
  Guard(FOOTHOLD_CALL(), [] { StopReceiving(); });
}

}  // namespace Adx
