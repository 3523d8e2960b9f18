// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/error.h"
#include "ops/op.h"
#include "ops/skeleton/element_text.h"

namespace foothold {
namespace {

class AssertKernel : public Kernel {
 public:
  AssertKernel(std::string name, std::int64_t summarize, std::vector<TensorType> types)
      : name_(std::move(name)), summarize_(summarize), types_(std::move(types)) {}
  void Run(const RunArgs& args) const override {
    if (*args.In<std::uint8_t>(0) != 0) return;
    std::string text;
    for (std::size_t i = 0; i < types_.size(); ++i) {
      if (i > 0) text += ", ";
      text += ElementText(types_[i], args.inputs[i + 1], summarize_);
    }
    Fail(kFailure, "{}: the condition is false; data: {}", name_, text);
  }

 private:
  std::string name_;
  std::int64_t summarize_;
  std::vector<TensorType> types_;
};

void InferAssert(OpContext& context) {
  const TensorType& condition = context.In(0);
  if (condition.type != DataType::kBool || ElementCount(condition.dims) != 1)
    context.Refuse("input_condition is {}, expected one bool", ToString(condition));
  for (int i = 1; i < context.inputs(); ++i)
    if (!context.Has(i)) context.Refuse("input {} is not connected", i);
}

std::unique_ptr<Kernel> LowerAssert(OpContext& context) {
  std::vector<TensorType> types;
  for (int i = 1; i < context.inputs(); ++i)
    types.push_back(context.In(i));
  return std::make_unique<AssertKernel>(context.node().Description(), context.node().Int("summarize", 3),
                                        std::move(types));
}

const RegisterOp assertion(
    OpDef("Assert").Infer(InferAssert).Lower(LowerAssert).Stateful().Types({DataType::kBool}));

}  // namespace
}  // namespace foothold
