// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How mappings see numbers: what they read decides about the form, what is late comes with each run.
#include <algorithm>

#include "aclnn/call.h"
#include "calls/bound_call.h"

namespace foothold::aclnn {
namespace {

// Questions are about all members of a list.
LateNumber OfAllMembers(const Call& call, LateNumber number) {
  for (ArgumentPlace* const place : {&number.first, &number.second})
    if (call.parameter(place->parameter).kind == Kind::kScalarList)
      place->member = ArgumentPlace::kAllMembers;
  return number;
}

}  // namespace

void Call::Reads(std::string_view name) const {
  const ArgumentPlace all{static_cast<std::uint16_t>(Index(name)), ArgumentPlace::kAllMembers};
  asked_.push_back({{all, all}, nullptr});
}

Number Call::GetNumber(std::string_view name) const {
  Reads(name);
  return Arguments::GetNumber(name);
}

std::vector<Number> Call::GetNumbers(std::string_view name) const {
  Reads(name);
  return Arguments::GetNumbers(name);
}

double Call::GetReal(std::string_view name) const {
  Reads(name);
  return Arguments::GetReal(name);
}

std::vector<std::int64_t> Call::GetInts(std::string_view name) const {
  Reads(name);
  return Arguments::GetInts(name);
}

LateNumber Call::Late(std::string_view name, std::size_t member) const {
  const ArgumentPlace place = PlaceOf(name, member);
  return {place, place, nullptr, NumberAt(place).type};
}

LateNumber Call::Late(LateNumber::Make make, const LateNumber& first, const LateNumber& second) const {
  FOOTHOLD_CHECK(first.make == nullptr && second.make == nullptr);
  LateNumber made{first.first, second.first, make};
  made.type = ValueOf(made, *this).type;
  return made;
}

Number Call::Known(const LateNumber& number) const {
  for (const ArgumentPlace& place : {number.first, number.second})
    Reads(parameter(place.parameter).name);
  return ValueOf(number, *this);
}

bool Call::Asks(const LateNumber& number, Question question) const {
  asked_.push_back({OfAllMembers(*this, number), question});
  return question(ValueOf(number, *this));
}

Value Call::AddValue(const LateNumber& number, const TensorType& type) {
  constexpr std::size_t kStep = BoundCall::kValueAlignment;
  std::size_t end = 0;
  if (!values_.empty()) end = (values_.back().offset + values_.back().bytes + kStep - 1) / kStep * kStep;
  const Value value = AddPort(parameter(number.first.parameter).name, number.first, {0, 0, end}, type);
  values_.push_back({number, type.type, end, ByteSize(type)});
  return value;
}

Value Call::LateValue(DataType type, const LateNumber& number) {
  return AddValue(number, {type, Format::kNd, {}});
}

Value Call::LateInts(std::string_view name) {
  const ArgumentPlace place = PlaceOf(name, 0);
  const auto count = static_cast<std::int64_t>(CountOfInts(name));
  return AddValue({place, place}, {DataType::kInt64, Format::kNd, {count}});
}

}  // namespace foothold::aclnn
