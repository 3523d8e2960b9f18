// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The parts of device_bench. Each interleaves `rounds` rounds of its candidates and adds a section to the
// report.
#pragma once

#include <cstddef>

namespace bench {

class Report;

void RunQueueBench(Report& report, int rounds);
// For a child process of that: the latencies of one queue in seconds, a line each.
void PrintIdleLatencies(std::size_t index);
void RunEventBench(Report& report, int rounds);
void RunCopyBench(Report& report, int rounds);

}  // namespace bench
