// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/shared/exposed_memory.h"

#include <sys/mman.h>

#include "base/error.h"
#include "base/per_process.h"
#include "collectives/codes.h"
#include "device/memory_map.h"
#include "device/sharing/share.h"
#include "device/sharing/share_channel.h"
#include "device/sharing/share_exports.h"

namespace foothold::collectives {
namespace {

constexpr std::size_t kMostKeys = 4096;
constexpr std::uint64_t kLongWhile = 512;  // uses of others

}  // namespace

bool CanBeExposed(const void* address) {
  return MemoryMap::Get().Find(address).kind == MemoryKind::kDevice;
}

ExposedMemory& ExposedMemory::Get() {
  return PerProcess<ExposedMemory>::Get();
}

SharedPlace ExposedMemory::Expose(void* address, std::size_t bytes) {
  const MemoryInfo block = MemoryMap::Get().Find(address);
  SharedPlace place;
  place.offset = reinterpret_cast<std::uintptr_t>(address) - block.base;
  place.bytes = bytes;
  std::lock_guard<std::mutex> lock(mutex_);
  const auto known = keys_.find(block.serial);
  if (known != keys_.end() && Exports::Get().Has(known->second)) {
    place.key = known->second;
    return place;
  }
  if (keys_.size() >= kMostKeys)
    std::erase_if(keys_, [](const auto& entry) { return !Exports::Get().Has(entry.second); });
  place.key = ExportMemory(reinterpret_cast<void*>(block.base), block.size, false);
  keys_.insert_or_assign(block.serial, place.key);
  return place;
}

PeerBlock::PeerBlock(const ShareKey& key) {
  const ShareReply reply = AskFor(key);
  const std::uint64_t inside = reply.answer.offset % MemoryFile::kPage;
  mapped_bytes_ = inside + reply.answer.bytes;
  mapped_ =
      reinterpret_cast<void*>(reply.file.Map(0, reply.answer.offset - inside, mapped_bytes_, PROT_READ));
  at_ = static_cast<const std::byte*>(mapped_) + inside;
  bytes_ = reply.answer.bytes;
}

PeerBlock::~PeerBlock() {
  munmap(mapped_, mapped_bytes_);
}

PeerMemory& PeerMemory::Get() {
  return PerProcess<PeerMemory>::Get();
}

std::shared_ptr<const PeerBlock> PeerMemory::Find(const ShareKey& key) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (const auto known = blocks_.find(key); known != blocks_.end()) {
      known->second.used = ++uses_;
      return known->second.block;
    }
  }
  auto block = std::make_shared<const PeerBlock>(key);
  std::lock_guard<std::mutex> lock(mutex_);
  std::erase_if(blocks_, [this](const auto& entry) { return entry.second.used + kLongWhile < uses_; });
  return blocks_.try_emplace(key, Entry{block, ++uses_}).first->second.block;
}

void PeerMemory::Forget() {
  std::lock_guard<std::mutex> lock(mutex_);
  blocks_.clear();
}

}  // namespace foothold::collectives
