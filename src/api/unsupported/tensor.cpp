// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tensor descriptions: functions that are not implemented.
#include "api/unsupported/unsupported.h"

#include "acl/acl_base.h"

namespace {
constexpr foothold::Code kUnsupportedCode = foothold::kApiNotSupport;
}  // namespace

// acl/acl_base.h
FOOTHOLD_UNSUPPORTED(aclTransTensorDescFormat, const aclTensorDesc*, aclFormat, aclTensorDesc**)
