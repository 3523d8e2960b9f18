// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Functions of the program are called with no lock of the library held: they may take long, call back in, or
// wait for a thread that wants the lock. A build with FOOTHOLD_LOCKS_CHECK (make locks-check) counts the
// locks each thread holds and ends the process where that rule is broken; every other build pays nothing.
#pragma once

namespace foothold {

#ifdef FOOTHOLD_LOCKS_CHECK
// Mutexes are counted by wrapped functions of the C library, spin locks by themselves.
void NoteLocked(const void* lock) noexcept;
void NoteUnlocked(const void* lock) noexcept;
// Before a function of the program is called; `what` says which, in the message.
void EnterProgram(const char* what) noexcept;
#else
inline void NoteLocked(const void*) noexcept {}
inline void NoteUnlocked(const void*) noexcept {}
inline void EnterProgram(const char*) noexcept {}
#endif

}  // namespace foothold
