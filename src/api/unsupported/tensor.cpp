// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tensor descriptions, and tensors and executors of the aclnn interface: functions that are not implemented.
#include "api/unsupported/unsupported.h"

#include "acl/acl_base.h"
#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"

namespace {
constexpr foothold::Code kUnsupportedCode = foothold::kApiNotSupport;
}  // namespace

// acl/acl_base.h
FOOTHOLD_UNSUPPORTED(aclTransTensorDescFormat, const aclTensorDesc*, aclFormat, aclTensorDesc**)

// aclnn/acl_meta.h
FOOTHOLD_UNSUPPORTED_VALUE(aclTensor*, nullptr, aclCreateTensor, const int64_t*, uint64_t, aclDataType,
                           const int64_t*, int64_t, aclFormat, const int64_t*, uint64_t, void*)
FOOTHOLD_UNSUPPORTED(aclDestroyTensor, const aclTensor*)
FOOTHOLD_UNSUPPORTED(aclInitTensor, aclTensor*, const int64_t*, uint64_t, aclDataType, const int64_t*,
                     int64_t, aclFormat, const int64_t*, uint64_t, void*)
FOOTHOLD_UNSUPPORTED(aclGetViewShape, const aclTensor*, int64_t**, uint64_t*)
FOOTHOLD_UNSUPPORTED(aclGetStorageShape, const aclTensor*, int64_t**, uint64_t*)
FOOTHOLD_UNSUPPORTED(aclGetViewStrides, const aclTensor*, int64_t**, uint64_t*)
FOOTHOLD_UNSUPPORTED(aclGetViewOffset, const aclTensor*, int64_t*)
FOOTHOLD_UNSUPPORTED(aclGetFormat, const aclTensor*, aclFormat*)
FOOTHOLD_UNSUPPORTED(aclGetDataType, const aclTensor*, aclDataType*)
FOOTHOLD_UNSUPPORTED(aclGetRawTensorAddr, const aclTensor*, void**)
FOOTHOLD_UNSUPPORTED(aclSetRawTensorAddr, aclTensor*, void*)
FOOTHOLD_UNSUPPORTED(aclDumpOpTensors, const char*, const char*, aclTensor**, size_t, size_t, aclrtStream)
FOOTHOLD_UNSUPPORTED_VALUE(aclScalar*, nullptr, aclCreateScalar, void*, aclDataType)
FOOTHOLD_UNSUPPORTED(aclDestroyScalar, const aclScalar*)
FOOTHOLD_UNSUPPORTED_VALUE(aclIntArray*, nullptr, aclCreateIntArray, const int64_t*, uint64_t)
FOOTHOLD_UNSUPPORTED(aclDestroyIntArray, const aclIntArray*)
FOOTHOLD_UNSUPPORTED(aclGetIntArraySize, const aclIntArray*, uint64_t*)
FOOTHOLD_UNSUPPORTED_VALUE(aclFloatArray*, nullptr, aclCreateFloatArray, const float*, uint64_t)
FOOTHOLD_UNSUPPORTED(aclDestroyFloatArray, const aclFloatArray*)
FOOTHOLD_UNSUPPORTED(aclGetFloatArraySize, const aclFloatArray*, uint64_t*)
FOOTHOLD_UNSUPPORTED_VALUE(aclBoolArray*, nullptr, aclCreateBoolArray, const bool*, uint64_t)
FOOTHOLD_UNSUPPORTED(aclDestroyBoolArray, const aclBoolArray*)
FOOTHOLD_UNSUPPORTED(aclGetBoolArraySize, const aclBoolArray*, uint64_t*)
FOOTHOLD_UNSUPPORTED_VALUE(aclTensorList*, nullptr, aclCreateTensorList, const aclTensor* const*, uint64_t)
FOOTHOLD_UNSUPPORTED(aclDestroyTensorList, const aclTensorList*)
FOOTHOLD_UNSUPPORTED(aclGetTensorListSize, const aclTensorList*, uint64_t*)
FOOTHOLD_UNSUPPORTED_VALUE(aclScalarList*, nullptr, aclCreateScalarList, const aclScalar* const*, uint64_t)
FOOTHOLD_UNSUPPORTED(aclDestroyScalarList, const aclScalarList*)
FOOTHOLD_UNSUPPORTED(aclGetScalarListSize, const aclScalarList*, uint64_t*)
FOOTHOLD_UNSUPPORTED(aclSetAclOpExecutorRepeatable, aclOpExecutor*)
FOOTHOLD_UNSUPPORTED(aclDestroyAclOpExecutor, aclOpExecutor*)
FOOTHOLD_UNSUPPORTED(aclSetTensorAddr, aclOpExecutor*, const size_t, aclTensor*, void*)
FOOTHOLD_UNSUPPORTED(aclSetInputTensorAddr, aclOpExecutor*, const size_t, aclTensor*, void*)
FOOTHOLD_UNSUPPORTED(aclSetOutputTensorAddr, aclOpExecutor*, const size_t, aclTensor*, void*)
FOOTHOLD_UNSUPPORTED(aclSetDynamicTensorAddr, aclOpExecutor*, size_t, const size_t, aclTensorList*, void*)
FOOTHOLD_UNSUPPORTED(aclSetDynamicInputTensorAddr, aclOpExecutor*, size_t, const size_t, aclTensorList*,
                     void*)
FOOTHOLD_UNSUPPORTED(aclSetDynamicOutputTensorAddr, aclOpExecutor*, size_t, const size_t, aclTensorList*,
                     void*)
FOOTHOLD_UNSUPPORTED(AclSetTensorAddr, aclOpExecutor*, const size_t, aclTensor*, void*)
FOOTHOLD_UNSUPPORTED(AclSetInputTensorAddr, aclOpExecutor*, const size_t, aclTensor*, void*)
FOOTHOLD_UNSUPPORTED(AclSetOutputTensorAddr, aclOpExecutor*, const size_t, aclTensor*, void*)
FOOTHOLD_UNSUPPORTED(AclSetDynamicTensorAddr, aclOpExecutor*, size_t, const size_t, aclTensorList*, void*)
FOOTHOLD_UNSUPPORTED(AclSetDynamicInputTensorAddr, aclOpExecutor*, size_t, const size_t, aclTensorList*,
                     void*)
FOOTHOLD_UNSUPPORTED(AclSetDynamicOutputTensorAddr, aclOpExecutor*, size_t, const size_t, aclTensorList*,
                     void*)

// aclnn/aclnn_base.h
FOOTHOLD_UNSUPPORTED(aclnnInit, const char*)
FOOTHOLD_UNSUPPORTED(aclnnFinalize)
