// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What failed calls leave behind for the program: the error texts behind aclGetRecentErrMsg and the code
// behind aclrtPeekAtLastError / aclrtGetLastError. Any thread, also in a forked child, while a thread ends
// and during static destruction.
#pragma once

#include <cstddef>
#include <string>

#include "base/error_codes.h"

namespace foothold {

class Error;

enum class ErrorScope { kThread, kProcess };

// A scope keeps this many texts, the newest.
inline constexpr std::size_t kMaxRecentErrors = 64;

// Which failures TakeRecentErrors sees; set by aclInit ("err_msg_mode"), kThread until then.
void SetErrorScope(ErrorScope scope) noexcept;

// How long a text is kept: until somebody reads it, or, for the answer of a question, only while nothing else
// failed.
enum class Lasting { kUntilRead, kUntilNextFailure };

void AddRecentError(std::string text, Lasting lasting = Lasting::kUntilRead);

// All texts since the last call, newest first, one per line; null when there are none. The pointer stays
// valid until the next call in the same scope.
const char* TakeRecentErrors();

// One code per thread, whatever the scope.
void SetLastError(Code code) noexcept;
Code PeekLastError() noexcept;
Code TakeLastError() noexcept;

// A failed public call: logs its text (base/failure_text.h; an answer only as information), adds it to the
// recent errors and, for an aclrt function, sets the last error. Never throws.
void ReportFailure(const char* api, const std::string& arguments, const Error& error,
                   Lasting lasting = Lasting::kUntilRead) noexcept;

}  // namespace foothold
