// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "session/pooled_constants.h"

#include <algorithm>
#include <cstring>

namespace foothold {
namespace {

std::size_t Aligned(std::size_t bytes) {
  return (bytes + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment;
}

}  // namespace

PooledConstants::Places PooledConstants::Place(const Program& program, MemoryPool& pool) {
  Places places;
  std::size_t missing = 0;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    missing = FindKnown(program, places);
  }
  if (missing == 0) return places;
  const SharedBytes block = pool.AllocateForKernels(missing);
  std::lock_guard<std::mutex> lock(mutex_);
  CopyMissing(program, block, places);
  return places;
}

std::size_t PooledConstants::FindKnown(const Program& program, Places& places) {
  std::erase_if(copies_, [](const auto& copy) {
    return copy.second.original.expired() || copy.second.block.expired();
  });
  std::size_t missing = 0;
  for (const TensorValue& constant : program.constants) {
    const auto found = copies_.find({constant.data(), constant.size()});
    const SharedBytes block = found == copies_.end() ? nullptr : found->second.block.lock();
    places.addresses.push_back(block ? found->second.address : nullptr);
    if (!block) missing += Aligned(constant.size());
    if (block && std::find(places.blocks.begin(), places.blocks.end(), block) == places.blocks.end())
      places.blocks.push_back(block);
  }
  return missing;
}

void PooledConstants::CopyMissing(const Program& program, const SharedBytes& block, Places& places) {
  std::byte* next = block.get();
  for (std::size_t i = 0; i < program.constants.size(); ++i) {
    const TensorValue& constant = program.constants[i];
    if (places.addresses[i] != nullptr || constant.size() == 0) continue;
    std::memcpy(next, constant.data(), constant.size());
    places.addresses[i] = next;
    copies_.insert_or_assign(Key{constant.data(), constant.size()},
                             Copy{constant.shared_data(), block, next});
    next += Aligned(constant.size());
  }
  places.blocks.push_back(block);
}

}  // namespace foothold
