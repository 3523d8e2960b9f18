// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Where the random operators take their numbers from: the attributes 'seed' and 'seed2', or the system if
// both are 0. Runs of one node, on whatever thread, take one part of the sequence each.
#pragma once

#include <atomic>
#include <cstdint>

#include "kernels/random.h"
#include "ops/op.h"

namespace foothold {

class RandomSource {
 public:
  explicit RandomSource(const OpContext& context);

  // Blocks of the generator that nobody else gets.
  RandomState Take(std::uint64_t blocks) const {
    return {seed_, next_.fetch_add(blocks, std::memory_order_relaxed)};
  }

 private:
  std::uint64_t seed_;
  mutable std::atomic<std::uint64_t> next_{0};
};

// Both numbers count, and close ones give seeds far apart.
std::uint64_t Mixed(std::uint64_t a, std::uint64_t b);

// At least as many blocks as the generators use for `count` numbers of up to 64 bits.
inline std::uint64_t BlocksFor(std::size_t count) {
  return static_cast<std::uint64_t>(count) + 1;
}

// Evenly in [0, 1), in steps of 2^-53.
void UniformDoubles(double* out, std::size_t count, RandomState state);

}  // namespace foothold
