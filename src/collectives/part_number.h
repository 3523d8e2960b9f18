// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How the ranks of a part of a communicator know it among themselves without asking each other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collectives/bootstrap/keyed_hash.h"

namespace foothold::collectives {

// The same for all who make the same part the same time, and never 0.
inline std::uint64_t PartNumber(std::uint64_t id, std::uint32_t times,
                                const std::vector<std::uint32_t>& ranks) {
  std::vector<std::uint64_t> text{id, times};
  text.insert(text.end(), ranks.begin(), ranks.end());
  return KeyedHash(Secret{3}, std::as_bytes(std::span(text))) | 1;
}

}  // namespace foothold::collectives
