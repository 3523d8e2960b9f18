// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/bootstrap/keyed_hash.h"

#include <sys/random.h>

#include <bit>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "collectives/codes.h"

namespace foothold::collectives {
namespace {

struct State {
  std::uint64_t v0, v1, v2, v3;

  void Round() noexcept {
    v0 += v1;
    v1 = std::rotl(v1, 13) ^ v0;
    v0 = std::rotl(v0, 32);
    v2 += v3;
    v3 = std::rotl(v3, 16) ^ v2;
    v0 += v3;
    v3 = std::rotl(v3, 21) ^ v0;
    v2 += v1;
    v1 = std::rotl(v1, 17) ^ v2;
    v2 = std::rotl(v2, 32);
  }
  void Take(std::uint64_t word) noexcept {
    v3 ^= word;
    Round();
    Round();
    v0 ^= word;
  }
};

std::uint64_t Word(const void* from, std::size_t bytes = 8) noexcept {
  std::uint64_t word = 0;
  std::memcpy(&word, from, bytes);
  return word;
}

}  // namespace

std::uint64_t KeyedHash(const Secret& secret, std::span<const std::byte> text) noexcept {
  const std::uint64_t k0 = Word(secret.data());
  const std::uint64_t k1 = Word(secret.data() + 8);
  State state{k0 ^ 0x736f6d6570736575u, k1 ^ 0x646f72616e646f6du, k0 ^ 0x6c7967656e657261u,
              k1 ^ 0x7465646279746573u};
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8)
    state.Take(Word(text.data() + at));
  const std::uint64_t last = at < text.size() ? Word(text.data() + at, text.size() - at) : 0;
  state.Take(last | static_cast<std::uint64_t>(text.size()) << 56);
  state.v2 ^= 0xff;
  for (int i = 0; i < 4; ++i)
    state.Round();
  return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
}

std::array<std::uint8_t, 16> RandomBytes() {
  std::array<std::uint8_t, 16> bytes;
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    Fail(kHcclSystemCall, "the system has no random numbers: {}", std::strerror(errno));
  return bytes;
}

}  // namespace foothold::collectives
