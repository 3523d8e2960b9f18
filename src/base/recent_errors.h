// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What failed calls leave behind for the program: the error texts behind aclGetRecentErrMsg and the code behind
// aclrtPeekAtLastError / aclrtGetLastError. Any thread.
#pragma once

#include <string>

#include "base/error_codes.h"

namespace foothold {

enum class ErrorScope { kThread, kProcess };

// Which failures TakeRecentErrors sees; set by aclInit ("err_msg_mode"), kThread until then.
void SetErrorScope(ErrorScope scope);

void AddRecentError(std::string text);

// All texts since the last call, newest first, one per line; null when there are none. The pointer stays valid until the next call
// in the same scope.
const char* TakeRecentErrors();

void SetLastError(Code code);
Code PeekLastError();
Code TakeLastError();

// A failed public call: logs `text`, adds it to the recent errors and sets the last error. Never throws.
void ReportFailure(const char* api, const std::string& arguments, const class Error& error) noexcept;

}  // namespace foothold
