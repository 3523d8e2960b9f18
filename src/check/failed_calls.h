// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A call that fails because the program broke a rule: the error number or the place that failed says which.
// Any thread.
#pragma once

#include <string>

#include "base/broken_rule.h"

namespace foothold {
class Error;
}

namespace foothold::check {

class CallScope;

void CallFailed(const CallScope& call, const std::string& arguments, const Error& error,
                const BrokenRule& broken) noexcept;

}  // namespace foothold::check
