// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Root information: what the ranks of a communicator need to find its root, as bytes that programs carry from
// one to the others. It begins with the address of the root's host as a text, which programs read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "collectives/bootstrap/address.h"
#include "collectives/bootstrap/keyed_hash.h"

namespace foothold::collectives {

struct RootInfo {
  static constexpr std::size_t kBytes = 4108;

  Address root;
  Secret secret{};

  void Write(std::span<char, kBytes> to) const;
  // Throws HCCL_E_PARA for bytes that are none.
  static RootInfo Read(std::span<const char, kBytes> from);

  // Listens on this host and waits for ranks, on a thread of its own. Throws HCCL_E_PARA for settings that
  // cannot be used, HCCL_E_UNAVAIL if no port is free.
  static RootInfo MakeRoot(std::int64_t patience);
};

}  // namespace foothold::collectives
