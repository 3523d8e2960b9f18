// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Which context each thread of the program has chosen (ACL-CTX-003, 004). Inside calls; any thread.
// Precondition of all: check::On().
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "check/history.h"

namespace foothold::check {

// The call makes the context current in this thread.
void ContextChosen(const void* context) noexcept;
// The call is about to destroy the context; streams of the program that live in it.
void LookAtContextEnd(const void* context, const std::vector<const void*>& streams) noexcept;
// The context this thread has chosen last, if a reset of its device took it.
std::optional<ObjectRecord> ContextLostByReset();

}  // namespace foothold::check
