// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Kernels, captured models, sharing between processes and other runtime functions that are not implemented.
#include "api/unsupported/unsupported.h"

#include "acl/acl_rt.h"
#include "acl/acl_rt_memory_soma.h"

namespace {
constexpr foothold::Code kUnsupportedCode = foothold::kRtFeatureNotSupport;
}  // namespace

// acl/acl_rt.h
FOOTHOLD_UNSUPPORTED(aclrtDeviceGetByPCIBusId, const char*, int32_t*)
FOOTHOLD_UNSUPPORTED(aclrtDeviceGetHostAtomicCapabilities, uint32_t*, const aclrtAtomicOperation*,
                     const uint32_t, int32_t)
FOOTHOLD_UNSUPPORTED(aclrtDeviceGetP2PAtomicCapabilities, uint32_t*, const aclrtAtomicOperation*,
                     const uint32_t, int32_t, int32_t)
FOOTHOLD_UNSUPPORTED(aclrtHostMemMapCapabilities, uint32_t, aclrtHacType, aclrtHostMemMapCapability*)
FOOTHOLD_UNSUPPORTED(aclrtGetHardwareSyncAddr, void**)
FOOTHOLD_UNSUPPORTED(aclrtDeviceL2CacheFlush, void*)
FOOTHOLD_UNSUPPORTED(aclrtDeviceSetLimit, aclrtDeviceLimit, size_t)
FOOTHOLD_UNSUPPORTED(aclrtDeviceGetLimit, aclrtDeviceLimit, size_t*)
FOOTHOLD_UNSUPPORTED(aclrtCtxGetFloatOverflowAddr, void**)
FOOTHOLD_UNSUPPORTED(aclrtIpcGetEventHandle, aclrtEvent, aclrtIpcEventHandle*)
FOOTHOLD_UNSUPPORTED(aclrtIpcOpenEventHandle, aclrtIpcEventHandle, aclrtEvent*)
FOOTHOLD_UNSUPPORTED(aclrtCheckMemType, void**, uint32_t, uint32_t, uint32_t*, uint32_t)
FOOTHOLD_UNSUPPORTED(aclrtGetMemcpyDescSize, aclrtMemcpyKind, size_t*)
FOOTHOLD_UNSUPPORTED(aclrtSetMemcpyDesc, void*, aclrtMemcpyKind, void*, void*, size_t, void*)
FOOTHOLD_UNSUPPORTED(aclrtMemcpyAsyncWithDesc, void*, aclrtMemcpyKind, aclrtStream)
FOOTHOLD_UNSUPPORTED(aclrtMemcpyAsyncWithOffset, void**, size_t, size_t, const void**, size_t, size_t,
                     aclrtMemcpyKind, aclrtStream)
FOOTHOLD_UNSUPPORTED(aclrtReserveMemAddressNoUCMemory, void**, size_t, size_t, void*, uint64_t)
FOOTHOLD_UNSUPPORTED(aclrtMemExportToShareableHandle, aclrtDrvMemHandle, aclrtMemHandleType, uint64_t,
                     uint64_t*)
FOOTHOLD_UNSUPPORTED(aclrtMemExportToShareableHandleV2, aclrtDrvMemHandle, uint64_t, aclrtMemSharedHandleType,
                     void*)
FOOTHOLD_UNSUPPORTED(aclrtMemSetPidToShareableHandle, uint64_t, int32_t*, size_t)
FOOTHOLD_UNSUPPORTED(aclrtMemSetPidToShareableHandleV2, void*, aclrtMemSharedHandleType, int32_t*, size_t)
FOOTHOLD_UNSUPPORTED(aclrtMemImportFromShareableHandle, uint64_t, int32_t, aclrtDrvMemHandle*)
FOOTHOLD_UNSUPPORTED(aclrtMemImportFromShareableHandleV2, void*, aclrtMemSharedHandleType, uint64_t,
                     aclrtDrvMemHandle*)
