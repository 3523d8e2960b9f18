// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What calls cost: how many kernels run for a call, and that none of them only copies where nothing has to
// be moved.
#include <gtest/gtest.h>

#include <cstring>
#include <string_view>

#include "aclnn/forms.h"
#include "program/program.h"

namespace foothold::aclnn {
namespace {

// Objects of one call, destroyed with it.
class CallCase {
 public:
  ~CallCase() {
    for (const void* tensor : tensors_)
      Tensors::Get().Remove(tensor);
    for (const void* scalar : scalars_)
      Scalars::Get().Remove(scalar);
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

  std::vector<std::string> Steps(std::string_view name) const {
    std::vector<std::string> names;
    const Arguments arguments(FunctionNamed(name), arguments_.data());
    const auto form = Forms::Get().FindOrPrepare(arguments);
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

  std::vector<const void*> tensors_, scalars_;
  std::vector<Argument> arguments_;
};

constexpr DataType kFloat = DataType::kFloat, kHalf = DataType::kFloat16;

using Names = std::vector<std::string>;

TEST(FormSteps, Explore) {
  const auto show = [](const char* name, const CallCase& one) {
    printf("%s: %s\n", name, testing::PrintToString(one.Steps(name)).c_str());
  };
  { CallCase c; c.Add(kFloat, {4096}).Add(kFloat, {4096}).Add(1.0f).Add(kFloat, {4096}); show("aclnnAdd", c); }
  { CallCase c; c.Add(kFloat, {1<<20}).Add(kFloat, {1<<20}).Add(1.0f).Add(kFloat, {1<<20}); show("aclnnAdd", c); }
  { CallCase c; c.Add(kFloat, {1<<20}).Add(kFloat, {1<<20}).Add(2.0f).Add(kFloat, {1<<20}); show("aclnnAdd", c); }
  { CallCase c; c.Add(kFloat, {64,64}).Add(kHalf, {64}).Add(1.0f).Add(kFloat, {64,64}); show("aclnnAdd", c); }
  { CallCase c; c.Add(kHalf, {4096}).Add(0.5f).Add(kHalf, {4096}); show("aclnnMuls", c); }
  { CallCase c; c.Add(kHalf, {4096}).Add(0.5f); show("aclnnInplaceMuls", c); }
  { CallCase c; c.Add(kHalf, {4096}).Add(0.5f).Add(kHalf, {4096}); show("aclnnGtScalar", c); }
  { CallCase c; c.Add(kFloat, {4096}).Add(0.5f).Add(kFloat, {4096}); show("aclnnGtScalar", c); }
  { CallCase c; c.Add(kFloat, {4096}).Add(0.5f).Add(0.7f).Add(kFloat, {4096}); show("aclnnClamp", c); }
  { CallCase c; c.Add(kFloat, {4096}).Add(0.5f).Add(0.7f); show("aclnnInplaceThreshold", c); }
  { CallCase c; c.Add(kFloat, {4096}).Add(0.5f); show("aclnnInplaceFillScalar", c); }
  { CallCase c; c.Add(kFloat, {64,64}, {80,1}).Add(0.5f); show("aclnnInplaceFillScalar", c); }
  { CallCase c; c.Add(kFloat, {4096}).Add(kFloat, {4096}); show("aclnnInplaceCopy", c); }
  { CallCase c; c.Add(kHalf, {4096}).Add(kFloat, {4096}); show("aclnnInplaceCopy", c); }
  { CallCase c; c.Add(kFloat, {64,64}, {80,1}).Add(kFloat, {64,64}); show("aclnnInplaceCopy", c); }
  { CallCase c; c.Add(kFloat, {64,64}).Add(kFloat, {64,64}, {80, 1}); show("aclnnInplaceCopy", c); }
  { CallCase c; c.Add(kFloat, {64,64}, {80,1}).Add(kFloat, {64,64}, {80, 1}); show("aclnnInplaceCopy", c); }
  { CallCase c; c.Add(kFloat, {64,64}, {80,1}).Add(kFloat, {64,64}, {80, 1}).Add(1.0f).Add(kFloat, {64,64},{80,1}); show("aclnnAdd", c); }
  { CallCase c; c.Add(kFloat, {64,64}, {1,64}).Add(kFloat, {64,64}).Add(1.0f).Add(kFloat, {64,64}); show("aclnnAdd", c); }
  { CallCase c; c.Add(kFloat, {64,64}, {1,64}).Add(kFloat, {64,64}, {1,64}).Add(1.0f).Add(kFloat, {64,64},{1,64}); show("aclnnAdd", c); }
  { CallCase c; c.Add(DataType::kInt8, {64,64}).Add(kHalf, {64,1}).Add(kFloat, {64,64}); show("aclnnMul", c); }
  { CallCase c; c.Add(DataType::kInt32, {64,1}).Add(kFloat, {64}).Add(kFloat, {64,64}); show("aclnnMul", c); }
  { CallCase c; c.Add(2.0f).Add(kHalf, {64}).Add(kHalf, {64}); show("aclnnPowScalarTensor", c); }
  { CallCase c; c.Add(kHalf, {64}).Add(kFloat, {64}); show("aclnnSilu", c); }
  { CallCase c; c.Add(0.0f).Add(64.0f).Add(1.0f).Add(kHalf, {1, 1, 1, 64}); show("aclnnArange", c); }
  { CallCase c; c.Add(kFloat, {64}).Add(kFloat, {64}).Add(kFloat, {64}).Add(0.5f).Add(kFloat, {64}); show("aclnnAddcmul", c); }
  { CallCase c; c.Add(kFloat, {4,64}).Add(DataType::kBool, {64}).Add(0.5f); show("aclnnInplaceMaskedFillScalar", c); }
}

}  // namespace
}  // namespace foothold::aclnn
