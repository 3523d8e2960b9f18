// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Who has initialised and finalised the library. Called inside aclInit and aclFinalize. Any thread; nothing
// happens unless the program is being checked.
#pragma once

#include "check/stacks.h"

namespace foothold::check {

// aclInit: `first`: it answers 0; else 100002.
void LibraryInitialized(bool first) noexcept;
// Before aclFinalize ends the library; after it.
void LibraryFinalizes() noexcept;
void LibraryFinalized() noexcept;

bool WasFinalized() noexcept;    // since the last initialisation, by this process
bool WasInitialized() noexcept;  // ever, by this process
bool ParentInitialized() noexcept;
Site Finalizer() noexcept;

}  // namespace foothold::check
