// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <atomic>
#include <cstring>

#include "api/hccl/arguments.h"
#include "api/hccl/hccl_guard.h"
#include "api/status.h"
#include "base/first_time.h"
#include "base/hccl_results.h"
#include "device/current.h"
#include "hccl/hccl_comm.h"

namespace foothold::collectives {
namespace {

std::atomic<std::int32_t> deterministic{0};  // as it was set; results always are

const Device* CurrentDeviceOrNull() {
  const Context* const context = CurrentContextOrNull();
  return context == nullptr ? nullptr : &context->device();
}

// Of the current device, or else of any.
std::shared_ptr<Communicator> FindByName(const char* name) {
  auto& all = Communicators::Get();
  auto found = all.FindNamed(name, CurrentDeviceOrNull());
  return found ? found : all.FindNamed(name, nullptr);
}

}  // namespace
}  // namespace foothold::collectives

using namespace foothold;
using namespace foothold::collectives;

HcclResult HcclGetRankSize(HcclComm comm, uint32_t* rankSize) {
  return GuardHccl(FOOTHOLD_CALL(comm, rankSize), [&] {
    const auto communicator = Communicators::Get().Find(comm);
    FOOTHOLD_HCCL_NOT_NULL(rankSize);
    *rankSize = communicator->size();
  });
}

HcclResult HcclGetRankId(HcclComm comm, uint32_t* rank) {
  return GuardHccl(FOOTHOLD_CALL(comm, rank), [&] {
    const auto communicator = Communicators::Get().Find(comm);
    FOOTHOLD_HCCL_NOT_NULL(rank);
    *rank = communicator->rank();
  });
}

HcclResult HcclGetCommName(HcclComm comm, char* commName) {
  return GuardHccl(FOOTHOLD_CALL(comm, commName), [&] {
    const auto communicator = Communicators::Get().Find(comm);
    FOOTHOLD_HCCL_NOT_NULL(commName);
    const std::string name = communicator->name().substr(0, COMM_NAME_MAX_LENGTH - 1);
    std::memcpy(commName, name.c_str(), name.size() + 1);
  });
}

HcclResult HcclCommGetHandleWithName(const char* commName, HcclComm* comm) {
  return GuardHccl(FOOTHOLD_CALL(commName, comm), [&] {
    FOOTHOLD_HCCL_NOT_NULL(commName);
    FOOTHOLD_HCCL_NOT_NULL(comm);
    auto& all = Communicators::Get();
    void* handle = all.HandleNamed(commName, CurrentDeviceOrNull());
    if (handle == nullptr) handle = all.HandleNamed(commName, nullptr);
    if (handle == nullptr) Fail(kHcclNotFound, "there is no communicator of this name in this process");
    *comm = handle;
  });
}

HcclResult HcclCommGetStatus(const char* commId, HcclCommStatus* status) {
  return GuardHccl(FOOTHOLD_CALL(commId, status), [&] {
    FOOTHOLD_HCCL_NOT_NULL(commId);
    FOOTHOLD_HCCL_NOT_NULL(status);
    const auto communicator = FindByName(commId);
    *status = !communicator               ? HCCL_COMM_STATUS_INVALID
              : communicator->suspended() ? HCCL_COMM_STATUS_SUSPENDING
                                          : HCCL_COMM_STATUS_READY;
  });
}

const char* HcclGetErrorString(HcclResult code) {
  if (code == HCCL_SUCCESS) return "no error";
  const HcclResultEntry* const entry = FindHcclResult(static_cast<int>(code));
  return entry == nullptr ? "unknown error" : entry->phrase;
}

HcclResult HcclGetCommAsyncError(HcclComm comm, HcclResult* asyncError) {
  return GuardHccl(FOOTHOLD_CALL(comm, asyncError), [&] {
    const auto communicator = Communicators::Get().Find(comm);
    FOOTHOLD_HCCL_NOT_NULL(asyncError);
    *asyncError = static_cast<HcclResult>(communicator->async_error());
  });
}

uint32_t HcclGetCommConfigCapability() {
  return HCCL_COMM_CONFIG_RESERVED;
}

HcclResult HcclSetConfig(HcclConfig config, HcclConfigValue configValue) {
  return GuardHccl(FOOTHOLD_CALL(config, configValue), [&] {
    if (config != HCCL_DETERMINISTIC) Fail(kHcclPara, "{} is no HcclConfig", static_cast<int>(config));
    if (configValue.value < 0 || configValue.value > 2)
      Fail(kHcclPara, "HCCL_DETERMINISTIC is 0, 1 or 2, not {}", configValue.value);
    deterministic.store(configValue.value);
  });
}

HcclResult HcclGetConfig(HcclConfig config, HcclConfigValue* configValue) {
  return GuardHccl(FOOTHOLD_CALL(config, configValue), [&] {
    FOOTHOLD_HCCL_NOT_NULL(configValue);
    if (config != HCCL_DETERMINISTIC) Fail(kHcclPara, "{} is no HcclConfig", static_cast<int>(config));
    configValue->value = deterministic.load();
  });
}

HcclResult HcclCommSuspend(HcclComm comm) {
  return GuardHccl(FOOTHOLD_CALL(comm), [&] { Communicators::Get().Find(comm)->Suspend(); });
}

HcclResult HcclCommResume(HcclComm comm) {
  return GuardHccl(FOOTHOLD_CALL(comm), [&] { Communicators::Get().Find(comm)->Resume(); });
}
