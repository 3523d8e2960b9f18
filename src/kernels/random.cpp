// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/random.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>

#include "base/thread_pool.h"
#include "kernels/half_float.h"

namespace foothold {
namespace {

using Block = std::array<std::uint32_t, 4>;
__extension__ using Wide = unsigned __int128;

constexpr std::size_t kPerBlock = 4;
constexpr std::size_t kGrainBlocks = 4096;

// Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3" (2011), with its constants.
Block Philox(std::uint64_t seed, std::uint64_t index, std::uint32_t attempt) {
  auto key0 = static_cast<std::uint32_t>(seed);
  auto key1 = static_cast<std::uint32_t>(seed >> 32);
  Block x{static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32), attempt, 0};
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * x[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57} * x[2];
    x = {static_cast<std::uint32_t>(b >> 32) ^ x[1] ^ key0, static_cast<std::uint32_t>(b),
         static_cast<std::uint32_t>(a >> 32) ^ x[3] ^ key1, static_cast<std::uint32_t>(a)};
    key0 += 0x9E3779B9;
    key1 += 0xBB67AE85;
  }
  return x;
}

// In [0, 1), exactly representable.
double Unit(std::uint32_t bits) {
  return bits * 0x1p-32;
}

std::uint16_t HalfFromFloat(RandomType type, float value) {
  return type == RandomType::kFloat16 ? Float16FromFloat(value) : BFloat16FromFloat(value);
}

float FloatFromHalf(RandomType type, std::uint16_t bits) {
  return type == RandomType::kFloat16 ? FloatFromFloat16(bits) : FloatFromBFloat16(bits);
}

void Store(void* out, std::size_t index, RandomType type, float value) {
  if (type == RandomType::kFloat32) {
    std::memcpy(static_cast<char*>(out) + index * 4, &value, 4);
    return;
  }
  const std::uint16_t bits = HalfFromFloat(type, value);
  std::memcpy(static_cast<char*>(out) + index * 2, &bits, 2);
}

std::uint16_t NextHalfDown(std::uint16_t bits) {
  if ((bits & 0x7FFF) == 0) return 0x8001;
  return static_cast<std::uint16_t>((bits & 0x8000) != 0 ? bits + 1 : bits - 1);
}

// The largest value of `type` below `high`, so that rounding never leaves the half-open interval.
float LargestBelow(RandomType type, double high) {
  const auto nearest = static_cast<float>(high);
  if (type == RandomType::kFloat32) {
    return static_cast<double>(nearest) < high ? nearest : std::nextafterf(nearest, -HUGE_VALF);
  }
  std::uint16_t bits = HalfFromFloat(type, nearest);
  while (static_cast<double>(FloatFromHalf(type, bits)) >= high)
    bits = NextHalfDown(bits);
  return FloatFromHalf(type, bits);
}

// Calls fill(block index, first value, values in it) for all blocks that `count` values need.
template <typename Fill>
std::uint64_t ForBlocks(std::size_t count, std::size_t per_block, Fill fill) {
  const std::size_t blocks = (count + per_block - 1) / per_block;
  ParallelFor(blocks, kGrainBlocks, [&](std::size_t begin, std::size_t end) {
    for (std::size_t block = begin; block < end; ++block) {
      const std::size_t first = block * per_block;
      fill(block, first, std::min(per_block, count - first));
    }
  });
  return blocks;
}

std::array<float, kPerBlock> NormalBlock(std::uint64_t seed, std::uint64_t index, std::uint32_t attempt) {
  const Block bits = Philox(seed, index, attempt);
  std::array<float, kPerBlock> out;
  for (std::size_t pair = 0; pair < kPerBlock; pair += 2) {
    const double radius = std::sqrt(-2.0 * std::log((bits[pair] + 1.0) * 0x1p-32));
    const double angle = 2.0 * std::numbers::pi * Unit(bits[pair + 1]);
    out[pair] = static_cast<float>(radius * std::cos(angle));
    out[pair + 1] = static_cast<float>(radius * std::sin(angle));
  }
  return out;
}

