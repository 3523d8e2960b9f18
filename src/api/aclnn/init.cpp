// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Start and end of aclnn. Operators work without either: everything they need is made when it is first used.
#include "aclnn/aclnn_base.h"
#include "aclnn/aclnn_codes.h"
#include "api/guard.h"
#include "api/status.h"
#include "base/config.h"

using namespace foothold;

namespace {

// Nothing it may ask for exists here; a file that cannot be read is a mistake all the same.
void CheckConfig(const char* path) try {
  if (path != nullptr) LoadInitConfig(path);
} catch (const Error& error) {
  Fail(aclnn::kParamInvalid, "{}", error.message());
}

}  // namespace

FOOTHOLD_WITHOUT_EFFECT(aclnnInit);
aclnnStatus aclnnInit(const char* configPath) {
  return Guard(FOOTHOLD_CALL(configPath), [&] { CheckConfig(configPath); });
}

FOOTHOLD_WITHOUT_EFFECT(aclnnFinalize);
aclnnStatus aclnnFinalize(void) {
  return Guard(FOOTHOLD_CALL(), [] {});
}
