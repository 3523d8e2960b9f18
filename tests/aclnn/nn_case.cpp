// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/nn_case.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "aclnn/elements.h"

namespace nn {
namespace {

aclScalar* CreateScalar(const Scalar& scalar) {
  alignas(16) std::array<std::byte, 16> bytes{};
  const double parts[] = {scalar.value, scalar.imaginary};
  WriteElement(scalar.type, parts, bytes.data());
  return aclCreateScalar(bytes.data(), scalar.type);
}

// A linear congruence is random enough, and the same everywhere.
class Numbers {
 public:
  explicit Numbers(unsigned seed) : state_(seed * 2654435761u + 12345u) {}
  double Next() {  // in [0, 1)
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 11) / 9007199254740992.0;
  }

 private:
  std::uint64_t state_;
};

bool IsClose(double actual, double expected, double tolerance) {
  if (std::isnan(expected)) return std::isnan(actual);
  if (std::isinf(expected)) return actual == expected;
  return std::abs(actual - expected) <= tolerance * (1 + std::abs(expected));
}

}  // namespace

aclrtStream Nn::stream_ = nullptr;

aclTensor* Objects::Of(const Tensor& tensor) {
  seen_.push_back(tensor);
  tensor.Open();
  return tensors_.emplace_back(tensor.Create());
}

aclTensorList* Objects::Of(const List& list) {
  std::vector<const aclTensor*> members;
  for (const Tensor* tensor : list) {
    members.push_back(Of(tensor));
    if (tensor != nullptr) tensors_.pop_back();  // the list owns it
  }
  return lists_.emplace_back(aclCreateTensorList(members.data(), members.size()));
}

aclScalar* Objects::Of(const Scalar& scalar) {
  return scalars_.emplace_back(CreateScalar(scalar));
}

aclScalarList* Objects::Of(const Scalars& scalars) {
  std::vector<const aclScalar*> members;
  for (const Scalar& scalar : scalars)
    members.push_back(CreateScalar(scalar));
  return scalar_lists_.emplace_back(aclCreateScalarList(members.data(), members.size()));
}

aclIntArray* Objects::Of(const Ints& values) {
  return ints_.emplace_back(aclCreateIntArray(values.data(), values.size()));
}

aclFloatArray* Objects::Of(const Floats& values) {
  return floats_.emplace_back(aclCreateFloatArray(values.data(), values.size()));
}

aclBoolArray* Objects::Of(const Bools& values) {
  const auto copy = std::make_unique<bool[]>(values.size());
  std::copy(values.begin(), values.end(), copy.get());
  return bools_.emplace_back(aclCreateBoolArray(copy.get(), values.size()));
}

void Objects::Destroy() {
  const auto all = [](auto& objects, auto destroy) {
    for (const auto* object : objects)
      EXPECT_OK(destroy(object));
    objects.clear();
  };
  all(tensors_, aclDestroyTensor);
  all(lists_, aclDestroyTensorList);
  all(scalars_, aclDestroyScalar);
  all(scalar_lists_, aclDestroyScalarList);
  all(ints_, aclDestroyIntArray);
  all(floats_, aclDestroyFloatArray);
  all(bools_, aclDestroyBoolArray);
}

void Objects::CheckTensors() const {
  for (const Tensor& tensor : seen_)
    tensor.Check();
}

void RunSecond(const char* name, SecondPhase second, std::uint64_t workspace, aclOpExecutor* executor,
               Objects& objects) {
  const GuardedMemory memory(workspace);
  EXPECT_OK(second(memory.data(), workspace, executor, Nn::stream())) << name;
  objects.Destroy();
  EXPECT_OK(aclrtSynchronizeStream(Nn::stream())) << name;
  objects.CheckTensors();
}

Values Spread(std::size_t count, double low, double high, unsigned seed) {
  Numbers numbers(seed);
  Values values(count);
  for (double& value : values)
    value = low + (high - low) * numbers.Next();
  return values;
}

Values SpreadInts(std::size_t count, int low, int high, unsigned seed) {
  Values values = Spread(count, low, high + 1, seed);
  for (double& value : values)
    value = std::floor(value);
  return values;
}

Values Applied(const Values& values, double (*function)(double)) {
  Values results(values.size());
  std::transform(values.begin(), values.end(), results.begin(), function);
  return results;
}

Values Repeated(const Values& values, const Dims& from, const Dims& to) {
  Values repeated(CountOf(to));
  for (std::size_t i = 0; i < repeated.size(); ++i) {
    std::size_t rest = i, place = 0, step = 1;
    for (std::size_t d = 0; d < from.size(); ++d) {
      const auto extent = static_cast<std::size_t>(from[from.size() - 1 - d]);
      const auto target = static_cast<std::size_t>(to[to.size() - 1 - d]);
      if (extent > 1) place += rest % target * step;
      step *= extent;
      rest /= target;
    }
    repeated[i] = values[place];
  }
  return repeated;
}

double Tolerance(aclDataType type) {
  switch (type) {
    case ACL_FLOAT:
    case ACL_COMPLEX64:
      return 2e-6;
    case ACL_FLOAT16:
      return 1e-3;
    case ACL_BF16:
      return 8e-3;
    case ACL_DOUBLE:
    case ACL_COMPLEX128:
      return 1e-12;
    default:
      return 0;
  }
}

void ExpectClose(const Values& actual, const Values& expected, double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  int told = 0;
  for (std::size_t i = 0; i < actual.size() && told < 5; ++i) {
    if (IsClose(actual[i], expected[i], tolerance)) continue;
    ADD_FAILURE() << "element " << i << " of " << actual.size() << " is " << actual[i] << "; expected "
                  << expected[i];
    ++told;
  }
}

double Nmse(const Values& actual, const Values& expected) {
  double error = 0, size = 0;
  for (std::size_t i = 0; i < std::min(actual.size(), expected.size()); ++i) {
    error += (actual[i] - expected[i]) * (actual[i] - expected[i]);
    size += expected[i] * expected[i];
  }
  return size > 0 ? error / size : error;
}

}  // namespace nn
