// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What must hold for any bytes that are said to be a rank table. Used by the fuzzer and by the replay of its
// corpus.
#pragma once

#include <string>

#include "base/error.h"
#include "collectives/bootstrap/rank_table.h"
#include "collectives/codes.h"
#include "fuzz/require.h"

namespace foothold {

// A table has ranks from 0 on, each once, or it is refused; so is one without an address for its root.
inline void FuzzRankTable(const std::string& bytes) {
  try {
    const auto table = collectives::RankTable::Parse(bytes);
    Require(table.size() > 0);
    for (std::uint32_t rank = 0; rank < table.size(); ++rank)
      Require(table.ranks[rank].rank == rank);
    Require(table.Root().port() != 0);
  } catch (const Error& error) {
    Require(error.code() == kHcclInternal || error.code() == kHcclPara);
  }
}

}  // namespace foothold
