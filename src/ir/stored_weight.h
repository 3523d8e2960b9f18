// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Weights that a file has as well: once they are packed nobody needs their bytes in memory, and when somebody
// does again they are read again. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "ir/tensor_value.h"
#include "ir/weight_file.h"

namespace foothold {

class StoredWeight;

// Smaller ones always stay in memory.
constexpr std::size_t kSmallestStored = std::size_t{256} << 10;

// The bytes at `offset` of the file; in memory from the start. Small weights, and those of a file that was
// changed a moment ago, stay in memory. Throws kBadAlloc, and kInvalidFile if the bytes are not there.
TensorValue ReadWeight(TensorType type, std::size_t size, std::shared_ptr<const WeightFile> file,
                       std::uint64_t offset);

// Before anybody reads the bytes of a value that may come from a graph: they are in memory then, as long as
// the innermost WeightUses of the thread lives, and for good where there is none. Throws kInvalidFile.
void LoadStored(const TensorValue& value);
inline void LoadWeight(const TensorValue& value) {
  if (value.size() >= kSmallestStored) LoadStored(value);
}
// Before somebody keeps an address of them.
void KeepStored(const TensorValue& value);
inline void KeepWeight(const TensorValue& value) {
  if (value.size() >= kSmallestStored) KeepStored(value);
}

// While this lives, the weights its thread loads are in memory, and afterwards they need not be: for those
// who keep no address of them. Several may lie in each other.
class WeightUses {
 public:
  WeightUses();
  ~WeightUses();
  WeightUses(const WeightUses&) = delete;
  WeightUses& operator=(const WeightUses&) = delete;

 private:
  friend class StoredWeight;
  static WeightUses* Current();
  void Add(StoredWeight& weight);

  WeightUses* const outer_;
  std::vector<std::shared_ptr<StoredWeight>> weights_;
};

}  // namespace foothold
