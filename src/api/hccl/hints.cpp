// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What programs say about memory that collectives will use. They use any memory of a device as it is, so the
// arguments are checked and nothing else follows.
#include "api/hccl/arguments.h"
#include "api/hccl/hccl_guard.h"
#include "api/status.h"
#include "base/first_time.h"
#include "hccl/hccl_comm.h"

namespace foothold::collectives {
namespace {

void CheckHint(HcclComm comm, const void* address) {
  Communicators::Get().Find(comm);
  CheckHcclPointer(address, "the address");
  WarnOnce("HCCL memory hints", "memory named to a communicator in advance is used like any other");
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
