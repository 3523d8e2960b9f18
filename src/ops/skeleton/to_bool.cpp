// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// ToBool: what a tensor means as a condition. One element is true if it is not zero, any other number of
// elements if there are some.
#include <algorithm>

#include "ops/op.h"

namespace foothold {
namespace {

class ToBool final : public Kernel {
 public:
  explicit ToBool(TensorType type) : type_(std::move(type)), elements_(ElementCount(type_.dims)) {}

  void Run(const RunArgs& args) const override {
    *reinterpret_cast<bool*>(args.outputs[0]) = elements_ == 1 ? IsTrue(args.inputs[0]) : elements_ > 0;
  }

 private:
  bool IsTrue(const std::byte* element) const {
    const SharedBytes borrowed(SharedBytes(), const_cast<std::byte*>(element));
    return Scalar(TensorValue(type_, borrowed, ByteSize(type_))) != 0;
  }

  TensorType type_;
  std::int64_t elements_;
};

const std::vector<DataType>& Types() {
  static const auto* types =
      new std::vector<DataType>{DataType::kBool,  DataType::kFloat, DataType::kDouble, DataType::kInt8,
                                DataType::kUint8, DataType::kInt16, DataType::kInt32,  DataType::kInt64};
  return *types;
}

void Infer(OpContext& context) {
  context.SetOut(0, DataType::kBool, {}, Format::kNd);
}

std::unique_ptr<Kernel> Lower(OpContext& context) {
  const DataType type = context.In(0).type;
  if (std::find(Types().begin(), Types().end(), type) == Types().end())
    context.Unsupported("no kernel for {}", DataTypeName(type));
  return std::make_unique<ToBool>(context.In(0));
}

const RegisterOp to_bool(OpDef("ToBool").Infer(Infer).Lower(Lower).Types(Types()));

}  // namespace
}  // namespace foothold
