// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "transfer/buffer.h"

#include <cstring>

#include "transfer/item.h"

namespace foothold {
namespace {

// Before there are threads, so that no fork finds them half made.
[[maybe_unused]] const TransferBuffers& made_at_load = TransferBuffers::Get();

[[noreturn]] void RefuseBuffer(const void* handle, Code code) {
  if (handle == nullptr) Fail(code, "the shared buffer must not be null");
  if (IsHandleOf(HandleKind::kTransferBuffer, handle))
    Fail(code, "shared buffer {} does not exist: it was freed", handle);
  Fail(code, "{} is not a shared buffer", DescribeHandle(handle));
}

TransferBuffer& FindHead(const void* handle, Code code) {
  TransferBuffer& buffer = FindBuffer(handle, code);
  if (buffer.head != nullptr)
    Fail(code, "shared buffer {} follows in the chain of {}: name that one", handle, buffer.head);
  return buffer;
}

void EndChain(const void* handle) noexcept {
  auto& all = TransferBuffers::Get();
  TransferBuffer* const head = all.FindOrNull(handle);
  if (head == nullptr) return;
  for (const void* follower : head->followers) {
    if (all.FindOrNull(follower) != nullptr) all.Remove(follower);
  }
  all.Remove(handle);
}

void CheckUserBytes(const void* bytes, std::size_t size, std::size_t offset, Code code) {
  if (bytes == nullptr) Fail(code, "dataPtr must not be null");
  if (offset > TransferBuffer::kUserBytes || size > TransferBuffer::kUserBytes - offset) {
    Fail(code, "a shared buffer has {} bytes of user data; {} bytes from offset {} are not inside",
         TransferBuffer::kUserBytes, size, offset);
  }
}

}  // namespace

void* AllocateBuffer(std::size_t size, Code code) {
  if (size == 0) Fail(code, "the size of a shared buffer must not be 0");
  return TransferBuffers::Get().Add({TransferBytes(size), size});
}

TransferBuffer& FindBuffer(const void* handle, Code code) {
  TransferBuffer* const buffer = TransferBuffers::Get().FindOrNull(handle);
  if (buffer == nullptr) RefuseBuffer(handle, code);
  if (buffer->queued)
    Fail(code, "shared buffer {} is in a queue and belongs to it until it is dequeued", handle);
  return *buffer;
}

void FreeBuffer(const void* handle, Code code) {
  FindHead(handle, code);
  EndChain(handle);
}

void* ShareBuffer(const void* handle, Code code) {
  const TransferBuffer& buffer = FindBuffer(handle, code);
  return TransferBuffers::Get().Add({buffer.memory, buffer.capacity, buffer.length, buffer.user});
}

void AppendToChain(void* head, void* buffer, Code code) {
  TransferBuffer& first = FindHead(head, code);
  TransferBuffer& last = FindHead(buffer, code);
  if (head == buffer) Fail(code, "a shared buffer cannot follow itself");
  const std::size_t together = ChainLength(first) + ChainLength(last);
  if (together > TransferBuffer::kLongestChain)
    Fail(code, "a chain has at most {} shared buffers, not {}", TransferBuffer::kLongestChain, together);
  first.followers.reserve(together - 1);
  first.followers.push_back(buffer);
  last.head = head;
  for (void* follower : last.followers) {
    FindBuffer(follower, code).head = head;
    first.followers.push_back(follower);
  }
  last.followers.clear();
}

void SetDataLength(const void* handle, std::size_t length, Code code) {
  TransferBuffer& buffer = FindBuffer(handle, code);
  if (length > buffer.capacity)
    Fail(code, "len is {}, but the shared buffer has {} bytes", length, buffer.capacity);
  buffer.length = length;
}

void SetUserBytes(const void* handle, const void* bytes, std::size_t size, std::size_t offset, Code code) {
  TransferBuffer& buffer = FindBuffer(handle, code);
  CheckUserBytes(bytes, size, offset, code);
  std::memcpy(buffer.user.data() + offset, bytes, size);
}

void GetUserBytes(const void* handle, void* bytes, std::size_t size, std::size_t offset, Code code) {
  const TransferBuffer& buffer = FindBuffer(handle, code);
  CheckUserBytes(bytes, size, offset, code);
  std::memcpy(bytes, buffer.user.data() + offset, size);
}

void* BufferOfChain(void* head, std::size_t index, Code code) {
  const TransferBuffer& first = FindHead(head, code);
  if (index >= ChainLength(first))
    Fail(code, "index is {}, but the chain has {} shared buffers", index, ChainLength(first));
  return index == 0 ? head : first.followers[index - 1];
}

void EndQueuedBuffer(void* handle) noexcept {
  EndChain(handle);
}

}  // namespace foothold
