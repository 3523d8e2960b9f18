// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What channels carry: tensors with their descriptions, and sets of them. Objects of the process: they need
// no device. One object is used by one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/host_objects.h"

namespace foothold {

// Aligned as memory for kernels is; null for no bytes.
std::shared_ptr<std::byte> TransferBytes(std::size_t size);

struct TransferItem {
  int tensor_type = -1;
  std::vector<std::int64_t> dims;
  int data_type = -1;
  void* data = nullptr;
  std::size_t size = 0;
  std::shared_ptr<std::byte> own = {};  // what `data` is, unless it is the program's

  // With bytes of its own, read now. Throws if the memory of the program is none.
  TransferItem Copy() const;
};

using TransferItems = HostObjects<TransferItem, HandleKind::kTransferItem>;

// The items a program adds stay its own, and may be ended before or after the set. Those that were received
// end with the set, unless the program has ended them before.
struct TransferSet {
  std::vector<void*> items;
  std::vector<void*> received;
  std::string name;  // of the channel it came through; empty for others

  // Ends the received items and forgets all.
  void Clear() noexcept;
};

using TransferSets = HostObjects<TransferSet, HandleKind::kTransferSet>;

}  // namespace foothold
