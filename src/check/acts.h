// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What reports say of tasks and calls.
#pragma once

#include <string>

#include "check/accesses.h"
#include "check/finding.h"

namespace foothold::check {

class CallScope;

// `does`: "writes bytes 0-4095", or empty.
Act ActOf(const Deed& deed, const std::string& does);
Act ActOf(const CallScope& call);

}  // namespace foothold::check
