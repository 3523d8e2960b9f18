// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/recurrent/recurrent_weights.h"

#include <algorithm>

namespace foothold {
namespace {

constexpr std::size_t kAlignedFloats = 16;  // 64 bytes

MatMulPlan PlanOf(const MatMulSize& size, bool constant, WeightReads reads = WeightReads::kInEveryStep) {
  return MatMulPlan(size, {size.depth, 1}, {size.columns, 1}, {0}, {0}, 1,
                    constant ? FormOfWeights(size, reads) : RightForm::kPacked);
}

bool SplitsCandidate(const Recurrence& recurrence) {
  return recurrence.cell == CellKind::kGru && !recurrence.product_first;
}

std::size_t RecurrentColumns(const Recurrence& recurrence) {
  return recurrence.width() - (SplitsCandidate(recurrence) ? recurrence.hidden : 0);
}

// One gate as columns of a dense matrix.
void CopyGate(const PartOfInput& part, const float* from, std::size_t depth, std::size_t hidden, float* to,
              std::size_t stride) {
  for (std::size_t k = 0; k < depth; ++k)
    for (std::size_t j = 0; j < hidden; ++j)
      to[k * stride + j] = from[part.offset + k * part.row + j * part.column];
}

void AddVector(const PartOfInput& part, const RecurrentWeights::FloatsOfPort& inputs, std::size_t hidden,
               float* to) {
  if (part.port < 0) return;
  const float* from = inputs(part.port) + part.offset;
  for (std::size_t j = 0; j < hidden; ++j)
    to[j] += from[j * part.column];
}

// Gates [begin, end) as one packed matrix.
void PackGates(const Recurrence& recurrence, std::size_t direction, std::size_t begin, std::size_t end,
               PartOfInput GateWeights::*member, std::size_t depth, const MatMulPlan& plan,
               const RecurrentWeights::FloatsOfPort& inputs, float* to, float* scratch) {
  const std::size_t hidden = recurrence.hidden, stride = (end - begin) * hidden;
  for (std::size_t gate = begin; gate < end; ++gate) {
    const PartOfInput& part = recurrence.weights[direction * recurrence.gates() + gate].*member;
    CopyGate(part, inputs(part.port), depth, hidden, scratch + (gate - begin) * hidden, stride);
  }
  plan.PackRightMatrices(scratch, to);
}

}  // namespace

std::size_t GatesOf(CellKind cell) {
  return cell == CellKind::kLstm ? 4 : cell == CellKind::kGru ? 3 : 1;
}

RecurrentWeights::RecurrentWeights(const Recurrence& recurrence, bool constant)
    : directions_(recurrence.directions),
      hidden_(recurrence.hidden),
      recurrent_columns_(RecurrentColumns(recurrence)),
      input_plan_(PlanOf({recurrence.steps * recurrence.batch, recurrence.width(), recurrence.input},
                         constant, WeightReads::kOnce)),
      recurrent_plan_(PlanOf({recurrence.batch, recurrent_columns_, recurrence.hidden}, constant)),
      peephole_(recurrence.weights[0].peephole.port >= 0) {
  if (SplitsCandidate(recurrence))
    candidate_plan_.emplace(PlanOf({recurrence.batch, recurrence.hidden, recurrence.hidden}, constant));
  std::size_t at = 0;
  const auto place = [&](std::size_t floats) {
    const std::size_t here = at;
    at += RoundUp(floats, kAlignedFloats);
    return here;
  };
  place(input_plan_.PackedRightBytes() / sizeof(float));
  recurrent_at_ = place(recurrent_plan_.PackedRightBytes() / sizeof(float));
  candidate_at_ = place(candidate_plan_ ? candidate_plan_->PackedRightBytes() / sizeof(float) : 0);
  input_bias_at_ = place(recurrence.width());
  recurrent_bias_at_ = place(recurrence.width());
  peephole_at_ = place(peephole_ ? 3 * hidden_ : 0);
  direction_floats_ = at;
  scratch_floats_ =
      RoundUp(std::max(recurrence.input, recurrence.hidden) * recurrence.width(), kAlignedFloats);
}

RecurrentWeights::Parts RecurrentWeights::Of(const float* prepared, std::size_t direction) const {
  const float* from = prepared + direction * direction_floats_;
  return {from,
          from + recurrent_at_,
          from + candidate_at_,
          from + input_bias_at_,
          from + recurrent_bias_at_,
          peephole_ ? from + peephole_at_ : nullptr};
}

void RecurrentWeights::PrepareDirection(const Recurrence& recurrence, std::size_t direction,
                                        const FloatsOfPort& inputs, float* to, float* scratch) const {
  const std::size_t gates = recurrence.gates(),
                    together = recurrent_columns_ / std::max<std::size_t>(1, hidden_);
  PackGates(recurrence, direction, 0, gates, &GateWeights::input, recurrence.input, input_plan_, inputs, to,
            scratch);
  PackGates(recurrence, direction, 0, together, &GateWeights::recurrent, hidden_, recurrent_plan_, inputs,
            to + recurrent_at_, scratch);
  if (candidate_plan_)
    PackGates(recurrence, direction, together, gates, &GateWeights::recurrent, hidden_, *candidate_plan_,
              inputs, to + candidate_at_, scratch);
  std::fill(to + input_bias_at_, to + direction_floats_, 0.0f);
  for (std::size_t gate = 0; gate < gates; ++gate) {
    const GateWeights& weights = recurrence.weights[direction * gates + gate];
    float* bias = to + input_bias_at_ + gate * hidden_;
    std::fill_n(bias, hidden_, weights.extra_bias);
    AddVector(weights.input_bias, inputs, hidden_, bias);
    const bool apart = recurrence.product_first && gate == 2;  // it is reset together with its product
    AddVector(weights.recurrent_bias, inputs, hidden_,
              apart ? to + recurrent_bias_at_ + gate * hidden_ : bias);
    if (peephole_ && gate < 3)
      AddVector(weights.peephole, inputs, hidden_, to + peephole_at_ + gate * hidden_);
  }
}

void RecurrentWeights::Prepare(const Recurrence& recurrence, const FloatsOfPort& inputs, float* to,
                               float* scratch) const {
  for (std::size_t direction = 0; direction < directions_; ++direction)
    PrepareDirection(recurrence, direction, inputs, to + direction * direction_floats_, scratch);
}

}  // namespace foothold
