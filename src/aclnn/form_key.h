// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What is equal for calls which the same prepared form serves: everything of the arguments but addresses, and
// numbers only as far as mappings have asked (late_number.h). Any thread.
#pragma once

#include "aclnn/late_number.h"
#include "calls/call_key.h"

namespace foothold::aclnn {

// Of arguments that were checked. `asked` is what the mapping of the function has asked so far: keys that
// were made with a shorter list differ.
void AppendArguments(CallKey& key, const Arguments& arguments, const AskedList& asked);

}  // namespace foothold::aclnn
