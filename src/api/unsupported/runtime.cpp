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
FOOTHOLD_UNSUPPORTED(aclrtGetArgsFromExceptionInfo, const aclrtExceptionInfo*, void**, uint32_t*)
FOOTHOLD_UNSUPPORTED(aclrtIpcMemImportPidInterServer, const char*, aclrtServerPid*, size_t)
FOOTHOLD_UNSUPPORTED(aclrtNotifySetImportPidInterServer, aclrtNotify, aclrtServerPid*, size_t)
FOOTHOLD_UNSUPPORTED(aclrtMemMapSetLink, aclrtDrvMemHandle, aclrtMemLinkType)
FOOTHOLD_UNSUPPORTED(aclrtMemMapSelectedLink, void*, size_t, void*, uint32_t)
FOOTHOLD_UNSUPPORTED(aclrtMemManagedGetAttr, aclrtMemManagedRangeAttribute, const void*, size_t, void*,
                     size_t)
FOOTHOLD_UNSUPPORTED(aclrtMemManagedGetAttrs, aclrtMemManagedRangeAttribute*, size_t, const void*, size_t,
                     void**, size_t*)
FOOTHOLD_UNSUPPORTED_VALUE(aclrtBinary, nullptr, aclrtCreateBinary, const void*, size_t)
FOOTHOLD_UNSUPPORTED(aclrtDestroyBinary, aclrtBinary)
FOOTHOLD_UNSUPPORTED(aclrtBinaryLoad, const aclrtBinary, aclrtBinHandle*)
FOOTHOLD_UNSUPPORTED(aclrtBinaryLoadFromFile, const char*, aclrtBinaryLoadOptions*, aclrtBinHandle*)
FOOTHOLD_UNSUPPORTED(aclrtBinaryLoadFromData, const void*, size_t, const aclrtBinaryLoadOptions*,
                     aclrtBinHandle*)
FOOTHOLD_UNSUPPORTED(aclrtBinaryUnLoad, aclrtBinHandle)
FOOTHOLD_UNSUPPORTED(aclrtBinarySetExceptionCallback, aclrtBinHandle, aclrtOpExceptionCallback, void*)
FOOTHOLD_UNSUPPORTED(aclrtBinaryGetFunction, const aclrtBinHandle, const char*, aclrtFuncHandle*)
FOOTHOLD_UNSUPPORTED(aclrtBinaryGetFunctionByEntry, aclrtBinHandle, uint64_t, aclrtFuncHandle*)
FOOTHOLD_UNSUPPORTED(aclrtBinaryGetDevAddress, const aclrtBinHandle, void**, size_t*)
FOOTHOLD_UNSUPPORTED(aclrtBinaryGetGlobal, aclrtBinHandle, const char*, void**, size_t*)
FOOTHOLD_UNSUPPORTED(aclrtRegisterCpuFunc, const aclrtBinHandle, const char*, const char*, aclrtFuncHandle*)
FOOTHOLD_UNSUPPORTED(aclrtGetFuncBySymbol, const void*, aclrtFuncHandle*)
FOOTHOLD_UNSUPPORTED(aclrtGetFuncHandleFromExceptionInfo, const aclrtExceptionInfo*, aclrtFuncHandle*)
FOOTHOLD_UNSUPPORTED(aclrtGetFunctionName, aclrtFuncHandle, uint32_t, char*)
FOOTHOLD_UNSUPPORTED(aclrtGetFunctionAddr, aclrtFuncHandle, void**, void**)
FOOTHOLD_UNSUPPORTED(aclrtGetFunctionSize, aclrtFuncHandle, size_t*, size_t*)
FOOTHOLD_UNSUPPORTED(aclrtGetFunctionAttribute, aclrtFuncHandle, aclrtFuncAttribute, int64_t*)
FOOTHOLD_UNSUPPORTED(aclrtFunctionGetBinary, const aclrtFuncHandle, aclrtBinHandle*)
FOOTHOLD_UNSUPPORTED(aclrtFunctionGetParamCount, const void*, size_t*)
FOOTHOLD_UNSUPPORTED(aclrtFunctionGetParamInfo, const void*, size_t, size_t*, size_t*)
FOOTHOLD_UNSUPPORTED(aclrtFunctionGetAvailDynUbufPerBlock, void*, uint32_t, size_t*)
FOOTHOLD_UNSUPPORTED(aclrtGetSymbolAddress, const void*, void**)
FOOTHOLD_UNSUPPORTED(aclrtGetSymbolSize, const void*, size_t*)
FOOTHOLD_UNSUPPORTED(aclrtMemcpyToSymbol, const void*, const void*, size_t, size_t, aclrtMemcpyKind)
FOOTHOLD_UNSUPPORTED(aclrtMemcpyToSymbolAsync, const void*, const void*, size_t, size_t, aclrtMemcpyKind,
                     aclrtStream)
FOOTHOLD_UNSUPPORTED(aclrtMemcpyFromSymbol, void*, size_t, const void*, size_t, size_t, aclrtMemcpyKind)
FOOTHOLD_UNSUPPORTED(aclrtMemcpyFromSymbolAsync, void*, size_t, const void*, size_t, size_t, aclrtMemcpyKind,
                     aclrtStream)
FOOTHOLD_UNSUPPORTED(aclrtKernelArgsInit, aclrtFuncHandle, aclrtArgsHandle*)
FOOTHOLD_UNSUPPORTED(aclrtKernelArgsInitByUserMem, aclrtFuncHandle, aclrtArgsHandle, void*, size_t)
FOOTHOLD_UNSUPPORTED(aclrtKernelArgsGetMemSize, aclrtFuncHandle, size_t, size_t*)
FOOTHOLD_UNSUPPORTED(aclrtKernelArgsGetHandleMemSize, aclrtFuncHandle, size_t*)
FOOTHOLD_UNSUPPORTED(aclrtKernelArgsAppend, aclrtArgsHandle, void*, size_t, aclrtParamHandle*)
FOOTHOLD_UNSUPPORTED(aclrtKernelArgsAppendPlaceHolder, aclrtArgsHandle, aclrtParamHandle*)
FOOTHOLD_UNSUPPORTED(aclrtKernelArgsParaUpdate, aclrtArgsHandle, aclrtParamHandle, void*, size_t)
FOOTHOLD_UNSUPPORTED(aclrtKernelArgsFinalize, aclrtArgsHandle)
FOOTHOLD_UNSUPPORTED(aclrtLaunchKernel, aclrtFuncHandle, uint32_t, const void*, size_t, aclrtStream)
FOOTHOLD_UNSUPPORTED(aclrtLaunchKernelV2, aclrtFuncHandle, uint32_t, const void*, size_t,
                     aclrtLaunchKernelCfg*, aclrtStream)
FOOTHOLD_UNSUPPORTED(aclrtLaunchKernelWithConfig, aclrtFuncHandle, uint32_t, aclrtStream,
                     aclrtLaunchKernelCfg*, aclrtArgsHandle, void*)
FOOTHOLD_UNSUPPORTED(aclrtLaunchKernelWithHostArgs, aclrtFuncHandle, uint32_t, aclrtStream,
                     aclrtLaunchKernelCfg*, void*, size_t, aclrtPlaceHolderInfo*, size_t)
FOOTHOLD_UNSUPPORTED(aclrtLaunchKernelWithArgsArray, void*, uint32_t, aclrtStream, aclrtLaunchKernelCfg*,
                     void**)
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
