// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/nn/packed_weights.h"

#include <map>
#include <memory>
#include <mutex>
#include <utility>

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
};

// Weights are packed while programs are compiled, which may happen until the very end.
Packings& All() {
  static auto* const all = new Packings;
  return *all;
}

// Nothing if it is not there any more; with the lock.
TensorValue Find(const TensorValue& weight, const std::string& way) {
  const auto found = All().known.find({weight.data(), way});
  if (found == All().known.end() || found->second.weight.lock() != weight.shared_data()) return {};
  const SharedBytes packed = found->second.packed.lock();
  return packed ? TensorValue(found->second.type, packed, found->second.size) : TensorValue();
}

}  // namespace

TensorValue SharedPacking(const TensorValue& weight, const std::string& way,
                          const std::function<TensorValue()>& pack) {
  {
    const std::lock_guard lock(All().mutex);
    if (TensorValue shared = Find(weight, way); shared.size() > 0) return shared;
  }
  TensorValue packed = pack();
  const std::lock_guard lock(All().mutex);
  if (TensorValue shared = Find(weight, way); shared.size() > 0) return shared;
  std::erase_if(All().known, [](const auto& entry) { return entry.second.packed.expired(); });
  All().known[{weight.data(), way}] =
      Packing{weight.shared_data(), packed.shared_data(), packed.type(), packed.size()};
  return packed;
}

}  // namespace foothold
