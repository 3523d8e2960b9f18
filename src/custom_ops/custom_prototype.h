// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// From an operator as a shared object describes it to a prototype.
#pragma once

#include "custom_ops/operator_form.h"
#include "prototypes/prototype.h"

namespace foothold {

// Throws kInvalidParam for what makes no sense, with what is wrong.
Prototype PrototypeOf(const custom::Operator& described);

}  // namespace foothold
