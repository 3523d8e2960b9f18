// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators that come after the library was loaded: those of the program. FindOp finds them after the
// built-in ones. They stay as long as the process. Any thread.
#pragma once

#include "ops/op.h"

namespace foothold {

// False if there is one of that type already, which stays.
bool RegisterLateOp(OpDef op);

}  // namespace foothold
