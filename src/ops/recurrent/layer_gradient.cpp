// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/recurrent/layer_gradient.h"

#include <algorithm>
#include <utility>

#include "base/thread_pool.h"

namespace foothold {
namespace {

constexpr std::size_t kRowGrain = 1024;   // units of cells a thread is worth asking for
constexpr std::size_t kColumnBlock = 64;  // columns that are added up at a time

MatMulPlan Plan(MatMulSize size, MatMulStrides left, MatMulStrides right,
                RightForm form = RightForm::kAsGiven) {
  return MatMulPlan(size, left, right, {0}, {0}, 1, form);
}

std::size_t Aligned(std::size_t floats) {
  return RoundUp(floats, 16);
}

}  // namespace

LayerGradient::LayerGradient(const Recurrence& recurrence, const GradientPorts& ports, bool sums_apart,
                             std::string name)
    : r_(recurrence),
      ports_(ports),
      sums_apart_(sums_apart),
      name_(std::move(name)),
      to_state_(
          Plan({r_.batch, r_.hidden, r_.width()}, {r_.width(), 1}, {1, r_.width()}, RightForm::kPacked)),
      to_input_(Plan({Rows(), r_.input, r_.width()}, {r_.width(), 1}, {1, r_.width()})),
      to_input_weights_(Plan({r_.input, r_.width(), Rows()}, {1, r_.input}, {r_.width(), 1})),
      to_hidden_weights_(Plan({r_.hidden, r_.width(), Rows()}, {1, r_.hidden}, {r_.width(), 1})) {}

std::size_t LayerGradient::PlanBytes() const {
  return std::max({to_state_.WorkspaceBytes(), to_input_.WorkspaceBytes(), to_input_weights_.WorkspaceBytes(),
                   to_hidden_weights_.WorkspaceBytes()});
}

std::size_t LayerGradient::WorkspaceBytes() const {
  const std::size_t floats = (sums_apart_ ? 2 : 1) * Aligned(Rows() * r_.width()) +
                             Aligned(Rows() * r_.hidden) + 3 * Aligned(States()) +
                             Aligned(r_.batch * r_.width()) +
                             Aligned(to_state_.PackedRightBytes() / sizeof(float));
  return floats * sizeof(float) + PlanBytes();
}

LayerGradient::Scratch LayerGradient::Divide(std::byte* workspace) const {
  auto* at = reinterpret_cast<float*>(workspace);
  const auto next = [&](std::size_t floats) { return std::exchange(at, at + Aligned(floats)); };
  Scratch s{};
  s.input_sums = next(Rows() * r_.width());
  s.state_sums = sums_apart_ ? next(Rows() * r_.width()) : s.input_sums;
  s.before = next(Rows() * r_.hidden);
  s.dh = next(States());
  s.dc = next(States());
  s.product = next(States());
  s.step_sums = next(r_.batch * r_.width());
  s.weights = next(to_state_.PackedRightBytes() / sizeof(float));
  s.plans = reinterpret_cast<std::byte*>(at);
  return s;
}

const float* LayerGradient::HiddenWeights(const RunArgs& args) const {
  return ports_.weights_hidden >= 0 ? args.In<float>(ports_.weights_hidden)
                                    : args.In<float>(ports_.weights_input) + r_.input * r_.width();
}

void LayerGradient::Load(const RunArgs& args, int port, float* to) const {
  if (port < 0)
    std::fill_n(to, States(), 0.0f);
  else
    std::copy_n(args.In<float>(port), States(), to);
}

void LayerGradient::Run(const RunArgs& args) const {
  const Scratch s = Divide(args.workspace);
  Load(args, ports_.dh, s.dh);
  Load(args, ports_.dc, s.dc);
  if (Rows() > 0) {
    to_state_.PackRightMatrices(HiddenWeights(args), s.weights);
    for (std::size_t step = r_.steps; step-- > 0;)
      GoBack(args, step, s);
    to_input_.Run(s.input_sums, args.In<float>(ports_.weights_input), args.Out<float>(ports_.dx), {},
                  s.plans);
  }
  StoreWeights(args, s);
  std::copy_n(s.dh, States(), args.Out<float>(ports_.dh_prev));
  if (ports_.dc_prev >= 0) std::copy_n(s.dc, States(), args.Out<float>(ports_.dc_prev));
}

void LayerGradient::GoBack(const RunArgs& args, std::size_t step, const Scratch& s) const {
  const std::size_t grain = 1 + kRowGrain / (r_.hidden + 1);
  ParallelFor(r_.batch, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t sequence = begin; sequence < end; ++sequence)
      GoBackIn(args, step, sequence, s);
  });
  to_state_.Run(s.step_sums, s.weights, s.product, {}, s.plans);
  for (std::size_t i = 0; i < States(); ++i)
    s.dh[i] += s.product[i];
}

