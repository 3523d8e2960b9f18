// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/maps/element.h"

namespace foothold::aclnn {
namespace {

// Null: every integer does.
Question FittingIn(DataType type) {
  switch (type) {
    case DataType::kInt8:
      return &FitsIn<std::int8_t>;
    case DataType::kUint8:
      return &FitsIn<std::uint8_t>;
    case DataType::kInt16:
      return &FitsIn<std::int16_t>;
    case DataType::kUint16:
      return &FitsIn<std::uint16_t>;
    case DataType::kInt32:
      return &FitsIn<std::int32_t>;
    case DataType::kUint32:
      return &FitsIn<std::uint32_t>;
    default:
      return nullptr;
  }
}

}  // namespace

DataType TypeIn(Domain domain, DataType type) {
  if (domain == Domain::kTruth) return DataType::kBool;
  return ComputeType(domain == Domain::kFloat ? FloatOf(type) : type);
}

Operand::Operand(Call& call, std::size_t parameter) {
  const Parameter& given = call.parameter(parameter);
  if (given.kind == Kind::kScalar) {
    number_ = call.Late(given.name);
  } else {
    value_ = call.In(given.name);
  }
}

Value Operand::As(Call& call, DataType type) const {
  return is_number() ? call.LateValue(type, number_) : call.To(value_, type);
}

// Scalars are kept as they are: as one, they fit.
DataType MeetNumber(const Call& call, DataType tensor, const LateNumber& number) {
  const DataType type = PromoteWithScalar(tensor, number.type);
  const Question fits = FittingIn(type);
  return fits == nullptr || call.Asks(number, fits) ? type : DataType::kInt64;
}

DataType Meet(const Call& call, const Operand& a, const Operand& b) {
  if (b.is_number()) return MeetNumber(call, a.type(), b.number());
  return a.is_number() ? MeetNumber(call, b.type(), a.number()) : Promote(a.type(), b.type());
}

Value OnlyElement(Call& call, std::string_view name, DataType type) {
  const Value value = call.In(name);
  if (ElementCount(DimsOf(value)) != 1)
    call.Refuse("'{}' is {}; it has to be one element", name, ToString(call.View(name)));
  return call.Reshape(call.To(value, type), {});
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
