// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The library's own error numbers are the public ones. This file only has to compile.
#include "acl/acl_base.h"
#include "base/error_codes.h"
#include "device/sharing/share_codes.h"

namespace foothold {
namespace {

struct Pair {
  int internal;
  int published;
};

constexpr Pair kPairs[] = {
    {kSuccess, ACL_SUCCESS},
    {kInvalidParam, ACL_ERROR_INVALID_PARAM},
    {kUninitialized, ACL_ERROR_UNINITIALIZE},
    {kRepeatInitialize, ACL_ERROR_REPEAT_INITIALIZE},
    {kInvalidFile, ACL_ERROR_INVALID_FILE},
    {kInvalidFileSize, ACL_ERROR_INVALID_FILE_SIZE},
    {kParseFile, ACL_ERROR_PARSE_FILE},
    {kInvalidDumpConfig, ACL_ERROR_INVALID_DUMP_CONFIG},
    {kInvalidProfilingConfig, ACL_ERROR_INVALID_PROFILING_CONFIG},
    {kRepeatFinalize, ACL_ERROR_REPEAT_FINALIZE},
    {kRtParamInvalid, ACL_ERROR_RT_PARAM_INVALID},
    {kRtInvalidDeviceId, ACL_ERROR_RT_INVALID_DEVICEID},
    {kRtContextNull, ACL_ERROR_RT_CONTEXT_NULL},
    {kRtStreamContext, ACL_ERROR_RT_STREAM_CONTEXT},
    {kRtModelContext, ACL_ERROR_RT_MODEL_CONTEXT},
    {kRtStreamModel, ACL_ERROR_RT_STREAM_MODEL},
    {kRtEventTimestampInvalid, ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID},
    {kRtEventTimestampReversal, ACL_ERROR_RT_EVENT_TIMESTAMP_REVERSAL},
    {kRtAddrUnaligned, ACL_ERROR_RT_ADDR_UNALIGNED},
    {kRtFileOpen, ACL_ERROR_RT_FILE_OPEN},
    {kRtFileWrite, ACL_ERROR_RT_FILE_WRITE},
    {kRtStreamSubscribe, ACL_ERROR_RT_STREAM_SUBSCRIBE},
    {kRtThreadSubscribe, ACL_ERROR_RT_THREAD_SUBSCRIBE},
    {kRtGroupNotSet, ACL_ERROR_RT_GROUP_NOT_SET},
    {kRtGroupNotCreate, ACL_ERROR_RT_GROUP_NOT_CREATE},
    {kRtStreamNoCallbackThread, ACL_ERROR_RT_STREAM_NO_CB_REG},
    {kRtInvalidMemoryType, ACL_ERROR_RT_INVALID_MEMORY_TYPE},
    {kRtInvalidHandle, ACL_ERROR_RT_INVALID_HANDLE},
    {kRtInvalidMallocType, ACL_ERROR_RT_INVALID_MALLOC_TYPE},
    {kRtWaitTimeout, ACL_ERROR_RT_WAIT_TIMEOUT},
    {kRtSysParamOptNotSet, ACL_ERROR_RT_SYSPARAMOPT_NOT_SET},
    {kRtDeviceTaskAbort, ACL_ERROR_RT_DEVICE_TASK_ABORT},
    {kRtStreamAbort, ACL_ERROR_RT_STREAM_ABORT},
    {kRtCaptureDependency, ACL_ERROR_RT_CAPTURE_DEPENDENCY},
    {kRtStreamUnjoined, ACL_ERROR_RT_STREAM_UNJOINED},
    {kRtModelCaptured, ACL_ERROR_RT_MODEL_CAPTURED},
    {kRtStreamCaptured, ACL_ERROR_RT_STREAM_CAPTURED},
    {kRtEventCaptured, ACL_ERROR_RT_EVENT_CAPTURED},
    {kRtStreamNotCaptured, ACL_ERROR_RT_STREAM_NOT_CAPTURED},
    {kRtCaptureModeNotSupport, ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT},
    {kRtStreamCaptureImplicit, ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT},
    {kRtStreamCaptureConflict, ACL_ERROR_STREAM_CAPTURE_CONFLICT},
    {kRtTaskGroupStatus, ACL_ERROR_STREAM_TASK_GROUP_STATUS},
    {kRtTaskGroupInterrupted, ACL_ERROR_STREAM_TASK_GROUP_INTR},
    {kRtTaskAbortStop, ACL_ERROR_RT_TASK_ABORT_STOP},
    {kRtStreamCaptureUnmatched, ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED},
    {kRtModelRunning, ACL_ERROR_RT_MODEL_RUNNING},
    {kRtStreamCaptureWrongThread, ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD},
    {kRtInsufficientInputArray, ACL_ERROR_RT_INSUFFICIENT_INPUT_ARRAY},
    {kRtModelUpdateFailed, ACL_ERROR_RT_MODEL_UPDATE_FAILED},
    {kRtCaptureModeBlockAsync, ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC},
    {kRtChildCapturing, ACL_ERROR_RT_SUB_ACLGRAPH_IS_CAPTURING},
    {kInvalidMaxOpQueueNum, ACL_ERROR_INVALID_MAX_OPQUEUE_NUM_CONFIG},
    {kUnsupportedJpeg, ACL_ERROR_UNSUPPORTED_JPEG},
    {kBadAlloc, ACL_ERROR_BAD_ALLOC},
    {kApiNotSupport, ACL_ERROR_API_NOT_SUPPORT},
    {kFeatureUnsupported, ACL_ERROR_FEATURE_UNSUPPORTED},
    {kRtFeatureNotSupport, ACL_ERROR_RT_FEATURE_NOT_SUPPORT},
    {kRtMemoryAllocation, ACL_ERROR_RT_MEMORY_ALLOCATION},
    {kRtMemoryFree, ACL_ERROR_RT_MEMORY_FREE},
    {kRtNoDevice, ACL_ERROR_RT_NO_DEVICE},
    {kRtResourceAllocFail, ACL_ERROR_RT_RESOURCE_ALLOC_FAIL},
    {kRtNoPermission, ACL_ERROR_RT_NO_PERMISSION},
    {kRtNoEventResource, ACL_ERROR_RT_NO_EVENT_RESOURCE},
    {kRtNoStreamResource, ACL_ERROR_RT_NO_STREAM_RESOURCE},
    {kRtNoNotifyResource, ACL_ERROR_RT_NO_NOTIFY_RESOURCE},
    {kRtOverLimit, ACL_ERROR_RT_OVER_LIMIT},
    {kInternalError, ACL_ERROR_INTERNAL_ERROR},
    {kFailure, ACL_ERROR_FAILURE},
    {kRtInternalError, ACL_ERROR_RT_INTERNAL_ERROR},
    {kRtModelExecute, ACL_ERROR_RT_MODEL_EXECUTE},
    {kRtReportTimeout, ACL_ERROR_RT_REPORT_TIMEOUT},
    {kRtSysDma, ACL_ERROR_RT_SYS_DMA},
    {kRtAicpuException, ACL_ERROR_RT_AICPU_EXCEPTION},
    {kRtVectorCoreException, ACL_ERROR_RT_VECTOR_CORE_EXCEPTION},
    {kRtIpcError, ACL_ERROR_RT_IPC_ERROR},
    {kRtModelAbortNormal, ACL_ERROR_RT_MODEL_ABORT_NORMAL},
    {kRtLabelContext, ACL_ERROR_RT_LABEL_CONTEXT},
    {kRtStreamSyncTimeout, ACL_ERROR_RT_STREAM_SYNC_TIMEOUT},
    {kRtEventSyncTimeout, ACL_ERROR_RT_EVENT_SYNC_TIMEOUT},
    {kRtStreamCaptureInvalidated, ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED},
    {kHostMemoryAlreadyRegistered, ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED},
    {kHostMemoryNotRegistered, ACL_ERROR_HOST_MEMORY_NOT_REGISTERED},
};

constexpr bool AllEqual() {
  for (const Pair& pair : kPairs) {
    if (pair.internal != pair.published) return false;
  }
  return true;
}

static_assert(AllEqual(), "an error number of base/error_codes.h differs from the public headers");

}  // namespace
}  // namespace foothold
