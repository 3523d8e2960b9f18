// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Random numbers from a counter-based generator (Philox4x32-10): block n of a seed is a function of the seed
// and n alone, so results do not depend on threads or on how a range is cut. Used by aclrtRandomNumAsync. Any
// thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foothold {

struct RandomState {
  std::uint64_t seed;
  std::uint64_t counter;  // the first block to use
};

enum class RandomType { kFloat32, kFloat16, kBFloat16, kInt32, kInt64, kUint32, kUint64 };

std::size_t SizeOf(RandomType type);
bool IsFloating(RandomType type);

// Each returns how many blocks it used; adding them to the counter continues the sequence.

// One bit per value, the lowest of a byte first: 1 (kept) with probability `keep`. The last byte is filled up
// with 0.
std::uint64_t RandomMask(std::uint8_t* out, std::size_t bits, double keep, RandomState state);

// Evenly in [low, high); integers likewise, 64 bits wide where the type is.
std::uint64_t RandomUniform(void* out, std::size_t count, RandomType type, double low, double high,
                            RandomState state);
std::uint64_t RandomUniformIntegers(void* out, std::size_t count, RandomType type, std::int64_t low,
                                    std::uint64_t span, RandomState state);

// Floating-point types only. `truncated`: nothing further than two deviations from the mean.
std::uint64_t RandomNormal(void* out, std::size_t count, RandomType type, double mean, double deviation,
                           bool truncated, RandomState state);

}  // namespace foothold
