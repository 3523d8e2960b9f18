// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Error numbers used inside the library. They are the public numbers (aclError), so that one error keeps one
// number from the place that sees it to the caller; api/codes/error_codes_check.cpp holds them equal to the
// headers.
#pragma once

namespace foothold {

enum Code : int {
  kSuccess = 0,
  kInvalidParam = 100000,
  kUninitialized = 100001,
  kRepeatInitialize = 100002,
  kInvalidFile = 100003,
  kInvalidFileSize = 100005,
  kParseFile = 100006,
  kInvalidDumpConfig = 100009,
  kInvalidProfilingConfig = 100010,
  kRepeatFinalize = 100037,
  kRtParamInvalid = 107000,
  kRtInvalidDeviceId = 107001,
  kRtContextNull = 107002,
  kRtStreamContext = 107003,
  kRtStreamModel = 107005,
  kRtEventTimestampInvalid = 107006,
  kRtEventTimestampReversal = 107007,
  kRtAddrUnaligned = 107008,
  kRtStreamSubscribe = 107011,
  kRtThreadSubscribe = 107012,
  kRtGroupNotSet = 107013,
  kRtGroupNotCreate = 107014,
  kRtStreamNoCallbackThread = 107015,
  kRtInvalidMemoryType = 107016,
  kRtInvalidHandle = 107017,
  kRtInvalidMallocType = 107018,
  kRtWaitTimeout = 107019,
  kRtSysParamOptNotSet = 107021,
  kRtDeviceTaskAbort = 107022,
  kRtStreamAbort = 107023,
  kRtStreamNotCaptured = 107029,
  kInvalidMaxOpQueueNum = 148048,
  kBadAlloc = 200000,
  kApiNotSupport = 200001,
  kFeatureUnsupported = 200006,
  kRtFeatureNotSupport = 207000,
  kRtMemoryAllocation = 207001,
  kRtMemoryFree = 207002,
  kRtNoDevice = 207004,
  kRtResourceAllocFail = 207005,
  kRtNoEventResource = 207007,
  kRtNoStreamResource = 207008,
  kRtNoNotifyResource = 207009,
  kRtOverLimit = 207012,
  kInternalError = 500000,
  kFailure = 500001,
  kRtInternalError = 507000,
  kRtReportTimeout = 507012,
  kRtSysDma = 507013,
  kRtAicpuException = 507018,
  kRtVectorCoreException = 507035,
  kRtStreamSyncTimeout = 507046,
  kRtEventSyncTimeout = 507047,
  kHostMemoryAlreadyRegistered = 507910,
  kHostMemoryNotRegistered = 507911,
};

}  // namespace foothold
