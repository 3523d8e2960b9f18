// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/matrix/packed_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "base/per_process.h"
#include "ir/stored_weight.h"
#include "ir/weight_memory.h"
#include "kernels/gemm.h"

namespace foothold {
namespace {

using WeakBytes = std::weak_ptr<std::byte[]>;

struct Packing {
  WeakBytes weight;  // an address alone may be another weight's by now
  WeakBytes packed;
  TensorType type;
  std::size_t size = 0;
};

struct Packings {
  std::mutex mutex;
  std::map<std::pair<const std::byte*, std::string>, Packing> known;  // guarded by mutex
  std::size_t limit = 64;  // when there are more, look which are gone; guarded by mutex
};

// Weights are packed while programs are compiled, which may happen until the very end.
Packings& All() {
  static auto* const all = new Packings;
  return *all;
}

std::mutex& MutexOfAll() {
  return All().mutex;
}
[[maybe_unused]] const HeldDuringFork<MutexOfAll> held_for_packings;

// Nothing if it is not there any more; with the lock.
TensorValue Hold(const Packing& packing, const TensorValue& weight) {
  if (packing.weight.lock() != weight.shared_data()) return {};
  const SharedBytes packed = packing.packed.lock();
  return packed ? TensorValue(packing.type, packed, packing.size) : TensorValue();
}

// What was offered came from a file, and is not trusted to have the size that kernels read; with the lock.
TensorValue Find(const TensorValue& weight, const std::string& way, const TensorType& type) {
  const auto found = All().known.find({weight.data(), way});
  if (found == All().known.end() || found->second.type != type) return {};
  return Hold(found->second, weight);
}

// With the lock.
void Add(const TensorValue& weight, const std::string& way, const TensorValue& packed) {
  if (All().known.size() >= All().limit) {
    std::erase_if(All().known, [](const auto& entry) { return entry.second.packed.expired(); });
    All().limit = std::max<std::size_t>(64, 2 * All().known.size());
  }
  All().known[{weight.data(), way}] =
      Packing{weight.shared_data(), packed.shared_data(), packed.type(), packed.size()};
}

}  // namespace

TensorValue SharedPacking(const TensorValue& weight, const std::string& way, const TensorType& type,
                          const std::function<void(TensorValue&)>& pack) {
  {
    const std::lock_guard lock(All().mutex);
    if (TensorValue shared = Find(weight, way, type); shared.size() > 0) return shared;
  }
  const std::size_t bytes = ByteSize(type);
  TensorValue packed(type, AllocateWeights(bytes), bytes);
  LoadWeight(weight);
  pack(packed);
  const std::lock_guard lock(All().mutex);
  if (TensorValue shared = Find(weight, way, type); shared.size() > 0) return shared;
  Add(weight, way, packed);
  return packed;
}

std::vector<WeightPacking> PackingsOf(const TensorValue& weight) {
  std::vector<WeightPacking> packings;
  const std::lock_guard lock(All().mutex);
  for (auto entry = All().known.lower_bound({weight.data(), ""});
       entry != All().known.end() && entry->first.first == weight.data(); ++entry)
    if (TensorValue packed = Hold(entry->second, weight); packed.size() > 0)
      packings.push_back({entry->first.second, std::move(packed)});
  return packings;
}

void OfferPacking(const TensorValue& weight, const WeightPacking& packing) {
  const std::lock_guard lock(All().mutex);
  if (Find(weight, packing.way, packing.packed.type()).size() == 0) Add(weight, packing.way, packing.packed);
}

std::string PackingKeyOfCpu() {
  // To be counted up whenever a way of packing changes and keeps its name.
  constexpr int kRevision = 1;
  return fmt::format("{} gemm {}x{}", kRevision, TileOfGemm().rows, TileOfGemm().columns);
}

}  // namespace foothold
