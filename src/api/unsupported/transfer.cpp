// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Channels and queues: functions that are not implemented.
#include "api/unsupported/unsupported.h"

#include "acl/acl_tdt.h"
#include "acl/acl_tdt_queue.h"

namespace {
constexpr foothold::Code kUnsupportedCode = foothold::kApiNotSupport;
}  // namespace

// acl/acl_tdt.h
FOOTHOLD_UNSUPPORTED_VALUE(acltdtDataItem*, nullptr, acltdtCreateDataItem, acltdtTensorType, const int64_t*,
                           size_t, aclDataType, void*, size_t)
FOOTHOLD_UNSUPPORTED(acltdtDestroyDataItem, acltdtDataItem*)
FOOTHOLD_UNSUPPORTED_VALUE(acltdtTensorType, ACL_TENSOR_DATA_UNDEFINED, acltdtGetTensorTypeFromItem,
                           const acltdtDataItem*)
FOOTHOLD_UNSUPPORTED_VALUE(aclDataType, ACL_DT_UNDEFINED, acltdtGetDataTypeFromItem, const acltdtDataItem*)
FOOTHOLD_UNSUPPORTED_VALUE(void*, nullptr, acltdtGetDataAddrFromItem, const acltdtDataItem*)
FOOTHOLD_UNSUPPORTED_VALUE(size_t, 0, acltdtGetDataSizeFromItem, const acltdtDataItem*)
FOOTHOLD_UNSUPPORTED_VALUE(size_t, 0, acltdtGetDimNumFromItem, const acltdtDataItem*)
FOOTHOLD_UNSUPPORTED(acltdtGetDimsFromItem, const acltdtDataItem*, int64_t*, size_t)
FOOTHOLD_UNSUPPORTED(acltdtGetSliceInfoFromItem, const acltdtDataItem*, size_t*, size_t*)
FOOTHOLD_UNSUPPORTED_VALUE(acltdtDataset*, nullptr, acltdtCreateDataset)
FOOTHOLD_UNSUPPORTED(acltdtDestroyDataset, acltdtDataset*)
FOOTHOLD_UNSUPPORTED(acltdtAddDataItem, acltdtDataset*, acltdtDataItem*)
FOOTHOLD_UNSUPPORTED_VALUE(acltdtDataItem*, nullptr, acltdtGetDataItem, const acltdtDataset*, size_t)
FOOTHOLD_UNSUPPORTED_VALUE(size_t, 0, acltdtGetDatasetSize, const acltdtDataset*)
FOOTHOLD_UNSUPPORTED_VALUE(const char*, nullptr, acltdtGetDatasetName, const acltdtDataset*)
FOOTHOLD_UNSUPPORTED_VALUE(acltdtChannelHandle*, nullptr, acltdtCreateChannel, uint32_t, const char*)
FOOTHOLD_UNSUPPORTED_VALUE(acltdtChannelHandle*, nullptr, acltdtCreateChannelWithCapacity, uint32_t,
                           const char*, size_t)
FOOTHOLD_UNSUPPORTED(acltdtStopChannel, acltdtChannelHandle*)
FOOTHOLD_UNSUPPORTED(acltdtDestroyChannel, acltdtChannelHandle*)
FOOTHOLD_UNSUPPORTED(acltdtSendTensor, const acltdtChannelHandle*, const acltdtDataset*, int32_t)
FOOTHOLD_UNSUPPORTED(acltdtReceiveTensor, const acltdtChannelHandle*, acltdtDataset*, int32_t)
FOOTHOLD_UNSUPPORTED(acltdtQueryChannelSize, const acltdtChannelHandle*, size_t*)
FOOTHOLD_UNSUPPORTED(acltdtCleanChannel, acltdtChannelHandle*)

