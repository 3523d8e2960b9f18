// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/elementwise/plain_loop.h"

#include <algorithm>

#include "base/thread_pool.h"
#include "ops/elementwise/element_step.h"

namespace foothold {
namespace {

constexpr std::size_t kMaxOperands = 4;
constexpr std::size_t kGrain = 32768;  // elements

class PlainKernel final : public Kernel {
 public:
  PlainKernel(const OpContext& context, PlainLoop loop, const std::vector<PlainOperand>& operands,
              std::vector<float> params)
      : loop_(loop.run), params_(std::move(params)), dims_(context.Out(0).dims) {
    count_ = static_cast<std::size_t>(ElementCount(dims_));
    output_size_ = BytesPerElement(context.Out(0).type);
    for (const PlainOperand& operand : operands) {
      const auto size = static_cast<std::int64_t>(BytesPerElement(context.In(operand.port).type));
      strides_.push_back(BroadcastStrides(operand.dims, dims_));
      for (std::int64_t& stride : strides_.back())
        stride *= size;
      ports_.push_back(operand.port);
    }
    Collapse();
  }

  void Run(const RunArgs& args) const override {
    ParallelFor(count_, kGrain, [&](std::size_t begin, std::size_t end) { RunPiece(args, begin, end); });
  }

 private:
  bool WalksOn(std::size_t axis) const {
    return std::all_of(strides_.begin(), strides_.end(), [&](const auto& strides) {
      return strides[axis] == strides[axis + 1] * dims_[axis + 1];
    });
  }

  void Collapse() {
    if (dims_.empty()) {
      dims_ = {1};
      for (auto& strides : strides_)
        strides = {0};
    }
    for (std::size_t i = dims_.size(); i-- > 1;) {
      if (!WalksOn(i - 1)) continue;
      dims_[i] *= dims_[i - 1];
      const auto gone = static_cast<std::ptrdiff_t>(i - 1);
      dims_.erase(dims_.begin() + gone);
      for (auto& strides : strides_)
        strides.erase(strides.begin() + gone);
    }
  }

  // Row by row; the first and the last may be cut.
  void RunPiece(const RunArgs& args, std::size_t begin, std::size_t end) const {
    const std::size_t inner = dims_.size() - 1;
    const auto length = static_cast<std::size_t>(dims_[inner]);
    std::ptrdiff_t steps[kMaxOperands];
    for (std::size_t k = 0; k < ports_.size(); ++k)
      steps[k] = strides_[k][inner];
    while (begin < end) {
      const std::size_t run = std::min(length - begin % length, end - begin);
      const std::byte* from[kMaxOperands];
      for (std::size_t k = 0; k < ports_.size(); ++k)
        from[k] = args.inputs[ports_[k]] + Offset(k, begin);
      loop_(from, steps, args.outputs[0] + begin * output_size_, run, params_.data());
      begin += run;
    }
  }

  std::ptrdiff_t Offset(std::size_t operand, std::size_t element) const {
    std::ptrdiff_t offset = 0;
    auto rest = static_cast<std::int64_t>(element);
    for (std::size_t axis = dims_.size(); axis-- > 0; rest /= dims_[axis])
      offset += rest % dims_[axis] * strides_[operand][axis];
    return offset;
  }

  PlainLoop::Function loop_;
  std::vector<float> params_;
  Dims dims_;
  std::size_t count_ = 0;
  std::size_t output_size_ = 0;
  std::vector<int> ports_;
  std::vector<std::vector<std::int64_t>> strides_;  // in bytes, by operand and axis
};

}  // namespace

std::unique_ptr<Kernel> LowerPlain(const OpContext& context, PlainLoop loop,
                                   const std::vector<PlainOperand>& operands, std::vector<float> params) {
  if (operands.size() != static_cast<std::size_t>(loop.operands) || operands.size() > kMaxOperands)
    context.Refuse("there are {} inputs, expected {}", operands.size(), loop.operands);
  return std::make_unique<PlainKernel>(context, loop, operands, std::move(params));
}

}  // namespace foothold
