// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The weights of a recurrent layer as its products read them: gates in one order, matrices in panels, biases
// added up. Prepared once when they are constant, else at the begin of a run. Any thread.
#pragma once

#include <functional>
#include <optional>

#include "ops/recurrent/recurrence.h"

namespace foothold {

class RecurrentWeights {
 public:
  // `constant`: they are prepared once for all runs.
  RecurrentWeights(const Recurrence& recurrence, bool constant);

  // Where the parts of one direction stand in the prepared memory.
  struct Parts {
    const float *input, *recurrent, *candidate, *input_bias, *recurrent_bias;
    const float* peephole;  // null if there is none
  };
  Parts Of(const float* prepared, std::size_t direction) const;

  std::size_t PreparedFloats() const { return direction_floats_ * directions_; }
  std::size_t ScratchFloats() const { return scratch_floats_; }
  // `inputs` by port.
  using FloatsOfPort = std::function<const float*(int)>;
  void Prepare(const Recurrence& recurrence, const FloatsOfPort& inputs, float* to, float* scratch) const;

  const MatMulPlan& input_plan() const { return input_plan_; }
  const MatMulPlan& recurrent_plan() const { return recurrent_plan_; }
  // GRU that resets before the product of the candidate.
  const MatMulPlan* candidate_plan() const { return candidate_plan_ ? &*candidate_plan_ : nullptr; }
  std::size_t recurrent_columns() const { return recurrent_columns_; }

 private:
  void PrepareDirection(const Recurrence& recurrence, std::size_t direction, const FloatsOfPort& inputs,
                        float* to, float* scratch) const;

  std::size_t directions_, hidden_;
  std::size_t recurrent_columns_;
  MatMulPlan input_plan_, recurrent_plan_;
  std::optional<MatMulPlan> candidate_plan_;
  bool peephole_;
  std::size_t recurrent_at_ = 0, candidate_at_ = 0, input_bias_at_ = 0, recurrent_bias_at_ = 0,
              peephole_at_ = 0;
  std::size_t direction_floats_ = 0, scratch_floats_ = 0;
};

}  // namespace foothold
