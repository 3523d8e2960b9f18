// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/acl_rt.h"
#include "api/guard.h"
#include "api/library_start.h"
#include "base/failure_text.h"
#include "base/log.h"
#include "check/check.h"
#include "check/lifecycle.h"
#include "device/initialization.h"
#include "dump/dumps.h"
#include "profile/profiler.h"
#include "trace/environment_trace.h"

using namespace foothold;

namespace {

int CheckType(aclRegisterCallbackType type) {
  const auto number = static_cast<int>(type);
  const bool library = number >= ACL_REG_TYPE_ACL_MODEL && number <= ACL_REG_TYPE_ACL_RETR;
  if (!library && number != ACL_REG_TYPE_OTHER)
    Fail(kInvalidParam, "type is {}; expected 0 to {} or {:#x}", number,
         static_cast<int>(ACL_REG_TYPE_ACL_RETR), static_cast<int>(ACL_REG_TYPE_OTHER));
  return number;
}

// What watches runs begins and ends with the library.
void EndObservation() {
  Dumps::Get().Stop();
  Profiler::Get().End();
  trace::WriteEnvironmentTrace();
}

void BeginObservation(const InitConfig& config) try {
  check::BeginFromConfig(config.check);
  Dumps::Get().Start(config.dump);
  Profiler::Get().Begin(config.profiler);
} catch (...) {
  EndObservation();
  throw;
}

// Programs may ignore it, so it is no error in the log; those that do not find the reason where they look for
// it.
int Repeated(const char* config_path) {
  const Error error(kRepeatInitialize,
                    "the library is initialised already; the call added a reference and may be ignored");
  const std::string text = FailureText("aclInit", FOOTHOLD_CALL(config_path).Describe(), error);
  Log(LogLevel::kInfo, "{}", text);
  AddRecentError(text);
  return kRepeatInitialize;
}

}  // namespace

void foothold::EnsureStarted() {
  if (Initialization::Get().EnsureStarted()) Dumps::Get().Start(std::nullopt);
}

aclError aclInit(const char* configPath) {
  return Guard(FOOTHOLD_CALL(configPath), [&]() -> int {
    const bool first = Initialization::Get().Initialize(configPath, BeginObservation);
    check::LibraryInitialized(first);
    return first ? kSuccess : Repeated(configPath);
  });
}

aclError aclFinalize(void) {
  return Guard(FOOTHOLD_CALL(), [] {
    check::LibraryFinalizes();
    Initialization::Get().Finalize();
    check::LibraryFinalized();
    EndObservation();
  });
}

aclError aclFinalizeReference(uint64_t* refCount) {
  return Guard(FOOTHOLD_CALL(refCount), [&] {
    const uint64_t left = Initialization::Get().FinalizeReference();
    if (left == 0) {
      check::LibraryFinalized();
      EndObservation();
    }
    if (refCount != nullptr) *refCount = left;
  });
}

aclError aclInitCallbackRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc, void* userData) {
  return Guard(FOOTHOLD_CALL(type, cbFunc, userData), [&] {
    const int number = CheckType(type);
    CheckNotNull(cbFunc, "cbFunc", kInvalidParam);
    Initialization::Get().AddCallback(number, cbFunc, userData);
  });
}

aclError aclInitCallbackUnRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc) {
  return Guard(FOOTHOLD_CALL(type, cbFunc), [&] {
    const int number = CheckType(type);
    CheckNotNull(cbFunc, "cbFunc", kInvalidParam);
    Initialization::Get().RemoveCallback(number, cbFunc);
  });
}

aclError aclFinalizeCallbackRegister(aclRegisterCallbackType type, aclFinalizeCallbackFunc cbFunc,
                                     void* userData) {
  return Guard(FOOTHOLD_CALL(type, cbFunc, userData), [&] {
    const int number = CheckType(type);
    CheckNotNull(cbFunc, "cbFunc", kInvalidParam);
    Initialization::Get().AddCallback(number, cbFunc, userData);
  });
}

aclError aclFinalizeCallbackUnRegister(aclRegisterCallbackType type, aclFinalizeCallbackFunc cbFunc) {
  return Guard(FOOTHOLD_CALL(type, cbFunc), [&] {
    const int number = CheckType(type);
    CheckNotNull(cbFunc, "cbFunc", kInvalidParam);
    Initialization::Get().RemoveCallback(number, cbFunc);
  });
}
