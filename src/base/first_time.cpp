// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/first_time.h"

#include <array>
#include <atomic>
#include <cstdint>

namespace foothold {
namespace {

// Never 0, which is a free place. FNV-1a.
std::uint64_t Hash(std::string_view text) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash == 0 ? 1 : hash;
}

}  // namespace

// Without a lock, which a forked child might find taken for ever.
bool FirstTime(std::string_view what) noexcept {
  static std::array<std::atomic<std::uint64_t>, 1000> named{};
  const std::uint64_t hash = Hash(what);
  for (std::atomic<std::uint64_t>& place : named) {
    std::uint64_t other = 0;
    if (place.compare_exchange_strong(other, hash)) return true;
    if (other == hash) return false;
  }
  return false;
}

}  // namespace foothold
