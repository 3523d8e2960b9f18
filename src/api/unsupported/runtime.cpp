// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Kernels, captured models, sharing between processes and other runtime functions that are not implemented.
#include "api/unsupported/unsupported.h"

#include "acl/acl_rt.h"

namespace {
constexpr foothold::Code kUnsupportedCode = foothold::kRtFeatureNotSupport;
}  // namespace

// acl/acl_rt.h
FOOTHOLD_UNSUPPORTED(aclrtDeviceGetHostAtomicCapabilities, uint32_t*, const aclrtAtomicOperation*,
                     const uint32_t, int32_t)
FOOTHOLD_UNSUPPORTED(aclrtDeviceGetP2PAtomicCapabilities, uint32_t*, const aclrtAtomicOperation*,
                     const uint32_t, int32_t, int32_t)
FOOTHOLD_UNSUPPORTED(aclrtGetHardwareSyncAddr, void**)
FOOTHOLD_UNSUPPORTED(aclrtCtxGetFloatOverflowAddr, void**)
FOOTHOLD_UNSUPPORTED(aclrtCheckMemType, void**, uint32_t, uint32_t, uint32_t*, uint32_t)
FOOTHOLD_UNSUPPORTED(aclrtIpcMemImportPidInterServer, const char*, aclrtServerPid*, size_t)
FOOTHOLD_UNSUPPORTED(aclrtNotifySetImportPidInterServer, aclrtNotify, aclrtServerPid*, size_t)
FOOTHOLD_UNSUPPORTED(aclrtMemMapSetLink, aclrtDrvMemHandle, aclrtMemLinkType)
FOOTHOLD_UNSUPPORTED(aclrtMemMapSelectedLink, void*, size_t, void*, uint32_t)
FOOTHOLD_UNSUPPORTED(aclrtMemManagedGetAttr, aclrtMemManagedRangeAttribute, const void*, size_t, void*,
                     size_t)
FOOTHOLD_UNSUPPORTED(aclrtMemManagedGetAttrs, aclrtMemManagedRangeAttribute*, size_t, const void*, size_t,
                     void**, size_t*)
FOOTHOLD_UNSUPPORTED(aclrtLaunchSIMTKernelWithArgsArray, void*, dim3, dim3, size_t, aclrtStream,
                     aclrtLaunchKernelCfg*, void**)
FOOTHOLD_UNSUPPORTED(aclrtLaunchSIMTKernelWithHostArgs, void*, dim3, dim3, size_t, aclrtStream,
                     aclrtLaunchKernelCfg*, void*, size_t, aclrtPlaceHolderInfo*, size_t)
FOOTHOLD_UNSUPPORTED(aclrtTaskUpdateAsync, aclrtStream, uint32_t, aclrtTaskUpdateInfo*, aclrtStream)
FOOTHOLD_UNSUPPORTED(aclrtCacheLastTaskOpInfo, const void* const, const size_t)
FOOTHOLD_UNSUPPORTED(aclrtCacheLastTaskExtendInfo, const char* const, const size_t)
FOOTHOLD_UNSUPPORTED(aclrtSnapShotProcessLock, int, void*)
FOOTHOLD_UNSUPPORTED(aclrtSnapShotProcessUnlock, int, void*)
FOOTHOLD_UNSUPPORTED(aclrtSnapShotProcessBackup, int, aclrtSnapShotBackupArgs*)
FOOTHOLD_UNSUPPORTED(aclrtSnapShotProcessRestore, int, aclrtSnapShotRestoreArgs*)
FOOTHOLD_UNSUPPORTED(aclrtSnapShotCallbackRegister, aclrtSnapShotStage, aclrtSnapShotCallBack, void*)
FOOTHOLD_UNSUPPORTED(aclrtSnapShotCallbackUnregister, aclrtSnapShotStage, aclrtSnapShotCallBack)
FOOTHOLD_UNSUPPORTED(aclrtProfTrace, void*, int32_t, aclrtStream)
