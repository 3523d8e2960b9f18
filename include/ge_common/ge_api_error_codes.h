// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Another name of ge/ge_api_error_codes.h.
#ifndef FOOTHOLD_GE_COMMON_GE_API_ERROR_CODES_H_
#define FOOTHOLD_GE_COMMON_GE_API_ERROR_CODES_H_

#include "ge/ge_api_error_codes.h"

#endif  // FOOTHOLD_GE_COMMON_GE_API_ERROR_CODES_H_
