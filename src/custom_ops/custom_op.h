// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The rules of a program's operator, as the compiler calls those of any operator.
#pragma once

#include <string>

#include "custom_ops/operator_form.h"
#include "ops/op.h"
#include "prototypes/prototype.h"

namespace foothold {

// An operator of the program and the file it came from. Lives as long as the process.
struct CustomOperator {
  custom::Operator described;
  std::string file;
  Prototype prototype;
};

OpDef DefinitionOf(const CustomOperator& op);

}  // namespace foothold
