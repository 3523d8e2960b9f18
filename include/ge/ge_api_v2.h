// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The second generation of the Graph Engine's interface: messages, as in ge/ge_api.h.
#ifndef FOOTHOLD_GE_GE_API_V2_H_
#define FOOTHOLD_GE_GE_API_V2_H_

#include "ge/ge_api_error_codes.h"
#include "ge/ge_api_types.h"
#include "graph/ascend_string.h"
#include "graph/graph.h"

namespace ge {

GE_FUNC_HOST_VISIBILITY ge::AscendString GEGetErrorMsgV3();
GE_FUNC_HOST_VISIBILITY ge::AscendString GEGetWarningMsgV3();

}  // namespace ge

#endif  // FOOTHOLD_GE_GE_API_V2_H_
