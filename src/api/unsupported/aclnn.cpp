// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Functions beside the aclnn operators that answer at once: those that are not implemented.
#include "api/unsupported/unsupported.h"

#include "aclnnop/aclnn_npu_format_cast.h"
#include "aclnnop/aclnn_trans_matmul_weight.h"

namespace {
constexpr foothold::Code kUnsupportedCode = foothold::kApiNotSupport;
}  // namespace

FOOTHOLD_UNSUPPORTED(aclnnCalculateMatmulWeightSizeV2, const aclIntArray*, aclDataType, uint64_t*)
FOOTHOLD_UNSUPPORTED(aclnnNpuFormatCastCalculateSizeAndFormat, const aclTensor*, int, int, int64_t**,
                     uint64_t*, int*)

// Programs look these up by name; no header has them.
extern "C" ACL_FUNC_VISIBILITY aclnnStatus aclnnReselectStaticKernel();
extern "C" ACL_FUNC_VISIBILITY aclnnStatus aclnnReselectStaticKernelWithPath(const char* path);
FOOTHOLD_UNSUPPORTED(aclnnReselectStaticKernel)
FOOTHOLD_UNSUPPORTED(aclnnReselectStaticKernelWithPath, const char*)
