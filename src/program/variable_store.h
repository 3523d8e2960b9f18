// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Where programs find their variables. Implemented by sessions.
#pragma once

#include "program/program.h"

namespace foothold {

class VariableStore {
 public:
  virtual ~VariableStore() = default;
  // The memory of a variable, made with zeros when it is met first. Throws kInvalidParam if the session has
  // it with another type. Valid while the store lives.
  virtual std::byte* Memory(const ProgramVariable& variable) = 0;
};

}  // namespace foothold
