// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Single operators, their compilation and matrix products: functions that are not implemented.
#include "api/unsupported.h"

#include "acl/acl_op.h"
#include "acl/acl_op_compiler.h"
#include "acl/ops/acl_cblas.h"

namespace {
constexpr foothold::Code kUnsupportedCode = foothold::kApiNotSupport;
}  // namespace

// acl/acl_op.h
FOOTHOLD_UNSUPPORTED(aclopSetModelDir, const char*)
FOOTHOLD_UNSUPPORTED(aclopLoad, const void*, size_t)
FOOTHOLD_UNSUPPORTED(aclopSetMaxOpQueueNum, uint64_t)
FOOTHOLD_UNSUPPORTED_VALUE(aclopAttr*, nullptr, aclopCreateAttr)
FOOTHOLD_UNSUPPORTED_VOID(aclopDestroyAttr, const aclopAttr*)
FOOTHOLD_UNSUPPORTED(aclopSetAttrBool, aclopAttr*, const char*, uint8_t)
FOOTHOLD_UNSUPPORTED(aclopSetAttrInt, aclopAttr*, const char*, int64_t)
FOOTHOLD_UNSUPPORTED(aclopSetAttrFloat, aclopAttr*, const char*, float)
FOOTHOLD_UNSUPPORTED(aclopSetAttrString, aclopAttr*, const char*, const char*)
FOOTHOLD_UNSUPPORTED(aclopSetAttrDataType, aclopAttr*, const char*, aclDataType)
FOOTHOLD_UNSUPPORTED(aclopSetAttrListBool, aclopAttr*, const char*, int, const uint8_t*)
FOOTHOLD_UNSUPPORTED(aclopSetAttrListInt, aclopAttr*, const char*, int, const int64_t*)
FOOTHOLD_UNSUPPORTED(aclopSetAttrListFloat, aclopAttr*, const char*, int, const float*)
FOOTHOLD_UNSUPPORTED(aclopSetAttrListString, aclopAttr*, const char*, int, const char**)
FOOTHOLD_UNSUPPORTED(aclopSetAttrListDataType, aclopAttr*, const char*, int, const aclDataType*)
FOOTHOLD_UNSUPPORTED(aclopSetAttrListListInt, aclopAttr*, const char*, int, const int*, const int64_t* const*)
FOOTHOLD_UNSUPPORTED(aclopExecuteV2, const char*, int, aclTensorDesc**, aclDataBuffer**, int, aclTensorDesc**,
                     aclDataBuffer**, aclopAttr*, aclrtStream)
FOOTHOLD_UNSUPPORTED(aclopExecute, const char*, int, const aclTensorDesc* const*, const aclDataBuffer* const*,
                     int, const aclTensorDesc* const*, aclDataBuffer* const*, const aclopAttr*, aclrtStream)
FOOTHOLD_UNSUPPORTED(aclopCreateHandle, const char*, int, const aclTensorDesc* const*, int,
                     const aclTensorDesc* const*, const aclopAttr*, aclopHandle**)
FOOTHOLD_UNSUPPORTED_VOID(aclopDestroyHandle, aclopHandle*)
FOOTHOLD_UNSUPPORTED(aclopExecWithHandle, aclopHandle*, int, const aclDataBuffer* const*, int,
                     aclDataBuffer* const*, aclrtStream)
FOOTHOLD_UNSUPPORTED(aclopCast, const aclTensorDesc*, const aclDataBuffer*, const aclTensorDesc*,
                     aclDataBuffer*, uint8_t, aclrtStream)
FOOTHOLD_UNSUPPORTED(aclopCreateHandleForCast, aclTensorDesc*, aclTensorDesc*, uint8_t, aclopHandle**)
FOOTHOLD_UNSUPPORTED(aclopInferShape, const char*, int, aclTensorDesc**, aclDataBuffer**, int,
                     aclTensorDesc**, aclopAttr*)
FOOTHOLD_UNSUPPORTED(aclopRegisterCompileFunc, const char*, aclopCompileFunc)
FOOTHOLD_UNSUPPORTED(aclopUnregisterCompileFunc, const char*)
FOOTHOLD_UNSUPPORTED(aclopCreateKernel, const char*, const char*, const char*, void*, int, aclopEngineType,
                     aclDataDeallocator)
FOOTHOLD_UNSUPPORTED(aclopSetKernelArgs, aclopKernelDesc*, const char*, uint32_t, const void*, uint32_t)
FOOTHOLD_UNSUPPORTED(aclopSetKernelWorkspaceSizes, aclopKernelDesc*, int, size_t*)
FOOTHOLD_UNSUPPORTED(aclopUpdateParams, const char*, int, const aclTensorDesc* const*, int,
                     const aclTensorDesc* const*, const aclopAttr*)
FOOTHOLD_UNSUPPORTED(aclopStartDumpArgs, uint32_t, const char*)
FOOTHOLD_UNSUPPORTED(aclopStopDumpArgs, uint32_t)

