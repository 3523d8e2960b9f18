// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/seating.h"

#include <numeric>
#include <utility>

namespace foothold::collectives {

SeatingRef SeatingOfAll(std::string communicator, std::uint32_t ranks) {
  Seating all{std::move(communicator), std::vector<std::uint32_t>(ranks)};
  std::iota(all.ranks.begin(), all.ranks.end(), 0u);
  return std::make_shared<const Seating>(std::move(all));
}

SeatingRef SeatingFor(const MeetingLabel& label, const SeatingRef& all) {
  if (!label.is_pair()) return all;
  return std::make_shared<const Seating>(
      Seating{all->communicator, {all->ranks[label.from], all->ranks[label.to]}});
}

}  // namespace foothold::collectives