FOOTHOLD_UNSUPPORTED(aclrtIpcMemGetExportKey, void*, size_t, char*, size_t, uint64_t)
FOOTHOLD_UNSUPPORTED(aclrtIpcMemSetImportPid, const char*, int32_t*, size_t)
FOOTHOLD_UNSUPPORTED(aclrtIpcMemImportPidInterServer, const char*, aclrtServerPid*, size_t)
FOOTHOLD_UNSUPPORTED(aclrtIpcMemSetAttr, const char*, aclrtIpcMemAttrType, uint64_t)
FOOTHOLD_UNSUPPORTED(aclrtIpcMemImportByKey, void**, const char*, uint64_t)
FOOTHOLD_UNSUPPORTED(aclrtIpcMemClose, const char*)
FOOTHOLD_UNSUPPORTED(aclrtNotifyGetExportKey, aclrtNotify, char*, size_t, uint64_t)
FOOTHOLD_UNSUPPORTED(aclrtNotifySetImportPid, aclrtNotify, int32_t*, size_t)
FOOTHOLD_UNSUPPORTED(aclrtNotifySetImportPidInterServer, aclrtNotify, aclrtServerPid*, size_t)
FOOTHOLD_UNSUPPORTED(aclrtNotifyImportByKey, aclrtNotify*, const char*, uint64_t)
FOOTHOLD_UNSUPPORTED(aclrtMemP2PMap, void*, size_t, int32_t, uint64_t)
FOOTHOLD_UNSUPPORTED(aclrtMemMapSetLink, aclrtDrvMemHandle, aclrtMemLinkType)
FOOTHOLD_UNSUPPORTED(aclrtMemMapSelectedLink, void*, size_t, void*, uint32_t)
FOOTHOLD_UNSUPPORTED(aclrtMemManagedAdvise, const void* const, uint64_t, aclrtMemManagedAdviseType,
                     aclrtMemManagedLocation)
FOOTHOLD_UNSUPPORTED(aclrtMemManagedGetAttr, aclrtMemManagedRangeAttribute, const void*, size_t, void*,
                     size_t)
FOOTHOLD_UNSUPPORTED(aclrtMemManagedGetAttrs, aclrtMemManagedRangeAttribute*, size_t, const void*, size_t,
                     void**, size_t*)
FOOTHOLD_UNSUPPORTED(aclrtMemManagedPrefetchAsync, const void*, size_t, aclrtMemManagedLocation, uint32_t,
                     aclrtStream)
FOOTHOLD_UNSUPPORTED(aclrtMemManagedPrefetchBatchAsync, const void**, size_t*, size_t,
                     aclrtMemManagedLocation*, size_t*, size_t, uint64_t, aclrtStream)
FOOTHOLD_UNSUPPORTED(aclrtCmoAsyncWithBarrier, void*, size_t, aclrtCmoType, uint32_t, aclrtStream)
FOOTHOLD_UNSUPPORTED(aclrtCmoWaitBarrier, aclrtBarrierTaskInfo*, aclrtStream, uint32_t)
FOOTHOLD_UNSUPPORTED(aclrtCmoGetDescSize, size_t*)
FOOTHOLD_UNSUPPORTED(aclrtCmoSetDesc, void*, void*, size_t)
FOOTHOLD_UNSUPPORTED(aclrtCmoAsyncWithDesc, void*, aclrtCmoType, aclrtStream, const void*)
FOOTHOLD_UNSUPPORTED(aclrtAllocBuf, aclrtMbuf*, size_t)
FOOTHOLD_UNSUPPORTED(aclrtFreeBuf, aclrtMbuf)
FOOTHOLD_UNSUPPORTED(aclrtSetBufDataLen, aclrtMbuf, size_t)
FOOTHOLD_UNSUPPORTED(aclrtGetBufDataLen, aclrtMbuf, size_t*)
FOOTHOLD_UNSUPPORTED(aclrtGetBufData, const aclrtMbuf, void**, size_t*)
FOOTHOLD_UNSUPPORTED(aclrtSetBufUserData, aclrtMbuf, const void*, size_t, size_t)
FOOTHOLD_UNSUPPORTED(aclrtGetBufUserData, const aclrtMbuf, void*, size_t, size_t)
FOOTHOLD_UNSUPPORTED(aclrtCopyBufRef, const aclrtMbuf, aclrtMbuf*)
FOOTHOLD_UNSUPPORTED(aclrtAppendBufChain, aclrtMbuf, aclrtMbuf)
FOOTHOLD_UNSUPPORTED(aclrtGetBufChainNum, aclrtMbuf, uint32_t*)
FOOTHOLD_UNSUPPORTED(aclrtGetBufFromChain, aclrtMbuf, uint32_t, aclrtMbuf*)
FOOTHOLD_UNSUPPORTED(aclrtGetFloatOverflowStatus, void*, uint64_t, aclrtStream)
FOOTHOLD_UNSUPPORTED(aclrtResetFloatOverflowStatus, aclrtStream)
FOOTHOLD_UNSUPPORTED(aclrtNpuGetFloatOverFlowStatus, void*, uint64_t, uint32_t, aclrtStream)
FOOTHOLD_UNSUPPORTED(aclrtNpuClearFloatOverFlowStatus, uint32_t, aclrtStream)
FOOTHOLD_UNSUPPORTED(aclrtLaunchSIMTKernelWithArgsArray, void*, dim3, dim3, size_t, aclrtStream,
                     aclrtLaunchKernelCfg*, void**)
