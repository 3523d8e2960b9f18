// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The Graph Engine's messages: what failed and doubtful calls of this thread, and of the engine's own
// threads, have left since the last question. One message per line, empty when there is none. Any thread.
#ifndef FOOTHOLD_GE_GE_API_H_
#define FOOTHOLD_GE_GE_API_H_

#include <string>

#include "ge/ge_api_error_codes.h"
#include "ge/ge_api_types.h"
#include "graph/ascend_string.h"
#include "graph/graph.h"
#include "graph/string_overloads.h"
#include "graph/tensor.h"

namespace ge {

GE_FUNC_HOST_VISIBILITY ge::AscendString GEGetErrorMsgV2();
GE_FUNC_HOST_VISIBILITY ge::AscendString GEGetWarningMsgV2();

inline std::string GEGetErrorMsg() {
  return string_overloads::FromAscend(GEGetErrorMsgV2());
}

inline std::string GEGetWarningMsg() {
  return string_overloads::FromAscend(GEGetWarningMsgV2());
}

}  // namespace ge

#endif  // FOOTHOLD_GE_GE_API_H_