// acl/acl_op_compiler.h
FOOTHOLD_UNSUPPORTED(aclSetCompileopt, aclCompileOpt, const char*)
FOOTHOLD_UNSUPPORTED(aclGetCompileopt, aclCompileOpt, char*, size_t)
FOOTHOLD_UNSUPPORTED_VALUE(size_t, 0, aclGetCompileoptSize, aclCompileOpt)
FOOTHOLD_UNSUPPORTED(aclopSetCompileFlag, aclOpCompileFlag)
FOOTHOLD_UNSUPPORTED(aclopCompile, const char*, int, const aclTensorDesc* const*, int,
                     const aclTensorDesc* const*, const aclopAttr*, aclopEngineType, aclopCompileType,
                     const char*)
FOOTHOLD_UNSUPPORTED(aclopCompileAndExecute, const char*, int, const aclTensorDesc* const*,
                     const aclDataBuffer* const*, int, const aclTensorDesc* const*, aclDataBuffer* const*,
                     const aclopAttr*, aclopEngineType, aclopCompileType, const char*, aclrtStream)
FOOTHOLD_UNSUPPORTED(aclopCompileAndExecuteV2, const char*, int, aclTensorDesc**, aclDataBuffer**, int,
                     aclTensorDesc**, aclDataBuffer**, aclopAttr*, aclopEngineType, aclopCompileType,
                     const char*, aclrtStream)
FOOTHOLD_UNSUPPORTED_VALUE(aclGraphDumpOption*, nullptr, aclCreateGraphDumpOpt)
FOOTHOLD_UNSUPPORTED(aclDestroyGraphDumpOpt, const aclGraphDumpOption*)
FOOTHOLD_UNSUPPORTED(aclGenGraphAndDumpForOp, const char*, int, const aclTensorDesc* const*,
                     const aclDataBuffer* const*, int, const aclTensorDesc* const*, aclDataBuffer* const*,
                     const aclopAttr*, aclopEngineType, const char*, const aclGraphDumpOption*)

// acl/ops/acl_cblas.h
FOOTHOLD_UNSUPPORTED(aclblasGemmEx, aclTransType, aclTransType, aclTransType, int, int, int, const void*,
                     const void*, int, aclDataType, const void*, int, aclDataType, const void*, void*, int,
                     aclDataType, aclComputeType, aclrtStream)
FOOTHOLD_UNSUPPORTED(aclblasCreateHandleForGemmEx, aclTransType, aclTransType, aclTransType, int, int, int,
                     aclDataType, aclDataType, aclDataType, aclComputeType, aclopHandle**)
FOOTHOLD_UNSUPPORTED(aclblasHgemm, aclTransType, aclTransType, aclTransType, int, int, int, const aclFloat16*,
                     const aclFloat16*, int, const aclFloat16*, int, const aclFloat16*, aclFloat16*, int,
                     aclComputeType, aclrtStream)
FOOTHOLD_UNSUPPORTED(aclblasCreateHandleForHgemm, aclTransType, aclTransType, aclTransType, int, int, int,
                     aclComputeType, aclopHandle**)
FOOTHOLD_UNSUPPORTED(aclblasS8gemm, aclTransType, aclTransType, aclTransType, int, int, int, const int32_t*,
                     const int8_t*, int, const int8_t*, int, const int32_t*, int32_t*, int, aclComputeType,
                     aclrtStream)
FOOTHOLD_UNSUPPORTED(aclblasCreateHandleForS8gemm, aclTransType, aclTransType, aclTransType, int, int, int,
                     aclComputeType, aclopHandle**)
FOOTHOLD_UNSUPPORTED(aclblasGemvEx, aclTransType, int, int, const void*, const void*, int, aclDataType,
                     const void*, int, aclDataType, const void*, void*, int, aclDataType, aclComputeType,
                     aclrtStream)
FOOTHOLD_UNSUPPORTED(aclblasCreateHandleForGemvEx, aclTransType, int, int, aclDataType, aclDataType,
                     aclDataType, aclComputeType, aclopHandle**)
FOOTHOLD_UNSUPPORTED(aclblasHgemv, aclTransType, int, int, const aclFloat16*, const aclFloat16*, int,
                     const aclFloat16*, int, const aclFloat16*, aclFloat16*, int, aclComputeType, aclrtStream)
FOOTHOLD_UNSUPPORTED(aclblasCreateHandleForHgemv, aclTransType, int, int, aclComputeType, aclopHandle**)
FOOTHOLD_UNSUPPORTED(aclblasS8gemv, aclTransType, int, int, const int32_t*, const int8_t*, int, const int8_t*,
                     int, const int32_t*, int32_t*, int, aclComputeType, aclrtStream)
FOOTHOLD_UNSUPPORTED(aclblasCreateHandleForS8gemv, aclTransType, int, int, aclComputeType, aclopHandle**)
