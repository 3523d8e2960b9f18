// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A call of an operator by its parts, to see what is made of it.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "aclnn/forms.h"
#include "program/program.h"

namespace foothold::aclnn {

// Objects of one call, destroyed with it.
class CallCase {
 public:
  ~CallCase() {
    for (const void* tensor : tensors_)
      Tensors::Get().Remove(tensor);
    for (const void* scalar : scalars_)
      Scalars::Get().Remove(scalar);
    for (const void* list : lists_)
      TensorLists::Get().Remove(list);
    for (const void* array : arrays_)
      IntArrays::Get().Remove(array);
  }

  CallCase& Add(DataType type, const Dims& dims, Dims strides = {}) {
    if (strides.empty()) strides = Packed(dims);
    Tensor tensor{type, Format::kNd, Extents(dims), Extents(strides), Extents(dims)};
    tensors_.push_back(Tensors::Get().Add(std::move(tensor)));
    return Argue({tensors_.back()});
  }
  CallCase& Add(float value) {
    Scalar scalar{DataType::kFloat};
    std::memcpy(scalar.bytes.data(), &value, sizeof(value));
    scalars_.push_back(Scalars::Get().Add(scalar));
    return Argue({scalars_.back()});
  }

  // A list of one tensor.
  CallCase& AddList(DataType type, const Dims& dims) {
    Add(type, dims);
    lists_.push_back(TensorLists::Get().Add({tensors_.back()}));
    arguments_.back() = {lists_.back()};
    return *this;
  }
  CallCase& Add(const std::vector<std::int64_t>& values) {
    arrays_.push_back(IntArrays::Get().Add(values));
    return Argue({arrays_.back()});
  }
  CallCase& AddInteger(std::int64_t value) { return Argue({.integer = value}); }
  CallCase& AddReal(double value) { return Argue({.real = value}); }

  CallCase& Add(const char* text) { return Argue({text}); }  // or null, of any kind

  std::shared_ptr<Form> FormOf(std::string_view name) const {
    return Forms::Get().FindOrPrepare(Arguments(FunctionNamed(name), arguments_.data()));
  }
  std::vector<std::string> Steps(std::string_view name) const {
    std::vector<std::string> names;
    const auto form = FormOf(name);
    for (const Step& step : form->program->program().steps)
      names.push_back(step.type);
    return names;
  }

 private:
  static Dims Packed(const Dims& dims) {
    Dims strides(dims.size(), 1);
    for (std::size_t i = dims.size(); i-- > 1;)
      strides[i - 1] = strides[i] * dims[i];
    return strides;
  }
  CallCase& Argue(Argument argument) {
    arguments_.push_back(argument);
    return *this;
  }
  static const Function& FunctionNamed(std::string_view name) {
    const Function* function = AllFunctions();
    while (function->name != name)
      ++function;
    return *function;
  }

  std::vector<const void*> tensors_, scalars_, lists_, arrays_;
  std::vector<Argument> arguments_;
};

}  // namespace foothold::aclnn
