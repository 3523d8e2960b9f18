// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// An instance for people: as text, and as a timeline that chrome://tracing and Perfetto open. There are no
// times yet, so each task takes one microsecond of the timeline, after those it has to wait for. Streams are
// threads; children are processes of their own; arrows lead from records to waits, from a stream to those it
// starts, and from a condition to its children. Any thread.
#pragma once

#include <string>

#include "capture/instance.h"

namespace foothold {

enum class Detail { kSummary, kVerbose };

std::string DescribeInstance(const Instance& instance);
std::string TimelineOf(const Instance& instance, Detail detail);

// Throws 107009 and 107010 with what the system said. The file takes its name when it is complete.
void WriteTimeline(const Instance& instance, const std::string& path, Detail detail);

}  // namespace foothold
