// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Who sits where in a meeting, and whose meeting it is: the same for all meetings of a communicator.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "collectives/meeting.h"

namespace foothold::collectives {

struct Seating {
  std::string communicator;          // its name, for messages
  std::vector<std::uint32_t> ranks;  // of the whole communicator, by seat
};
using SeatingRef = std::shared_ptr<const Seating>;

SeatingRef SeatingOfAll(std::string communicator, std::uint32_t ranks);
// Those of a pair among them, or all.
SeatingRef SeatingFor(const MeetingLabel& label, const SeatingRef& all);

// A meeting of a communicator or of one of its parts; part 0 is all of it.
struct PartLabel {
  std::uint64_t part = 0;
  MeetingLabel label;

  auto operator<=>(const PartLabel&) const = default;
};

}  // namespace foothold::collectives
