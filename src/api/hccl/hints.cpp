// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What programs say in advance about memory and networks that collectives will use. They use any memory of a
// device as it is, and the network the host has, so the arguments are checked and nothing else follows.
#include "api/hccl/arguments.h"
#include "api/hccl/hccl_guard.h"
#include "api/status.h"
#include "base/first_time.h"
#include "collectives/windows.h"
#include "device/memory_map.h"
#include "hccl/hccl_comm.h"

namespace foothold::collectives {
namespace {

void CheckHint(HcclComm comm, const void* address) {
  Communicators::Get().Find(comm);
  CheckHcclPointer(address, "the address");
  WarnOnce("HCCL memory hints", "memory named to a communicator in advance is used like any other");
}

void* Register(HcclComm comm, const void* address, std::uint64_t size) {
  CheckHint(comm, address);
  if (size == 0) Fail(kHcclPara, "size must not be 0");
  CheckRange(address, size, Use::kWrite, "addr", kHcclPara);
  return Windows::Get().Add(comm, address, size);
}

void CheckWindow(HcclComm comm, const void* handle) {
  Communicators::Get().Find(comm);
  CheckHcclPointer(handle, "the handle");
  if (!Windows::Get().Has(handle, comm))
    Fail(kHcclPara, "{} is no memory registered with this communicator, or was deregistered", handle);
}

void CheckRanks(HcclComm comm, const std::uint32_t* ranks, std::uint32_t count, const char* name) {
  const auto communicator = Communicators::Get().Find(comm);
  CheckHcclPointer(ranks, name);
  for (std::uint32_t i = 0; i < count; ++i)
    CheckRank(ranks[i], name, *communicator);
}

void CheckZero(std::uint64_t value, const char* name) {
  if (value != 0) Fail(kHcclPara, "{} must be 0, not {}", name, value);
}

}  // namespace
}  // namespace foothold::collectives

using namespace foothold;
using namespace foothold::collectives;

FOOTHOLD_WITHOUT_EFFECT(HcclCommSetMemoryRange);
HcclResult HcclCommSetMemoryRange(HcclComm comm, void* baseVirPtr, size_t size, size_t alignment,
                                  uint64_t flags) {
  return GuardHccl(FOOTHOLD_CALL(comm, baseVirPtr, size, alignment, flags), [&] {
    CheckHint(comm, baseVirPtr);
    CheckZero(alignment, "alignment");
    CheckZero(flags, "flags");
  });
}

FOOTHOLD_WITHOUT_EFFECT(HcclCommUnsetMemoryRange);
HcclResult HcclCommUnsetMemoryRange(HcclComm comm, void* baseVirPtr) {
  return GuardHccl(FOOTHOLD_CALL(comm, baseVirPtr), [&] { CheckHint(comm, baseVirPtr); });
}

FOOTHOLD_WITHOUT_EFFECT(HcclCommActivateCommMemory);
HcclResult HcclCommActivateCommMemory(HcclComm comm, void* virPtr, size_t size, size_t offset,
                                      aclrtDrvMemHandle handle, uint64_t flags) {
  return GuardHccl(FOOTHOLD_CALL(comm, virPtr, size, offset, handle, flags), [&] {
    CheckHint(comm, virPtr);
    CheckZero(offset, "offset");
    CheckZero(flags, "flags");
  });
}

FOOTHOLD_WITHOUT_EFFECT(HcclCommDeactivateCommMemory);
HcclResult HcclCommDeactivateCommMemory(HcclComm comm, void* virPtr) {
  return GuardHccl(FOOTHOLD_CALL(comm, virPtr), [&] { CheckHint(comm, virPtr); });
}

HcclResult HcclCommSymWinRegister(HcclComm comm, void* addr, uint64_t size, HcclCommSymWindow* winHandle,
                                  uint32_t flag) {
  return GuardHccl(FOOTHOLD_CALL(comm, addr, size, winHandle, flag), [&] {
    FOOTHOLD_HCCL_NOT_NULL(winHandle);
    *winHandle = Register(comm, addr, size);
  });
}

HcclResult HcclCommSymWinDeregister(HcclCommSymWindow winHandle) {
  return GuardHccl(FOOTHOLD_CALL(winHandle), [&] {
    FOOTHOLD_HCCL_NOT_NULL(winHandle);
    if (!Windows::Get().Remove(winHandle)) Fail(kHcclPara, "{} is no window, or was deregistered", winHandle);
  });
}

HcclResult HcclCommSymWinGet(HcclComm comm, void* ptr, size_t size, HcclCommSymWindow* winHandle,
                             size_t* offset) {
  return GuardHccl(FOOTHOLD_CALL(comm, ptr, size, winHandle, offset), [&] {
    Communicators::Get().Find(comm);
    FOOTHOLD_HCCL_NOT_NULL(ptr);
    FOOTHOLD_HCCL_NOT_NULL(winHandle);
    FOOTHOLD_HCCL_NOT_NULL(offset);
    const auto place = Windows::Get().Find(comm, ptr, size);
    if (!place) Fail(kHcclNotFound, "no window of this communicator has the {} bytes at {}", size, ptr);
    *winHandle = place->handle;
    *offset = place->offset;
  });
}

HcclResult HcclCommRegister(HcclComm comm, void* addr, uint64_t size, void** handle, uint32_t flag) {
  return GuardHccl(FOOTHOLD_CALL(comm, addr, size, handle, flag), [&] {
    FOOTHOLD_HCCL_NOT_NULL(handle);
    *handle = Register(comm, addr, size);
  });
}

HcclResult HcclCommDeregister(HcclComm comm, void* handle) {
  return GuardHccl(FOOTHOLD_CALL(comm, handle), [&] {
    CheckWindow(comm, handle);
    Windows::Get().Remove(handle);
  });
}

FOOTHOLD_WITHOUT_EFFECT(HcclCommExchangeMem);
HcclResult HcclCommExchangeMem(HcclComm comm, void* windowHandle, uint32_t* peerRanks, uint32_t peerRankNum) {
  return GuardHccl(FOOTHOLD_CALL(comm, windowHandle, peerRanks, peerRankNum), [&] {
    CheckWindow(comm, windowHandle);
    CheckRanks(comm, peerRanks, peerRankNum, "peerRanks");
  });
}

FOOTHOLD_WITHOUT_EFFECT(HcclCommWorkingDevNicSet);
HcclResult HcclCommWorkingDevNicSet(HcclComm comm, uint32_t* ranks, bool* useBackup, uint32_t nRanks) {
  return GuardHccl(FOOTHOLD_CALL(comm, ranks, useBackup, nRanks), [&] {
    CheckRanks(comm, ranks, nRanks, "ranks");
    FOOTHOLD_HCCL_NOT_NULL(useBackup);
    WarnOnce("HCCL backup networks", "devices have no network of their own here, so none to change to");
  });
}
