// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Error numbers of models and graphs, under the Graph Engine's path.
#ifndef FOOTHOLD_GE_GE_ERROR_CODES_H_
#define FOOTHOLD_GE_GE_ERROR_CODES_H_

#include "acl/error_codes/ge_error_codes.h"

#endif  // FOOTHOLD_GE_GE_ERROR_CODES_H_
