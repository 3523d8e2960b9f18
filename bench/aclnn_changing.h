// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Calls of aclnn whose numbers and lengths are other ones each time. Called once, between aclInit and
// aclFinalize.
#pragma once

#include "report.h"

namespace bench {

void ReportChanging(Report& report);

}  // namespace bench
