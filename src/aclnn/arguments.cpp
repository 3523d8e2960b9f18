// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/arguments.h"

#include <fmt/format.h>

#include <cstring>

#include "base/half.h"

namespace foothold::aclnn {
namespace {

template <typename T>
T Read(const Scalar& scalar) {
  T value;
  std::memcpy(&value, scalar.bytes.data(), sizeof value);
  return value;
}

template <typename T>
Number IntegerOf(const Scalar& scalar) {
  const T value = Read<T>(scalar);
  return {scalar.type, static_cast<std::int64_t>(value), static_cast<double>(value)};
}

Number RealOf(DataType type, double value) {
  const bool fits = value > -9.2e18 && value < 9.2e18;
  return {type, fits ? static_cast<std::int64_t>(value) : 0, value};
}

template <typename Objects>
void Find(const void* handle) {
  Objects::Get().Find(handle);
}

void CheckList(const HandleList& list) {
  constexpr std::size_t kMost = UINT16_MAX;  // places of tensors have no more numbers
  if (list.size() > kMost)
    Fail(kParamInvalid, "it has {} members; {} at most are possible", list.size(), kMost);
  for (const void* member : list)
    if (member != nullptr) Find<Tensors>(member);
}

}  // namespace

Number NumberOf(const Scalar& scalar) {
  switch (scalar.type) {
    case DataType::kFloat:
      return RealOf(scalar.type, Read<float>(scalar));
    case DataType::kDouble:
      return RealOf(scalar.type, Read<double>(scalar));
    case DataType::kFloat16:
      return RealOf(scalar.type, static_cast<float>(Read<Half>(scalar)));
    case DataType::kBfloat16:
      return RealOf(scalar.type, static_cast<float>(Read<Bfloat16>(scalar)));
    case DataType::kInt8:
      return IntegerOf<std::int8_t>(scalar);
    case DataType::kUint8:
      return IntegerOf<std::uint8_t>(scalar);
    case DataType::kInt16:
      return IntegerOf<std::int16_t>(scalar);
    case DataType::kUint16:
      return IntegerOf<std::uint16_t>(scalar);
    case DataType::kInt32:
      return IntegerOf<std::int32_t>(scalar);
    case DataType::kUint32:
      return IntegerOf<std::uint32_t>(scalar);
    case DataType::kInt64:
      return IntegerOf<std::int64_t>(scalar);
    case DataType::kUint64:
      return IntegerOf<std::uint64_t>(scalar);
    case DataType::kBool:
      return {scalar.type, Read<std::uint8_t>(scalar) != 0, Read<std::uint8_t>(scalar) != 0 ? 1.0 : 0.0};
    case DataType::kComplex64: {
      const auto value = Read<std::complex<float>>(scalar);
      return {scalar.type, 0, {value.real(), value.imag()}};
    }
    case DataType::kComplex128:
      return {scalar.type, 0, Read<std::complex<double>>(scalar)};
    default:
      Fail(kParamInvalid, "there are no scalars of type {}", DataTypeName(scalar.type));
  }
}

std::size_t Arguments::Index(std::string_view name) const {
  for (std::size_t i = 0; i < size(); ++i)
    if (parameter(i).name == name) return i;
  Fail(kInner, "{} has no parameter '{}'", function_.name, name);
}

bool Arguments::Has(std::string_view name) const {
  const std::size_t index = Index(name);
  switch (parameter(index).kind) {
    case Kind::kInteger:
    case Kind::kSeed:
    case Kind::kReal:
    case Kind::kBool:
    case Kind::kDataType:
      return true;  // a number is always there, 0 as well
    default:
      return argument(index).pointer != nullptr;
  }
}

const Tensor& Arguments::GetTensor(std::string_view name) const {
  return Tensors::Get().Find(argument(Index(name)).pointer);
}

const HandleList& Arguments::GetList(std::string_view name) const {
  const std::size_t index = Index(name);
  const void* handle = argument(index).pointer;
  return parameter(index).kind == Kind::kScalarList ? ScalarLists::Get().Find(handle)
                                                    : TensorLists::Get().Find(handle);
}

Number Arguments::GetNumber(std::string_view name) const {
  return NumberOf(Scalars::Get().Find(argument(Index(name)).pointer));
}

Number Arguments::NumberAt(ArgumentPlace place) const {
  const Argument& given = argument(place.parameter);
  switch (parameter(place.parameter).kind) {
    case Kind::kScalar:
      return NumberOf(Scalars::Get().Find(given.pointer));
    case Kind::kScalarList:
      return NumberOf(Scalars::Get().Find(ScalarLists::Get().Find(given.pointer).at(place.member)));
    case Kind::kReal:
      return RealOf(DataType::kDouble, given.real);
    default:
      return {DataType::kInt64, given.integer, static_cast<double>(given.integer)};
  }
}

std::vector<Number> Arguments::GetNumbers(std::string_view name) const {
  std::vector<Number> numbers;
  for (const void* member : GetList(name))
    numbers.push_back(NumberOf(Scalars::Get().Find(member)));
  return numbers;
}

std::vector<std::int64_t> Arguments::GetInts(std::string_view name) const {
  return IntArrays::Get().Find(argument(Index(name)).pointer);
}

std::vector<float> Arguments::GetFloats(std::string_view name) const {
  return FloatArrays::Get().Find(argument(Index(name)).pointer);
}

std::vector<bool> Arguments::GetBools(std::string_view name) const {
  const auto& values = BoolArrays::Get().Find(argument(Index(name)).pointer);
  return {values.begin(), values.end()};
}

std::int64_t Arguments::GetInt(std::string_view name) const {
  const std::size_t index = Index(name);
  FOOTHOLD_CHECK(parameter(index).kind != Kind::kSeed);
  return argument(index).integer;
}

double Arguments::GetReal(std::string_view name) const {
  return argument(Index(name)).real;
}

std::string Arguments::GetText(std::string_view name) const {
  const auto* text = static_cast<const char*>(argument(Index(name)).pointer);
  return text == nullptr ? std::string() : std::string(text);
}

void Arguments::CheckOne(std::size_t index) const {
  const Parameter& expected = parameter(index);
  const void* handle = argument(index).pointer;
  switch (expected.kind) {
    case Kind::kInteger:
    case Kind::kSeed:
    case Kind::kReal:
    case Kind::kBool:
    case Kind::kDataType:
      return;
    default:
      break;
  }
  if (handle == nullptr) {
    const bool list = expected.kind == Kind::kTensorList;  // an empty one
    if (!expected.optional && !list && expected.kind != Kind::kText) Fail(kParamNull, "it must not be null");
    return;
  }
  switch (expected.kind) {
    case Kind::kTensor:
      return Find<Tensors>(handle);
    case Kind::kScalar:
      return Find<Scalars>(handle);
    case Kind::kInts:
      return Find<IntArrays>(handle);
    case Kind::kFloats:
      return Find<FloatArrays>(handle);
    case Kind::kBools:
      return Find<BoolArrays>(handle);
    case Kind::kTensorList:
      return CheckList(TensorLists::Get().Find(handle));
    case Kind::kScalarList:
      for (const void* member : ScalarLists::Get().Find(handle))
        Find<Scalars>(member);
      return;
    default:
      return;
  }
}

void Arguments::Check() const {
  for (std::size_t i = 0; i < size(); ++i) {
    try {
      CheckOne(i);
    } catch (const Error& error) {
      Fail(error.code(), "argument '{}': {}", parameter(i).name, error.message());
    }
  }
}

namespace {

std::string DescribeTensor(const void* handle) {
  const Tensor* tensor = Tensors::Get().FindOrNull(handle);
  return tensor == nullptr ? DescribeHandle(handle) : ToString(CurrentView(*tensor));
}

std::string DescribeList(const void* handle) {
  const HandleList* list = TensorLists::Get().FindOrNull(handle);
  if (list == nullptr) return DescribeHandle(handle);
  std::string text = "{";
  for (const void* member : *list)
    text += (text.size() > 1 ? ", " : "") + DescribeTensor(member);
  return text + "}";
}

std::string DescribeScalar(const void* handle) {
  const Scalar* scalar = Scalars::Get().FindOrNull(handle);
  if (scalar == nullptr) return DescribeHandle(handle);
  return fmt::format("{} {}", DataTypeName(scalar->type), NumberOf(*scalar).real());
}

std::string DescribeArgument(const Parameter& parameter, const Argument& argument) {
  switch (parameter.kind) {
    case Kind::kTensor:
      return DescribeTensor(argument.pointer);
    case Kind::kTensorList:
      return DescribeList(argument.pointer);
    case Kind::kScalar:
      return DescribeScalar(argument.pointer);
    case Kind::kInts:
      if (const auto* values = IntArrays::Get().FindOrNull(argument.pointer))
        return foothold::ToString(Dims(*values));
      return DescribeHandle(argument.pointer);
    case Kind::kBools:
      if (const auto* values = BoolArrays::Get().FindOrNull(argument.pointer))
        return foothold::ToString(Dims(values->begin(), values->end()));
      return DescribeHandle(argument.pointer);
    case Kind::kInteger:
    case Kind::kSeed:
    case Kind::kBool:
      return std::to_string(argument.integer);
    case Kind::kDataType:
      return std::string(DataTypeName(static_cast<DataType>(argument.integer)));
    case Kind::kReal:
      return fmt::format("{}", argument.real);
    case Kind::kText:
      if (argument.pointer == nullptr) return "null";
      return fmt::format("\"{}\"",
                         std::string_view(static_cast<const char*>(argument.pointer),
                                          strnlen(static_cast<const char*>(argument.pointer), 200)));
    default:
      return DescribeHandle(argument.pointer);
  }
}

}  // namespace

std::string Arguments::Describe() const {
  std::string text;
  for (std::size_t i = 0; i < size(); ++i)
    text += fmt::format("{}{}={}", i == 0 ? "" : ", ", parameter(i).name,
                        DescribeArgument(parameter(i), argument(i)));
  return text;
}

std::string ToString(const Tensor& tensor) {
  return ToString(TensorType{tensor.type, tensor.format, tensor.dims.ToDims()});
}

}  // namespace foothold::aclnn
