// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The steps of a program as text for trace viewers (GraphDebugJSONPrint). Any thread.
#pragma once

#include <string>

#include "program/program.h"

namespace foothold {

// JSON in the format of Chrome's tracing: one event per step, in their order, all on one stream.
std::string TraceText(const Program& program);

}  // namespace foothold
