// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Newer programs find the tensor half of acl_base.h under this name.
#ifndef FOOTHOLD_ACL_ACL_BASE_MDL_H_
#define FOOTHOLD_ACL_ACL_BASE_MDL_H_

#include "acl_base.h"

#endif  // FOOTHOLD_ACL_ACL_BASE_MDL_H_
