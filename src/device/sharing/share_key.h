// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What names something that a process shares: the channel of the process and a secret of the thing. Programs
// pass it on as text (keys of memory and notifies, handles of events) or as a number (handles of physical
// memory).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace foothold {

enum class ShareKind : std::uint8_t { kMemory = 'm', kPages = 'p', kEvent = 'e', kNotify = 'n' };

struct ShareKey {
  // With its end, so that it fits the 64 bytes of an event's handle too.
  static constexpr std::size_t kTextBytes = 64;

  ShareKind kind;
  std::uint32_t channel;                  // never 0
  std::array<std::uint32_t, 4> secret{};  // of pages only the first is not 0

  // One of this kind with a fresh secret. Throws 507000 if the system has no random numbers.
  static ShareKey Make(ShareKind kind, std::uint32_t channel);
  static ShareKey FromNumber(std::uint64_t number);
  // Throws 507022 for what is no text of a key of this kind.
  static ShareKey FromText(ShareKind kind, std::string_view text);

  std::string Text() const;  // of kTextBytes - 1 characters
  std::uint64_t Number() const { return std::uint64_t{channel} << 32 | secret[0]; }
  auto operator<=>(const ShareKey&) const = default;
};

std::uint32_t RandomNumber();  // never 0

}  // namespace foothold