// acl/acl_tdt_queue.h
FOOTHOLD_UNSUPPORTED_VALUE(acltdtQueueAttr*, nullptr, acltdtCreateQueueAttr)
FOOTHOLD_UNSUPPORTED(acltdtDestroyQueueAttr, const acltdtQueueAttr*)
FOOTHOLD_UNSUPPORTED(acltdtSetQueueAttr, acltdtQueueAttr*, acltdtQueueAttrType, size_t, const void*)
FOOTHOLD_UNSUPPORTED(acltdtGetQueueAttr, const acltdtQueueAttr*, acltdtQueueAttrType, size_t, size_t*, void*)
FOOTHOLD_UNSUPPORTED(acltdtCreateQueue, const acltdtQueueAttr*, uint32_t*)
FOOTHOLD_UNSUPPORTED(acltdtDestroyQueue, uint32_t)
FOOTHOLD_UNSUPPORTED(acltdtGrantQueue, uint32_t, int32_t, uint32_t, int32_t)
FOOTHOLD_UNSUPPORTED(acltdtAttachQueue, uint32_t, int32_t, uint32_t*)
FOOTHOLD_UNSUPPORTED(acltdtEnqueue, uint32_t, acltdtBuf, int32_t)
FOOTHOLD_UNSUPPORTED(acltdtDequeue, uint32_t, acltdtBuf*, int32_t)
FOOTHOLD_UNSUPPORTED(acltdtEnqueueData, uint32_t, const void*, size_t, const void*, size_t, int32_t, uint32_t)
FOOTHOLD_UNSUPPORTED(acltdtDequeueData, uint32_t, void*, size_t, size_t*, void*, size_t, int32_t)
FOOTHOLD_UNSUPPORTED_VALUE(acltdtQueueRoute*, nullptr, acltdtCreateQueueRoute, uint32_t, uint32_t)
FOOTHOLD_UNSUPPORTED(acltdtDestroyQueueRoute, const acltdtQueueRoute*)
FOOTHOLD_UNSUPPORTED(acltdtGetQueueRouteParam, const acltdtQueueRoute*, acltdtQueueRouteParamType, size_t,
                     size_t*, void*)
FOOTHOLD_UNSUPPORTED_VALUE(acltdtQueueRouteList*, nullptr, acltdtCreateQueueRouteList)
FOOTHOLD_UNSUPPORTED(acltdtDestroyQueueRouteList, const acltdtQueueRouteList*)
FOOTHOLD_UNSUPPORTED(acltdtAddQueueRoute, acltdtQueueRouteList*, const acltdtQueueRoute*)
FOOTHOLD_UNSUPPORTED(acltdtGetQueueRoute, const acltdtQueueRouteList*, size_t, acltdtQueueRoute*)
FOOTHOLD_UNSUPPORTED_VALUE(size_t, 0, acltdtGetQueueRouteNum, const acltdtQueueRouteList*)
FOOTHOLD_UNSUPPORTED(acltdtBindQueueRoutes, acltdtQueueRouteList*)
FOOTHOLD_UNSUPPORTED(acltdtUnbindQueueRoutes, acltdtQueueRouteList*)
FOOTHOLD_UNSUPPORTED_VALUE(acltdtQueueRouteQueryInfo*, nullptr, acltdtCreateQueueRouteQueryInfo)
FOOTHOLD_UNSUPPORTED(acltdtDestroyQueueRouteQueryInfo, const acltdtQueueRouteQueryInfo*)
FOOTHOLD_UNSUPPORTED(acltdtSetQueueRouteQueryInfo, acltdtQueueRouteQueryInfo*,
                     acltdtQueueRouteQueryInfoParamType, size_t, const void*)
FOOTHOLD_UNSUPPORTED(acltdtQueryQueueRoutes, const acltdtQueueRouteQueryInfo*, acltdtQueueRouteList*)
FOOTHOLD_UNSUPPORTED(acltdtAllocBuf, size_t, uint32_t, acltdtBuf*)
FOOTHOLD_UNSUPPORTED(acltdtFreeBuf, acltdtBuf)
FOOTHOLD_UNSUPPORTED(acltdtSetBufDataLen, acltdtBuf, size_t)
FOOTHOLD_UNSUPPORTED(acltdtGetBufDataLen, acltdtBuf, size_t*)
FOOTHOLD_UNSUPPORTED(acltdtGetBufData, const acltdtBuf, void**, size_t*)
FOOTHOLD_UNSUPPORTED(acltdtSetBufUserData, acltdtBuf, const void*, size_t, size_t)
FOOTHOLD_UNSUPPORTED(acltdtGetBufUserData, const acltdtBuf, void*, size_t, size_t)
FOOTHOLD_UNSUPPORTED(acltdtCopyBufRef, const acltdtBuf, acltdtBuf*)
FOOTHOLD_UNSUPPORTED(acltdtAppendBufChain, acltdtBuf, acltdtBuf)
FOOTHOLD_UNSUPPORTED(acltdtGetBufChainNum, acltdtBuf, uint32_t*)
FOOTHOLD_UNSUPPORTED(acltdtGetBufFromChain, acltdtBuf, uint32_t, acltdtBuf*)
