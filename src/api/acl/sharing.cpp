// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Memory between processes: by key, and as physical memory.
#include "acl/acl_rt.h"
#include "api/acl/share_arguments.h"
#include "api/guard.h"
#include "api/status.h"
#include "base/first_time.h"
#include "device/current.h"
#include "device/device_memory.h"
#include "device/runtime.h"
#include "device/sharing/share.h"
#include "device/sharing/share_exports.h"
#include "device/sharing/share_imports.h"

using namespace foothold;

namespace {

ShareKey MemoryKey(const char* key) {
  return ShareKey::FromText(ShareKind::kMemory, FOOTHOLD_NOT_NULL(key));
}

void CheckLink(aclrtIpcMemAttrType type, uint64_t attr) {
  if (type != ACL_RT_IPC_MEM_ATTR_ACCESS_LINK)
    Fail(kRtParamInvalid, "type must be ACL_RT_IPC_MEM_ATTR_ACCESS_LINK (0), not {}", static_cast<int>(type));
  if (attr > ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_UB_MULTI_PORT_PATH)
    Fail(kRtParamInvalid, "attr {} is no access link; there are 0 to 3", attr);
}

void CheckHandleType(aclrtMemHandleType type) {
  if (type == ACL_MEM_HANDLE_TYPE_NONE) return;
  if (type == ACL_MEM_HANDLE_TYPE_POSIX) {
    Fail(kRtFeatureNotSupport,
         "file descriptors as handles (ACL_MEM_HANDLE_TYPE_POSIX) are not supported; use "
         "ACL_MEM_HANDLE_TYPE_NONE");
  }
  Fail(kRtParamInvalid, "handleType must be ACL_MEM_HANDLE_TYPE_NONE (0), not {}", static_cast<int>(type));
}

void CheckShareType(aclrtMemSharedHandleType type) {
  if (type == ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT) return;
  if (type == ACL_MEM_SHARE_HANDLE_TYPE_FABRIC) {
    Fail(kRtFeatureNotSupport,
         "handles for other machines (ACL_MEM_SHARE_HANDLE_TYPE_FABRIC) are not supported: there is no "
         "fabric; use ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT");
  }
  Fail(kRtParamInvalid, "shareType must be ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT (1), not {}",
       static_cast<int>(type));
}

uint64_t Export(aclrtDrvMemHandle handle, uint64_t flags) {
  CheckShareFlags(flags, ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION);
  return ExportPages(handle, flags == 0).Number();
}

aclrtDrvMemHandle Import(uint64_t number, Device& device) {
  PhysicalMemory::Properties properties;
  properties.handle_type = ACL_MEM_HANDLE_TYPE_NONE;
  properties.allocation_type = ACL_MEM_ALLOCATION_TYPE_PINNED;
  properties.attribute = ACL_HBM_MEM_HUGE;
  properties.location = static_cast<uint32_t>(device.id());
  properties.location_type = ACL_MEM_LOCATION_TYPE_DEVICE;
  return ImportPages(ShareKey::FromNumber(number), device.memory(), properties);
}

}  // namespace

aclError aclrtIpcMemGetExportKey(void* devPtr, size_t size, char* key, size_t len, uint64_t flags) {
  return Guard(FOOTHOLD_CALL(devPtr, size, key, len, flags), [&] {
    FOOTHOLD_NOT_NULL(devPtr);
    CheckKeyRoom(FOOTHOLD_NOT_NULL(key), len);
    if (size == 0) Fail(kRtParamInvalid, "size must not be 0");
    CheckShareFlags(flags, ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION);
    CurrentContext();
    WriteKey(ExportMemory(devPtr, size, flags == 0), key);
  });
}

aclError aclrtIpcMemSetImportPid(const char* key, int32_t* pid, size_t num) {
  return Guard(FOOTHOLD_CALL(key, pid, num), [&] {
    const ShareKey exported = MemoryKey(key);
    CheckProcesses(pid, num, "num");
    Exports::Get().Admit(exported, pid, num);
  });
}