FOOTHOLD_UNSUPPORTED(aclrtLaunchSIMTKernelWithHostArgs, void*, dim3, dim3, size_t, aclrtStream,
                     aclrtLaunchKernelCfg*, void*, size_t, aclrtPlaceHolderInfo*, size_t)
FOOTHOLD_UNSUPPORTED(aclrtCreateLabel, aclrtLabel*)
FOOTHOLD_UNSUPPORTED(aclrtDestroyLabel, aclrtLabel)
FOOTHOLD_UNSUPPORTED(aclrtSetLabel, aclrtLabel, aclrtStream)
FOOTHOLD_UNSUPPORTED(aclrtCreateLabelList, aclrtLabel*, size_t, aclrtLabelList*)
FOOTHOLD_UNSUPPORTED(aclrtDestroyLabelList, aclrtLabelList)
FOOTHOLD_UNSUPPORTED(aclrtSwitchLabelByIndex, void*, uint32_t, aclrtLabelList, aclrtStream)
FOOTHOLD_UNSUPPORTED(aclrtTaskUpdateAsync, aclrtStream, uint32_t, aclrtTaskUpdateInfo*, aclrtStream)
FOOTHOLD_UNSUPPORTED(aclrtCacheLastTaskOpInfo, const void* const, const size_t)
FOOTHOLD_UNSUPPORTED(aclrtCacheLastTaskExtendInfo, const char* const, const size_t)
FOOTHOLD_UNSUPPORTED(aclmdlRICaptureBegin, aclrtStream, aclmdlRICaptureMode)
FOOTHOLD_UNSUPPORTED(aclmdlRICaptureToModelRIBegin, aclrtStream, aclmdlRI, aclmdlRICaptureMode)
FOOTHOLD_UNSUPPORTED(aclmdlRICaptureGetInfo, aclrtStream, aclmdlRICaptureStatus*, aclmdlRI*)
FOOTHOLD_UNSUPPORTED(aclmdlRICaptureEnd, aclrtStream, aclmdlRI*)
FOOTHOLD_UNSUPPORTED(aclmdlRICaptureThreadExchangeMode, aclmdlRICaptureMode*)
FOOTHOLD_UNSUPPORTED(aclmdlRICaptureTaskGrpBegin, aclrtStream)
FOOTHOLD_UNSUPPORTED(aclmdlRICaptureTaskGrpEnd, aclrtStream, aclrtTaskGrp*)
FOOTHOLD_UNSUPPORTED(aclmdlRICaptureTaskUpdateBegin, aclrtStream, aclrtTaskGrp)
FOOTHOLD_UNSUPPORTED(aclmdlRICaptureTaskUpdateEnd, aclrtStream)
FOOTHOLD_UNSUPPORTED(aclmdlRIBuildBegin, aclmdlRI*, uint32_t)
FOOTHOLD_UNSUPPORTED(aclmdlRIBindStream, aclmdlRI, aclrtStream, uint32_t)
FOOTHOLD_UNSUPPORTED(aclmdlRIUnbindStream, aclmdlRI, aclrtStream)
FOOTHOLD_UNSUPPORTED(aclmdlRIEndTask, aclmdlRI, aclrtStream)
FOOTHOLD_UNSUPPORTED(aclmdlRIBuildEnd, aclmdlRI, void*)
FOOTHOLD_UNSUPPORTED(aclmdlRICondHandleCreate, aclmdlRI, uint32_t, aclmdlRICondHandleFlag,
                     aclmdlRICondHandle*)
