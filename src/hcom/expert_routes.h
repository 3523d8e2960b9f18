// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The ways of tokens to experts on other ranks, and back. Experts are shared out evenly in the order of the
// ranks; what goes to a rank is in the order of its experts, then of tokens. Used by kernels; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hcom/group_call.h"
#include "ops/op.h"

namespace foothold {

struct ExpertSizes {
  std::size_t tokens, each, width;  // each: experts of a token
  std::size_t ranks, experts;       // of all ranks
  std::size_t here() const { return experts / ranks; }
};

// From inputs "expert_ids" and "x" and the attributes "ranks" and "experts"; refuses what does not fit.
ExpertSizes ExpertSizesOf(const OpContext& context);

// A token and which of its experts.
struct TokenPlace {
  std::uint32_t token, expert_of_token;
};

class ExpertRoutes {
 public:
  // `mask`: one for each token, or for each of its experts, or null for all. Throws kInvalidParam for experts
  // that do not exist.
  ExpertRoutes(const ExpertSizes& sizes, const std::int32_t* experts, const bool* mask, bool mask_of_experts);

  // By expert, then by token.
  const std::vector<TokenPlace>& places() const { return places_; }
  // How many go to each expert of all ranks.
  const std::vector<std::uint64_t>& counts() const { return counts_; }
  // How many go to each rank.
  GroupCall::Counts ToRanks() const;

 private:
  const ExpertSizes sizes_;
  std::vector<std::uint64_t> counts_;
  std::vector<TokenPlace> places_;
};

// Exchanges rows of so many bytes: `sent` for each rank one behind the other; comes back the same way.
std::vector<std::byte> ExchangeRows(const char* name, const std::string& group, std::size_t row_bytes,
                                    const std::vector<std::byte>& rows, GroupCall::Counts sent,
                                    GroupCall::Counts received);

}  // namespace foothold
