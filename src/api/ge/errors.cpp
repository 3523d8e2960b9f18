// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "api/ge/graph_guard.h"
#include "ge/ge_api.h"
#include "ge/ge_api_v2.h"

namespace ge {
namespace {

AscendString ToAscend(const std::string& text) {
  return {text.data(), text.size()};
}

}  // namespace

ge::AscendString GEGetErrorMsgV2() {
  return foothold::GuardGraphValue("GEGetErrorMsg", [] { return ToAscend(foothold::TakeGraphErrors()); });
}

ge::AscendString GEGetErrorMsgV3() {
  return GEGetErrorMsgV2();
}

ge::AscendString GEGetWarningMsgV2() {
  return foothold::GuardGraphValue("GEGetWarningMsg", [] { return ToAscend(foothold::TakeGraphWarnings()); });
}

ge::AscendString GEGetWarningMsgV3() {
  return GEGetWarningMsgV2();
}

}  // namespace ge
