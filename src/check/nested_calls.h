// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Calls from inside functions of the program that must not make them (ACL-DUMP-002, GE-ALLOC-009).
#pragma once

namespace foothold::check {

// The call of this thread has just begun, inside such a function.
void LookAtNestedCall(const char* call) noexcept;

}  // namespace foothold::check
