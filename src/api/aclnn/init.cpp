// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Start and end of aclnn. Operators work without either: everything they need is made when it is first used.
#include "aclnn/aclnn_base.h"
#include "aclnn/forms.h"
#include "api/guard.h"
#include "api/status.h"
#include "base/data_file.h"

using namespace foothold;

FOOTHOLD_WITHOUT_EFFECT(aclnnInit);
aclnnStatus aclnnInit(const char* configPath) {
  return Guard(FOOTHOLD_CALL(configPath), [] {});
}

FOOTHOLD_WITHOUT_EFFECT(aclnnFinalize);
aclnnStatus aclnnFinalize(void) {
  return Guard(FOOTHOLD_CALL(), [] {});
}
