// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Numbers of collectives are those of the headers. This file only has to compile.
#include "acl/acl_base.h"
#include "collectives/codes.h"
#include "collectives/element.h"
#include "hccl/hccl_types.h"

namespace foothold::collectives {

static_assert(int{kHcclPara} == HCCL_E_PARA);
static_assert(int{kHcclNullPointer} == HCCL_E_PTR);
static_assert(int{kHcclMemory} == HCCL_E_MEMORY);
static_assert(int{kHcclInternal} == HCCL_E_INTERNAL);
static_assert(int{kHcclNotSupport} == HCCL_E_NOT_SUPPORT);
static_assert(int{kHcclNotFound} == HCCL_E_NOT_FOUND);
static_assert(int{kHcclUnavailable} == HCCL_E_UNAVAIL);
static_assert(int{kHcclSystemCall} == HCCL_E_SYSCALL);
static_assert(int{kHcclTimeout} == HCCL_E_TIMEOUT);
static_assert(int{kHcclOpenFile} == HCCL_E_OPEN_FILE_FAILURE);
static_assert(int{kHcclTcpConnect} == HCCL_E_TCP_CONNECT);
static_assert(int{kHcclRuntime} == HCCL_E_RUNTIME);
static_assert(int{kHcclAgain} == HCCL_E_AGAIN);
static_assert(int{kHcclRemote} == HCCL_E_REMOTE);
static_assert(int{kHcclSuspending} == HCCL_E_SUSPENDING);
static_assert(kLastHcclCode == HCCL_E_OOM);
static_assert(int{kRtSuspectRemote} == ACL_ERROR_RT_SUSPECT_REMOTE_ERROR);

#define SAME(ours, theirs) static_assert(static_cast<int>(Element::ours) == HCCL_DATA_TYPE_##theirs)
SAME(kInt8, INT8);
SAME(kInt16, INT16);
SAME(kInt32, INT32);
SAME(kFloat16, FP16);
SAME(kFloat32, FP32);
SAME(kInt64, INT64);
SAME(kUint64, UINT64);
SAME(kUint8, UINT8);
SAME(kUint16, UINT16);
SAME(kUint32, UINT32);
SAME(kFloat64, FP64);
SAME(kBfloat16, BFP16);
SAME(kInt128, INT128);
SAME(kHifloat8, HIF8);
SAME(kFloat8E4m3, FP8E4M3);
SAME(kFloat8E5m2, FP8E5M2);
SAME(kFloat8E8m0, FP8E8M0);
#undef SAME
static_assert(static_cast<int>(Reduction::kSum) == HCCL_REDUCE_SUM);
static_assert(static_cast<int>(Reduction::kProduct) == HCCL_REDUCE_PROD);
static_assert(static_cast<int>(Reduction::kMaximum) == HCCL_REDUCE_MAX);
static_assert(static_cast<int>(Reduction::kMinimum) == HCCL_REDUCE_MIN);

}  // namespace foothold::collectives
