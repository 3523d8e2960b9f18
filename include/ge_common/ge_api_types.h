// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Another name of ge/ge_api_types.h.
#ifndef FOOTHOLD_GE_COMMON_GE_API_TYPES_H_
#define FOOTHOLD_GE_COMMON_GE_API_TYPES_H_

#include "ge/ge_api_types.h"

#endif  // FOOTHOLD_GE_COMMON_GE_API_TYPES_H_
