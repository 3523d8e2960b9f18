// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Calls of operators of aclnn as programs make them:
//
//   TEST_F(Nn, AddsAMultiple) {
//     const Tensor a = In(ACL_FLOAT, {2, 3}, Spread(6)), b = In(ACL_FLOAT, {3}, Spread(3), Layout::kOffset);
//     const Tensor out = Out(ACL_FLOAT16, {2, 3}, Layout::kPaddedRows);
//     Run(NN(Add), a, b, Scalar(2.0f), out);
//     ExpectClose(out.Read(), expected, Tolerance(ACL_FLOAT16));
//   }
//
// Arguments are tensors, `Scalar`, `Ints`, `Floats`, `Bools`, `List`, `Scalars`, nullptr, text and plain
// numbers. Objects are made for the call and destroyed behind its second phase, before it has run. After it
// all tensors are looked at: only elements of outputs may have changed.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <vector>

#include "aclnn/device_tensor.h"
#include "conformance/device_fixture.h"

namespace nn {

struct Scalar {
  explicit Scalar(float value) : type(ACL_FLOAT), value(value) {}
  explicit Scalar(double value) : type(ACL_DOUBLE), value(value) {}
  explicit Scalar(int value) : type(ACL_INT64), value(value) {}
  explicit Scalar(bool value) : type(ACL_BOOL), value(value ? 1 : 0) {}
  Scalar(aclDataType type, double value, double imaginary = 0)
      : type(type), value(value), imaginary(imaginary) {}
  aclDataType type;
  double value, imaginary = 0;
};
struct Ints : std::vector<std::int64_t> {
  using std::vector<std::int64_t>::vector;
};
struct Floats : std::vector<float> {
  using std::vector<float>::vector;
};
struct Bools : std::vector<bool> {
  using std::vector<bool>::vector;
};
using List = std::vector<const Tensor*>;  // members may be null
struct Scalars : std::vector<Scalar> {
  using std::vector<Scalar>::vector;
};

// A number that becomes what the parameter is.
template <typename T>
struct Plain {
  T value;
  template <typename To, typename = std::enable_if_t<std::is_arithmetic_v<To>>>
  operator To() const {
    return static_cast<To>(value);
  }
};

// The objects of one call.
class Objects {
 public:
  Objects() = default;
  ~Objects() { Destroy(); }
  Objects(const Objects&) = delete;
  Objects& operator=(const Objects&) = delete;

  aclTensor* Of(const Tensor& tensor);
  aclTensor* Of(const Tensor* tensor) { return tensor == nullptr ? nullptr : Of(*tensor); }
  aclTensorList* Of(const List& list);
  aclScalar* Of(const Scalar& scalar);
  aclScalarList* Of(const Scalars& scalars);
  aclIntArray* Of(const Ints& values);
  aclFloatArray* Of(const Floats& values);
  aclBoolArray* Of(const Bools& values);
  char* Of(const char* text) { return const_cast<char*>(text); }
  std::nullptr_t Of(std::nullptr_t) { return nullptr; }
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  Plain<T> Of(T value) {
    return {value};
  }
  aclDataType Of(aclDataType type) { return type; }

  void Destroy();
  void CheckTensors() const;  // after the run

 private:
  std::vector<aclTensor*> tensors_;
  std::vector<aclTensorList*> lists_;
  std::vector<aclScalar*> scalars_;
  std::vector<aclScalarList*> scalar_lists_;
  std::vector<aclIntArray*> ints_;
  std::vector<aclFloatArray*> floats_;
  std::vector<aclBoolArray*> bools_;
  std::vector<Tensor> seen_;
};

using SecondPhase = aclnnStatus (*)(void* workspace, std::uint64_t size, aclOpExecutor* executor,
                                    aclrtStream stream);

// Both phases of an operator, and its name.
#define NN(name) #name, aclnn##name##GetWorkspaceSize, aclnn##name

// The second phase, the end of the objects, the end of the work, in this order.
void RunSecond(const char* name, SecondPhase second, std::uint64_t workspace, aclOpExecutor* executor,
               Objects& objects);

template <typename FirstPhase, typename... Args>
void Run(const char* name, FirstPhase first, SecondPhase second, const Args&... args) {
  Objects objects;
  std::uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  RecentError();
  ASSERT_OK(first(objects.Of(args)..., &workspace, &executor)) << name;
  RunSecond(name, second, workspace, executor, objects);
}

// The first phase answers this code, with a text that has this word in it.
template <typename FirstPhase, typename... Args>
void ExpectRefused(aclnnStatus code, const std::string& word, const char* name, FirstPhase first, SecondPhase,
                   const Args&... args) {
  Objects objects;
  std::uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  RecentError();
  EXPECT_EQ(first(objects.Of(args)..., &workspace, &executor), code) << name;
  const std::string text = RecentError();
  EXPECT_NE(text.find(word), std::string::npos) << name << ": " << text;
}

// Device 0, and the stream that calls run on.
class Nn : public testing::Test {
 public:
  static aclrtStream stream() { return stream_; }

 protected:
  // testing::Test has another, which would hide the one above.
  template <typename... Args>
  static void Run(const Args&... args) {
    nn::Run(args...);
  }

  void SetUp() override { stream_ = session_.Stream(); }
  void TearDown() override { EXPECT_OK(aclrtDestroyStream(stream_)); }

 private:
  static aclrtStream stream_;
  Session session_;
};

// The same numbers every time, spread over the range.
Values Spread(std::size_t count, double low = -2.0, double high = 2.0, unsigned seed = 1);
// Whole numbers from low to high, both included.
Values SpreadInts(std::size_t count, int low, int high, unsigned seed = 1);
Values Applied(const Values& values, double (*function)(double));
// As numpy repeats a tensor of dimensions `from`.
Values Repeated(const Values& values, const Dims& from, const Dims& to);

// What one rounding of a result of the type leaves, with a few of the computation in it; 0 for integers.
double Tolerance(aclDataType type);
// |actual - expected| <= tolerance * (1 + |expected|), element by element; NaN is NaN, inf is inf.
void ExpectClose(const Values& actual, const Values& expected, double tolerance);
// The squared error over the squared expected.
double Nmse(const Values& actual, const Values& expected);

}  // namespace nn
