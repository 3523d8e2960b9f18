// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Reports of what has no order. Outside of all locks.
#pragma once

#include <optional>
#include <string>

#include "check/accesses.h"

namespace foothold::check {

// What is known beside the two accesses.
struct RaceFacts {
  std::optional<std::int64_t> known;  // the last task of the earlier one's stream that the later one knew
  Site synchronized;                  // the host's last wait for a stream, and which that was
  std::string synchronized_stream;
  bool synchronized_nothing = false;  // that stream had nothing the host did not know of
  Site timed_out;                     // the host's wait for the stream, if that ran out of time
};

// True if the finding is to fail the call or task.
bool ReportRace(Hazard hazard, const RaceFacts& facts);
bool ReportFree(const Deed& free, const Access& use, bool pending);

}  // namespace foothold::check
