// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/hosts/block.h"

#include <cstring>
#include <mutex>
#include <vector>

#include "base/per_process.h"

namespace foothold::collectives {
namespace {

constexpr std::size_t kLarge = std::size_t{64} << 10;  // smaller ones are for the heap
constexpr std::size_t kKeptBytes = std::size_t{64} << 20;

std::size_t SizeClass(std::size_t bytes) {
  std::size_t rounded = kLarge;
  while (rounded < bytes)
    rounded *= 2;
  return rounded;
}

class KeptBlocks {
 public:
  static KeptBlocks& Get() { return PerProcess<KeptBlocks>::Get(); }

  std::unique_ptr<Block> Take(std::size_t bytes) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      for (auto at = blocks_.rbegin(); at != blocks_.rend(); ++at) {
        if ((*at)->bytes() != bytes) continue;
        std::unique_ptr<Block> found = std::move(*at);
        blocks_.erase(std::next(at).base());
        kept_ -= bytes;
        return found;
      }
    }
    return std::make_unique<Block>(bytes);
  }
  void Keep(std::unique_ptr<Block> block) noexcept {
    std::lock_guard<std::mutex> lock(mutex_);
    if (kept_ + block->bytes() > kKeptBytes) return;
    const std::size_t bytes = block->bytes();
    try {
      blocks_.push_back(std::move(block));
      kept_ += bytes;
    } catch (const std::bad_alloc&) {  // it is let go of
    }
  }

 private:
  std::mutex mutex_;  // guards all below
  std::vector<std::unique_ptr<Block>> blocks_;
  std::size_t kept_ = 0;
};

}  // namespace

BlockRef TakeBlock(std::size_t bytes) {
  if (bytes < kLarge) return std::make_shared<Block>(bytes);
  return BlockRef(KeptBlocks::Get().Take(SizeClass(bytes)).release(),
                  [](Block* block) { KeptBlocks::Get().Keep(std::unique_ptr<Block>(block)); });
}

BlockRef BlockOf(std::span<const std::byte> bytes) {
  BlockRef block = TakeBlock(bytes.size());
  if (!bytes.empty()) std::memcpy(block->data(), bytes.data(), bytes.size());
  return block;
}

}  // namespace foothold::collectives
