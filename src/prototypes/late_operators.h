// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators that are only looked for when somebody asks for a type that is not built in: those of the program
// (src/custom_ops). The one who has them says so while the library is loaded. Any thread.
#pragma once

#include <string_view>

#include "prototypes/prototype.h"

namespace foothold {

using OperatorSource = void (*)();

// While the library is loaded. The source registers prototypes and kernels, and is quick after the first
// time.
void SetOperatorSource(OperatorSource source) noexcept;
// By lookups that found nothing. Functions of the program may run: not under a lock.
void AskOperatorSource();

// RegisterPrototype, and the type is one of the program's operators from then on.
void RegisterLatePrototype(Prototype prototype);
// Asks the source, too.
bool IsLateOperator(std::string_view type);

}  // namespace foothold
