// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A short proof that somebody knows a secret: SipHash-2-4 of a text under a key of 128 bits. Any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace foothold::collectives {

using Secret = std::array<std::uint8_t, 16>;
using Nonce = std::array<std::uint8_t, 16>;

std::uint64_t KeyedHash(const Secret& secret, std::span<const std::byte> text) noexcept;

// Bytes nobody can guess. Throws HCCL_E_SYSCALL if the system has none.
std::array<std::uint8_t, 16> RandomBytes();

}  // namespace foothold::collectives
