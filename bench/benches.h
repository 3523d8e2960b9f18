// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The parts of device_bench. Each interleaves `rounds` rounds of its candidates and adds a section to the
// report.
#pragma once

namespace bench {

class Report;

void RunQueueBench(Report& report, int rounds);
void RunEventBench(Report& report, int rounds);
void RunCopyBench(Report& report, int rounds);

}  // namespace bench
