// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/elementwise/plain_loop.h"

namespace foothold {
namespace {

class PlainKernel final : public Kernel {
 public:
  PlainKernel(const OpContext& context, PlainLoop loop, const std::vector<PlainOperand>& operands,
              std::vector<float> params)
      : loop_(loop.run),
        params_(std::move(params)),
        rows_(context, operands, StridedRows::Elements::kApart) {}

  void Run(const RunArgs& args) const override {
    rows_.Run(args, [this](const std::byte* const* from, const std::ptrdiff_t* steps, std::byte* to,
                           std::size_t count) { loop_(from, steps, to, count, params_.data()); });
  }

 private:
  PlainLoop::Function loop_;
  std::vector<float> params_;
  StridedRows rows_;
};

}  // namespace

std::unique_ptr<Kernel> LowerPlain(const OpContext& context, PlainLoop loop,
                                   const std::vector<PlainOperand>& operands, std::vector<float> params) {
  if (operands.size() != static_cast<std::size_t>(loop.operands) ||
      operands.size() > StridedRows::kMostOperands)
    context.Refuse("there are {} inputs, expected {}", operands.size(), loop.operands);
  return std::make_unique<PlainKernel>(context, loop, operands, std::move(params));
}

}  // namespace foothold
