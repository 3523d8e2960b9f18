// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What order.cpp knows of tasks that fail and of streams that end, for their reports.
#pragma once

#include <string>
#include <utility>

#include "check/order.h"

namespace foothold::check {

void KeepFailure(const StreamName& stream, DeedPtr deed, const std::string& message);
// The stream is forgotten; what is left of it is the failure nobody has asked for.
std::pair<DeedPtr, std::string> CloseStream(const StreamName& stream);

}  // namespace foothold::check