// Behind the end of a sequence its state stays what it is, and nothing is put out.
void LayerGradient::GoBackIn(const RunArgs& args, std::size_t step, std::size_t sequence,
                             const Scratch& s) const {
  const std::size_t length = r_.LengthOf(args, sequence, name_), width = r_.width();
  float* const sums = s.step_sums + sequence * width;
  if (step >= length) {
    const std::size_t row = r_.RowOfX(step, sequence);
    std::fill_n(s.input_sums + row * width, width, 0.0f);
    std::fill_n(s.state_sums + row * width, width, 0.0f);
    std::fill_n(s.before + row * r_.hidden, r_.hidden, 0.0f);
    std::fill_n(sums, width, 0.0f);
    return;
  }
  const auto position = [&](std::size_t at) { return r_.reversed ? length - 1 - at : at; };
  const std::size_t row = r_.RowOfX(position(step), sequence);
  const auto state = [&](int first, int every) -> const float* {
    if (every < 0) return nullptr;
    return step > 0 ? args.In<float>(every) + r_.RowOfX(position(step - 1), sequence) * r_.hidden
                    : args.In<float>(first) + sequence * r_.hidden;
  };
  GradientRow gradient;
  gradient.at = row * r_.hidden;
  gradient.h_before = state(ports_.init_h, ports_.h);
  gradient.c_before = state(ports_.init_c, ports_.c);
  gradient.dh = s.dh + sequence * r_.hidden;
  gradient.dc = s.dc + sequence * r_.hidden;
  gradient.input_sums = s.input_sums + row * width;
  gradient.state_sums = s.state_sums + row * width;
  const float* dy = args.In<float>(ports_.dy) + gradient.at;
  for (std::size_t i = 0; i < r_.hidden; ++i)
    gradient.dh[i] += dy[i];
  std::copy_n(gradient.h_before, r_.hidden, s.before + gradient.at);
  Step(args, gradient);
  std::copy_n(gradient.state_sums, width, sums);
}

void LayerGradient::StoreWeights(const RunArgs& args, const Scratch& s) const {
  float* const input = args.Out<float>(ports_.dw_input);
  float* const hidden =
      ports_.dw_hidden >= 0 ? args.Out<float>(ports_.dw_hidden) : input + r_.input * r_.width();
  if (Rows() == 0) {
    std::fill_n(input, r_.input * r_.width(), 0.0f);
    std::fill_n(hidden, r_.hidden * r_.width(), 0.0f);
  } else {
    to_input_weights_.Run(args.In<float>(ports_.x), s.input_sums, input, {}, s.plans);
    to_hidden_weights_.Run(s.before, s.state_sums, hidden, {}, s.plans);
  }
  AddUp(args, ports_.db_input, s.input_sums);
  AddUp(args, ports_.db_hidden, s.state_sums);
}

void LayerGradient::AddUp(const RunArgs& args, int port, const float* sums) const {
  if (port < 0) return;
  float* const bias = args.Out<float>(port);
  ParallelFor(r_.width(), kColumnBlock, [&](std::size_t begin, std::size_t end) {
    for (std::size_t block = begin; block < end; block += kColumnBlock) {
      const std::size_t count = std::min(kColumnBlock, end - block);
      double totals[kColumnBlock] = {};
      for (std::size_t row = 0; row < Rows(); ++row)
        for (std::size_t i = 0; i < count; ++i)
          totals[i] += static_cast<double>(sums[row * r_.width() + block + i]);
      for (std::size_t i = 0; i < count; ++i)
        bias[block + i] = static_cast<float>(totals[i]);
    }
  });
}

}  // namespace foothold