FOOTHOLD_UNSUPPORTED(aclmdlRICondHandleGetCondPtr, aclmdlRICondHandle, uint64_t**)
FOOTHOLD_UNSUPPORTED(aclmdlRIAddCondTask, aclmdlRICondTaskParams, aclrtStream, uint32_t)
FOOTHOLD_UNSUPPORTED(aclmdlRIExecute, aclmdlRI, int32_t)
FOOTHOLD_UNSUPPORTED(aclmdlRIExecuteAsync, aclmdlRI, aclrtStream)
FOOTHOLD_UNSUPPORTED(aclmdlRIAbort, aclmdlRI)
FOOTHOLD_UNSUPPORTED(aclmdlRIUpdate, aclmdlRI)
FOOTHOLD_UNSUPPORTED(aclmdlRIDestroy, aclmdlRI)
FOOTHOLD_UNSUPPORTED(aclmdlRIDestroyRegisterCallback, aclmdlRI, aclrtCallback, void*)
FOOTHOLD_UNSUPPORTED(aclmdlRIDestroyUnregisterCallback, aclmdlRI, aclrtCallback)
FOOTHOLD_UNSUPPORTED(aclmdlRIGetId, aclmdlRI, uint32_t*)
FOOTHOLD_UNSUPPORTED(aclmdlRISetName, aclmdlRI, const char*)
FOOTHOLD_UNSUPPORTED(aclmdlRIGetName, aclmdlRI, uint32_t, char*)
FOOTHOLD_UNSUPPORTED(aclmdlRIGetStreams, aclmdlRI, aclrtStream*, uint32_t*)
FOOTHOLD_UNSUPPORTED(aclmdlRIGetTasksByStream, aclrtStream, aclmdlRITask*, uint32_t*)
FOOTHOLD_UNSUPPORTED(aclmdlRIDebugPrint, aclmdlRI)
FOOTHOLD_UNSUPPORTED(aclmdlRIDebugJsonPrint, aclmdlRI, const char*, uint32_t)
FOOTHOLD_UNSUPPORTED(aclmdlRITaskGetType, aclmdlRITask, aclmdlRITaskType*)
FOOTHOLD_UNSUPPORTED(aclmdlRITaskGetSeqId, aclmdlRITask, uint32_t*)
FOOTHOLD_UNSUPPORTED(aclmdlRITaskGetParams, aclmdlRITask, aclmdlRITaskParams*)
FOOTHOLD_UNSUPPORTED(aclmdlRITaskSetParams, aclmdlRITask, aclmdlRITaskParams*)
FOOTHOLD_UNSUPPORTED(aclmdlRITaskDisable, aclmdlRITask)
FOOTHOLD_UNSUPPORTED(aclmdlRIKernelTaskGetAttribute, aclmdlRITask, aclrtLaunchKernelAttrId,
                     aclrtLaunchKernelAttrValue*)
FOOTHOLD_UNSUPPORTED(aclrtSnapShotProcessLock, int, void*)
FOOTHOLD_UNSUPPORTED(aclrtSnapShotProcessUnlock, int, void*)
FOOTHOLD_UNSUPPORTED(aclrtSnapShotProcessBackup, int, aclrtSnapShotBackupArgs*)
FOOTHOLD_UNSUPPORTED(aclrtSnapShotProcessRestore, int, aclrtSnapShotRestoreArgs*)
FOOTHOLD_UNSUPPORTED(aclrtSnapShotCallbackRegister, aclrtSnapShotStage, aclrtSnapShotCallBack, void*)
FOOTHOLD_UNSUPPORTED(aclrtSnapShotCallbackUnregister, aclrtSnapShotStage, aclrtSnapShotCallBack)
FOOTHOLD_UNSUPPORTED(aclrtProfTrace, void*, int32_t, aclrtStream)

// acl/acl_rt_memory_soma.h
FOOTHOLD_UNSUPPORTED(aclrtMemPoolCreate, aclrtMemPool*, const aclrtMemPoolProps*)
FOOTHOLD_UNSUPPORTED(aclrtMemPoolDestroy, const aclrtMemPool)
FOOTHOLD_UNSUPPORTED(aclrtMemPoolSetAttr, aclrtMemPool, aclrtMemPoolAttr, void*)
FOOTHOLD_UNSUPPORTED(aclrtMemPoolGetAttr, aclrtMemPool, aclrtMemPoolAttr, void*)
FOOTHOLD_UNSUPPORTED(aclrtMemPoolTrimTo, aclrtMemPool, size_t)
FOOTHOLD_UNSUPPORTED(aclrtMemPoolMallocAsync, void**, size_t, aclrtMemPool, aclrtStream)
FOOTHOLD_UNSUPPORTED(aclrtMemPoolFreeAsync, void*, aclrtStream)
