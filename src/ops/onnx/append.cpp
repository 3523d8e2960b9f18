// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// OnnxAppend: a list of equal tensors with one more at its end; how loops of ONNX collect what each of their
// steps gives. The first input is [n, ...], the second [...]. A list without elements may have any shape.
#include <cstring>

#include "ops/op.h"

namespace foothold {
namespace {

Dims AppendedDims(const OpContext& context) {
  const TensorType& list = context.In(0);
  const TensorType& element = context.In(1);
  if (list.dims.empty()) context.Refuse("the list is a scalar");
  if (list.type != element.type)
    context.Refuse("the list is {}, but the element {}", ToString(list), ToString(element));
  Dims dims = element.dims;
  dims.insert(dims.begin(), list.dims[0] + 1);
  Dims expected = dims;
  expected[0] = list.dims[0];
  if (list.dims[0] != 0 && list.dims != expected)
    context.Refuse("the steps give different shapes: {} does not go with {}", ToString(element),
                   ToString(list));
  return dims;
}

class AppendKernel : public Kernel {
 public:
  AppendKernel(std::size_t list_bytes, std::size_t element_bytes)
      : list_bytes_(list_bytes), element_bytes_(element_bytes) {}

  void Run(const RunArgs& args) const override {
    if (list_bytes_ > 0) std::memcpy(args.outputs[0], args.inputs[0], list_bytes_);
    if (element_bytes_ > 0) std::memcpy(args.outputs[0] + list_bytes_, args.inputs[1], element_bytes_);
  }

 private:
  std::size_t list_bytes_, element_bytes_;
};

void InferAppend(OpContext& context) {
  context.SetOut(0, context.In(1).type, AppendedDims(context), Format::kNd);
}

std::unique_ptr<Kernel> LowerAppend(OpContext& context) {
  const std::size_t list = context.In(0).dims[0] == 0 ? 0 : ByteSize(context.In(0));
  return std::make_unique<AppendKernel>(list, ByteSize(context.In(1)));
}

const RegisterOp append(OpDef("OnnxAppend").Infer(InferAppend).Lower(LowerAppend));

}  // namespace
}  // namespace foothold
