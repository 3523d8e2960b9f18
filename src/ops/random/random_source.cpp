// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/random/random_source.h"

#include <cstring>
#include <random>

namespace foothold {
namespace {

std::uint64_t SeedOfSystem() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

}  // namespace

RandomSource::RandomSource(const OpContext& context) {
  const std::int64_t seed = context.node().Int("seed", 0), second = context.node().Int("seed2", 0);
  seed_ = seed == 0 && second == 0
              ? SeedOfSystem()
              : Mixed(static_cast<std::uint64_t>(seed), static_cast<std::uint64_t>(second));
}

std::uint64_t Mixed(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a * 0x9E3779B97F4A7C15u ^ (b + 0xD1B54A32D192ED03u);
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

void UniformDoubles(double* out, std::size_t count, RandomState state) {
  RandomUniformIntegers(out, count, RandomType::kUint64, 0, std::uint64_t{1} << 53, state);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, out + i, sizeof(bits));
    out[i] = static_cast<double>(bits) * 0x1p-53;
  }
}

}  // namespace foothold
