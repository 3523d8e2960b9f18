// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <string>

#include "acl/acl_base.h"
#include "api/guard.h"
#include "base/environment.h"

using namespace foothold;

// Programs that adapt other frameworks look it up by name; no header declares it.
extern "C" ACL_FUNC_VISIBILITY const char* aclGetCustomOpLibPath();

// Where the operators of the program are; empty if nothing says so. As it is when first asked for.
const char* aclGetCustomOpLibPath() {
  return GuardValue(FOOTHOLD_CALL(), "", [] {
    static const auto* const path = new std::string(GetEnv("ASCEND_CUSTOM_OPP_PATH").value_or(""));
    return path->c_str();
  });
}
