// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Memory of this process for ranks of others, and theirs for this one. Blocks are handed over once and kept
// as long as both sides use them. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "collectives/shared/board.h"
#include "device/sharing/share_key.h"

namespace foothold::collectives {

// Whether memory can be handed over as it is: blocks of aclrtMalloc and its like can.
bool CanBeExposed(const void* address);

// Keys of blocks that were handed over.
class ExposedMemory {
 public:
  static ExposedMemory& Get();

  // Precondition: it can be.
  SharedPlace Expose(void* address, std::size_t bytes);

 private:
  std::mutex mutex_;                        // guards keys_
  std::map<std::uint64_t, ShareKey> keys_;  // by the number of the allocation
};

// A block of another process, to be read.
class PeerBlock {
 public:
  // Throws what asking that process throws.
  explicit PeerBlock(const ShareKey& key);
  ~PeerBlock();
  PeerBlock(const PeerBlock&) = delete;
  PeerBlock& operator=(const PeerBlock&) = delete;

  const std::byte* at() const { return at_; }
  std::size_t bytes() const { return bytes_; }

 private:
  const std::byte* at_ = nullptr;
  std::size_t bytes_ = 0;
  void* mapped_ = nullptr;
  std::size_t mapped_bytes_ = 0;
};

class PeerMemory {
 public:
  static PeerMemory& Get();

  // A block that was not asked for in a long while is let go of: its owner may have freed it, and the memory
  // is there as long as it is mapped.
  std::shared_ptr<const PeerBlock> Find(const ShareKey& key);
  void Forget();  // all that nobody uses now

 private:
  struct Entry {
    std::shared_ptr<const PeerBlock> block;
    std::uint64_t used;
  };

  std::mutex mutex_;  // guards all below
  std::map<ShareKey, Entry> blocks_;
  std::uint64_t uses_ = 0;
};

}  // namespace foothold::collectives
