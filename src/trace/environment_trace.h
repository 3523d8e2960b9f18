// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// FOOTHOLD_TRACE names a file: the whole process is recorded, from the loading of the library on, and the
// file is written when the program finalises the library and again when it ends. Any thread.
#pragma once

namespace foothold::trace {

// Writes what there is so far. Nothing without FOOTHOLD_TRACE; what goes wrong goes to the log.
void WriteEnvironmentTrace() noexcept;

}  // namespace foothold::trace