// Values outside two deviations are replaced by the same place of further attempts.
std::array<float, kPerBlock> TruncatedBlock(std::uint64_t seed, std::uint64_t index) {
  std::array<float, kPerBlock> out = NormalBlock(seed, index, 0);
  const auto outside = [](float value) { return std::fabs(value) > 2.0f; };
  for (std::uint32_t attempt = 1; std::any_of(out.begin(), out.end(), outside); ++attempt) {
    const auto next = NormalBlock(seed, index, attempt);
    for (std::size_t i = 0; i < kPerBlock; ++i) {
      if (outside(out[i])) out[i] = next[i];
    }
  }
  return out;
}

}  // namespace

std::size_t SizeOf(RandomType type) {
  switch (type) {
    case RandomType::kFloat16:
    case RandomType::kBFloat16:
      return 2;
    case RandomType::kFloat32:
    case RandomType::kInt32:
    case RandomType::kUint32:
      return 4;
    case RandomType::kInt64:
    case RandomType::kUint64:
      return 8;
  }
  return 0;
}

bool IsFloating(RandomType type) {
  return type == RandomType::kFloat32 || type == RandomType::kFloat16 || type == RandomType::kBFloat16;
}

std::uint64_t RandomMask(std::uint8_t* out, std::size_t bits, double keep, RandomState state) {
  const double scaled = std::clamp(keep, 0.0, 1.0) * 0x1p32;
  const auto threshold = static_cast<std::uint64_t>(scaled);
  constexpr std::size_t kBitsPerByte = 8;
  const std::size_t bytes = (bits + kBitsPerByte - 1) / kBitsPerByte;
  ForBlocks(bytes, 1, [&](std::size_t byte, std::size_t, std::size_t) {
    const Block low = Philox(state.seed, state.counter + 2 * byte, 0);
    const Block high = Philox(state.seed, state.counter + 2 * byte + 1, 0);
    unsigned value = 0;
    for (unsigned i = 0; i < kBitsPerByte && byte * kBitsPerByte + i < bits; ++i) {
      const std::uint32_t draw = i < kPerBlock ? low[i] : high[i - kPerBlock];
      value |= static_cast<unsigned>(draw < threshold) << i;
    }
    out[byte] = static_cast<std::uint8_t>(value);
  });
  return 2 * bytes;
}

std::uint64_t RandomUniform(void* out, std::size_t count, RandomType type, double low, double high,
                            RandomState state) {
  const float largest = low < high ? LargestBelow(type, high) : static_cast<float>(low);
  return ForBlocks(count, kPerBlock, [&](std::size_t block, std::size_t first, std::size_t values) {
    const Block bits = Philox(state.seed, state.counter + block, 0);
    for (std::size_t i = 0; i < values; ++i) {
      const auto value = static_cast<float>(low + (high - low) * Unit(bits[i]));
      Store(out, first + i, type, std::min(value, largest));
    }
  });
}

std::uint64_t RandomUniformIntegers(void* out, std::size_t count, RandomType type, std::int64_t low,
                                    std::uint64_t span, RandomState state) {
  const std::size_t size = SizeOf(type);
  const std::size_t per_block = kPerBlock / 2;
  return ForBlocks(count, per_block, [&](std::size_t block, std::size_t first, std::size_t values) {
    const Block bits = Philox(state.seed, state.counter + block, 0);
    for (std::size_t i = 0; i < values; ++i) {
      const std::uint64_t draw = static_cast<std::uint64_t>(bits[2 * i + 1]) << 32 | bits[2 * i];
      const auto scaled = static_cast<std::uint64_t>(static_cast<Wide>(draw) * span >> 64);
      const std::uint64_t value = static_cast<std::uint64_t>(low) + scaled;
      std::memcpy(static_cast<char*>(out) + (first + i) * size, &value,
                  size);  // little-endian: the low bytes
    }
  });
}

std::uint64_t RandomNormal(void* out, std::size_t count, RandomType type, double mean, double deviation,
                           bool truncated, RandomState state) {
  return ForBlocks(count, kPerBlock, [&](std::size_t block, std::size_t first, std::size_t values) {
    const std::uint64_t index = state.counter + block;
    const auto normal = truncated ? TruncatedBlock(state.seed, index) : NormalBlock(state.seed, index, 0);
    for (std::size_t i = 0; i < values; ++i) {
      Store(out, first + i, type, static_cast<float>(mean + deviation * normal[i]));
    }
  });
}

}  // namespace foothold
