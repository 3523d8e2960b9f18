// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx_reader/value_list.h"

#include "base/error.h"

namespace foothold::onnx {

void ValueList::Reserve(std::size_t count) {
  numbers_.Reserve(count);
  values_.reserve(count);
  inputs_.reserve(count);
}

ValueNumber ValueList::Add(ModelValue value, KnownInput input) {
  values_.push_back(value);
  inputs_.push_back(input);
  return static_cast<ValueNumber>(values_.size()) - 1;
}

ValueNumber ValueList::Define(const std::string& name, const KnownType& type,
                              const ::onnx::TensorProto* data) {
  const auto next = static_cast<ValueNumber>(values_.size());
  const auto [number, fresh] = numbers_.Insert(name, next);
  if (!fresh && at(*number).outside == kNoValue) Fail(kParseFile, "value '{}' is defined twice", name);
  *number = next;
  return Add({name, &type.value}, {&type.proto, data});
}

ValueNumber ValueList::Find(const std::string& name) {
  if (const ValueNumber* const number = numbers_.Find(name)) return *number;
  const ValueNumber outside = outer_ == nullptr ? kNoValue : outer_->Find(name);
  if (outside == kNoValue) return kNoValue;
  const ModelValue& seen = outer_->at(outside);
  return *numbers_.Insert(seen.name, Add({seen.name, seen.type, -1, outside}, (*outer_)[outside])).first;
}

}  // namespace foothold::onnx
