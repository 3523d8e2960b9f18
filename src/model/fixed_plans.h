// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// All compiled forms of a model whose shapes are known when it is loaded: one, or one for each gear. They run
// one at a time, so one piece of work memory serves them all; constants they share stand once in the weights.
// Immutable; any thread.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "model/offline_model.h"

namespace foothold {

struct ModelSizes {
  std::size_t work = 0;
  std::size_t weights = 0;
};

// The types of all inputs, by gear; once where there are no gears. Empty if shapes come with the run.
std::vector<std::vector<TensorType>> FixedInputTypes(const ModelDescription& description);

class FixedPlans {
 public:
  // Compiles. Throws what compiling throws.
  explicit FixedPlans(const OfflineModel& model);

  const std::vector<std::shared_ptr<const Plan>>& plans() const { return plans_; }
  const ModelSizes& sizes() const { return sizes_; }

  // Writes all constants to a block of sizes().weights, and answers where those of each plan are.
  std::vector<std::vector<const std::byte*>> PlaceConstants(std::byte* block) const;

 private:
  using Constant = std::pair<const std::byte*, std::size_t>;

  std::vector<std::shared_ptr<const Plan>> plans_;
  std::map<Constant, std::size_t> offsets_;
  ModelSizes sizes_;
};

}  // namespace foothold
