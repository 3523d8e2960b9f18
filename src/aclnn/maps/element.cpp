// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/maps/element.h"

#include <cmath>

namespace foothold::aclnn {
namespace {

// Scalars are kept as they are: as one, they fit.
DataType MeetNumber(DataType tensor, const Number& number) {
  const DataType type = PromoteWithScalar(tensor, number.type);
  return Fits(number, type) ? type : DataType::kInt64;
}

}  // namespace

DataType TypeIn(Domain domain, DataType type) {
  if (domain == Domain::kTruth) return DataType::kBool;
  return ComputeType(domain == Domain::kFloat ? FloatOf(type) : type);
}

Operand::Operand(Call& call, std::size_t parameter) {
  const Parameter& given = call.parameter(parameter);
  if (given.kind == Kind::kScalar) {
    number_ = call.GetNumber(given.name);
  } else {
    value_ = call.In(given.name);
  }
}

Value Operand::As(Call& call, DataType type) const {
  return is_number() ? NumberAs(call, type, number_) : call.To(value_, type);
}

DataType Meet(const Operand& a, const Operand& b) {
  if (b.is_number()) return MeetNumber(a.type(), b.number());
  return a.is_number() ? MeetNumber(b.type(), a.number()) : Promote(a.type(), b.type());
}

Value NumberAs(Call& call, DataType type, const Number& number) {
  if (Fits(number, type)) return call.Number(type, number);
  return call.To(call.Int(number.integer), type);
}

bool Fits(const Number& number, DataType type) {
  if (!IsInteger(type)) return true;
  const auto bits = static_cast<int>(BitsPerElement(type).value_or(0));
  if (bits == 64) return true;
  const bool is_signed = type == DataType::kInt8 || type == DataType::kInt16 || type == DataType::kInt32;
  const std::int64_t end = std::int64_t{1} << (is_signed ? bits - 1 : bits);
  return number.integer < end && number.integer >= (is_signed ? -end : 0);
}

Value OnlyElement(Call& call, std::string_view name, DataType type) {
  const Value value = call.In(name);
  if (ElementCount(DimsOf(value)) != 1)
    call.Refuse("'{}' is {}; it has to be one element", name, ToString(call.View(name)));
  return call.Reshape(call.To(value, type), {});
}

bool HasFraction(const Number& number) {
  return IsFloat(number.type) && number.real() != static_cast<double>(number.integer);
}

std::vector<Value> TensorsAs(Call& call, Domain domain) {
  std::vector<Value> values;
  for (std::size_t i = 0; i < call.size(); ++i) {
    const Parameter& given = call.parameter(i);
    if (given.kind == Kind::kTensor && given.direction != Direction::kOut && call.Has(given.name))
      values.push_back(call.In(given.name));
  }
  DataType type = TypeOf(values.at(0)).type;
  for (const Value& value : values)
    type = Promote(type, TypeOf(value).type);
  for (Value& value : values)
    value = call.To(value, TypeIn(domain, type));
  return values;
}

std::string_view ResultName(const Call& call) {
  std::string_view name;
  for (std::size_t i = 0; i < call.size(); ++i)
    if (call.parameter(i).direction == Direction::kOut) name = call.parameter(i).name;
  return name.empty() ? call.parameter(0).name : name;
}

}  // namespace foothold::aclnn
