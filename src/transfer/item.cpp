// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "transfer/item.h"

#include <cstdint>
#include <cstring>
#include <new>

#include "device/memory_map.h"

namespace foothold {
namespace {

constexpr std::align_val_t kAlignment{64};
constexpr std::size_t kAddressSpace = std::size_t{1} << 47;  // of a process

// Before there are threads, so that no fork finds them half made.
[[maybe_unused]] const TransferItems& items_made_at_load = TransferItems::Get();
[[maybe_unused]] const TransferSets& sets_made_at_load = TransferSets::Get();

}  // namespace

std::shared_ptr<std::byte> TransferBytes(std::size_t size) {
  if (size == 0) return nullptr;
  if (size > kAddressSpace) throw std::bad_alloc();  // there are libraries that round it up to 0, or abort
  auto* const bytes = static_cast<std::byte*>(::operator new(size, kAlignment));
  return {bytes, [](std::byte* memory) { ::operator delete(memory, kAlignment); }};
}

TransferItem TransferItem::Copy() const {
  const void* from = size == 0 ? nullptr : CheckRange(data, size, Use::kRead, "data", kInvalidParam).kernel;
  TransferItem copy{tensor_type, dims, data_type, nullptr, size, TransferBytes(size)};
  copy.data = copy.own.get();
  if (size != 0) std::memcpy(copy.data, from, size);
  return copy;
}

void TransferSet::Clear() noexcept {
  auto& all = TransferItems::Get();
  for (const void* item : received) {
    if (all.FindOrNull(item) != nullptr) all.Remove(item);
  }
  items.clear();
  received.clear();
}

}  // namespace foothold
