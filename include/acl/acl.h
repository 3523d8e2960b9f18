// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// AscendCL in one include: what programs usually start with. Operator compilation, profiling, dump, data
// transfer and image functions have headers of their own.
#ifndef FOOTHOLD_ACL_ACL_H_
#define FOOTHOLD_ACL_ACL_H_

#include "acl_mdl.h"
#include "acl_op.h"
#include "acl_rt.h"

// Version of this interface. aclrtGetVersion answers the same numbers.

#define ACL_MAJOR_VERSION 1
#define ACL_MINOR_VERSION 10
#define ACL_PATCH_VERSION 0

#endif  // FOOTHOLD_ACL_ACL_H_
