// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Functions beside the aclnn operators that answer at once: those that are not implemented.
#include "api/unsupported/unsupported.h"

#include "aclnn/aclnn_base.h"

namespace {
constexpr foothold::Code kUnsupportedCode = foothold::kApiNotSupport;
}  // namespace

// Programs look these up by name; no header has them.
extern "C" ACL_FUNC_VISIBILITY aclnnStatus aclnnReselectStaticKernel();
extern "C" ACL_FUNC_VISIBILITY aclnnStatus aclnnReselectStaticKernelWithPath(const char* path);
FOOTHOLD_UNSUPPORTED(aclnnReselectStaticKernel)
FOOTHOLD_UNSUPPORTED(aclnnReselectStaticKernelWithPath, const char*)
