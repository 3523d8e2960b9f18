// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The error numbers of single operators are the public ones. This file only has to compile.
#include "acl/acl_base.h"
#include "single_op/op_codes.h"

namespace foothold {

static_assert(kOpInputNotMatch == ACL_ERROR_OP_INPUT_NOT_MATCH);
static_assert(kOpOutputNotMatch == ACL_ERROR_OP_OUTPUT_NOT_MATCH);
static_assert(kOpAttrNotMatch == ACL_ERROR_OP_ATTR_NOT_MATCH);
static_assert(kOpNotFound == ACL_ERROR_OP_NOT_FOUND);
static_assert(kOpLoadFailed == ACL_ERROR_OP_LOAD_FAILED);
static_assert(kOpUnsupportedDynamic == ACL_ERROR_OP_UNSUPPORTED_DYNAMIC);

}  // namespace foothold
