// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Buffers that queues carry: memory, how much of it is data, and a few bytes for the program's own use.
// Several handles may share one memory, and buffers may be joined to a chain, which then goes where its head
// goes. Objects of the process; one object is used by one thread at a time, and a queue hands it on.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "base/host_objects.h"

namespace foothold {

struct TransferBuffer {
  static constexpr std::size_t kUserBytes = 96;
  static constexpr std::size_t kLongestChain = 128;

  std::shared_ptr<std::byte> memory;
  std::size_t capacity = 0;
  std::size_t length = 0;  // of the data
  std::array<std::byte, kUserBytes> user = {};
  std::vector<void*> followers = {};  // of the head of a chain
  void* head = nullptr;               // of one that follows
  bool queued = false;                // a queue has it
};

using TransferBuffers = HostObjects<TransferBuffer, HandleKind::kTransferBuffer>;

// Each throws `code` for what makes no sense.
void* AllocateBuffer(std::size_t size, Code code);
// One that belongs to the program: not freed, not in a queue.
TransferBuffer& FindBuffer(const void* handle, Code code);
// The whole chain, by its head.
void FreeBuffer(const void* handle, Code code);
// The memory is shared; length and user bytes are copied and from then on apart.
void* ShareBuffer(const void* handle, Code code);
void AppendToChain(void* head, void* buffer, Code code);
void SetDataLength(const void* handle, std::size_t length, Code code);
void SetUserBytes(const void* handle, const void* bytes, std::size_t size, std::size_t offset, Code code);
void GetUserBytes(const void* handle, void* bytes, std::size_t size, std::size_t offset, Code code);

// The head and those that follow.
inline std::size_t ChainLength(const TransferBuffer& head) {
  return 1 + head.followers.size();
}
void* BufferOfChain(void* head, std::size_t index, Code code);

// For queues: what they hold is theirs.
void EndQueuedBuffer(void* handle) noexcept;

}  // namespace foothold