// There is one way to all memory of this machine.
FOOTHOLD_WITHOUT_EFFECT(aclrtIpcMemSetAttr);
aclError aclrtIpcMemSetAttr(const char* key, aclrtIpcMemAttrType type, uint64_t attr) {
  return Guard(FOOTHOLD_CALL(key, type, attr), [&] {
    const ShareKey exported = MemoryKey(key);
    CheckLink(type, attr);
    Exports::Get().CheckHas(exported);
    WarnOnce("aclrtIpcMemSetAttr", "aclrtIpcMemSetAttr: access links change nothing on this machine");
  });
}

// The flag is about access between two devices, which is always there.
FOOTHOLD_PART_WITHOUT_EFFECT(aclrtIpcMemImportByKey, flags);
aclError aclrtIpcMemImportByKey(void** devPtr, const char* key, uint64_t flags) {
  const auto call = FOOTHOLD_CALL(devPtr, key, flags);
  return Guard(call, [&] {
    FOOTHOLD_NOT_NULL(devPtr);
    const ShareKey exported = MemoryKey(key);
    CheckShareFlags(flags, ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS);
    *devPtr = Imports::Get().MapMemory(exported, CurrentDevice().memory(), call.name);
  });
}

aclError aclrtIpcMemClose(const char* key) {
  return Guard(FOOTHOLD_CALL(key), [&] { CloseMemory(MemoryKey(key)); });
}

aclError aclrtMemExportToShareableHandle(aclrtDrvMemHandle handle, aclrtMemHandleType handleType,
                                         uint64_t flags, uint64_t* shareableHandle) {
  return Guard(FOOTHOLD_CALL(handle, handleType, flags, shareableHandle), [&] {
    FOOTHOLD_NOT_NULL(handle);
    FOOTHOLD_NOT_NULL(shareableHandle);
    CheckHandleType(handleType);
    *shareableHandle = Export(handle, flags);
  });
}

aclError aclrtMemExportToShareableHandleV2(aclrtDrvMemHandle handle, uint64_t flags,
                                           aclrtMemSharedHandleType shareType, void* shareableHandle) {
  return Guard(FOOTHOLD_CALL(handle, flags, shareType, shareableHandle), [&] {
    FOOTHOLD_NOT_NULL(handle);
    FOOTHOLD_NOT_NULL(shareableHandle);
    CheckShareType(shareType);
    *static_cast<uint64_t*>(shareableHandle) = Export(handle, flags);
  });
}

aclError aclrtMemSetPidToShareableHandle(uint64_t shareableHandle, int32_t* pid, size_t pidNum) {
  return Guard(FOOTHOLD_CALL(shareableHandle, pid, pidNum), [&] {
    CheckProcesses(pid, pidNum, "pidNum");
    Exports::Get().Admit(ShareKey::FromNumber(shareableHandle), pid, pidNum);
  });
}

aclError aclrtMemSetPidToShareableHandleV2(void* shareableHandle, aclrtMemSharedHandleType shareType,
                                           int32_t* pid, size_t pidNum) {
  return Guard(FOOTHOLD_CALL(shareableHandle, shareType, pid, pidNum), [&] {
    FOOTHOLD_NOT_NULL(shareableHandle);
    CheckShareType(shareType);
    CheckProcesses(pid, pidNum, "pidNum");
    Exports::Get().Admit(ShareKey::FromNumber(*static_cast<uint64_t*>(shareableHandle)), pid, pidNum);
  });
}

aclError aclrtMemImportFromShareableHandle(uint64_t shareableHandle, int32_t deviceId,
                                           aclrtDrvMemHandle* handle) {
  return Guard(FOOTHOLD_CALL(shareableHandle, deviceId, handle), [&] {
    FOOTHOLD_NOT_NULL(handle);
    *handle = Import(shareableHandle, Runtime::Get().device(deviceId));
  });
}

aclError aclrtMemImportFromShareableHandleV2(void* shareableHandle, aclrtMemSharedHandleType shareType,
                                             uint64_t flags, aclrtDrvMemHandle* handle) {
  return Guard(FOOTHOLD_CALL(shareableHandle, shareType, flags, handle), [&] {
    FOOTHOLD_NOT_NULL(shareableHandle);
    FOOTHOLD_NOT_NULL(handle);
    CheckShareType(shareType);
    if (flags != 0) Fail(kRtParamInvalid, "flags must be 0; they are {:#x}", flags);
    *handle = Import(*static_cast<uint64_t*>(shareableHandle), CurrentDevice());
  });
}
