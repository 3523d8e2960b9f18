// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/maps/axes.h"

#include <numeric>

#include "aclnn/types.h"

namespace foothold::aclnn {

std::vector<std::int64_t> AllIfNone(std::vector<std::int64_t> axes, const Value& value) {
  if (!axes.empty()) return axes;
  axes.resize(DimsOf(value).size());
  std::iota(axes.begin(), axes.end(), 0);
  return axes;
}

std::vector<std::int64_t> AxesOf(Call& call, std::string_view name, const Value& value) {
  return AllIfNone(call.Has(name) ? call.GetAxes(name, DimsOf(value).size()) : std::vector<std::int64_t>(),
                   value);
}

Value Reduced(Call& call, const char* type, Value value, const std::vector<std::int64_t>& axes, bool keep) {
  if (DimsOf(value).empty()) return value;
  const auto reduced = [&](Value x) { return call.Op(type, {x, call.Ints(axes)}).Set("keep_dims", keep); };
  const std::string_view name = type;
  return name == "ReduceSum" || name == "ReduceMean" ? ByParts(call, value, reduced) : reduced(value).Out();
}

Value ByParts(Call& call, Value value, const std::function<Value(Value)>& function) {
  const DataType type = TypeOf(value).type;
  if (!IsComplex(type)) return function(value);
  const DataType part = type == DataType::kComplex64 ? DataType::kFloat : DataType::kDouble;
  const Value parts = call.Op("Bitcast", {value}).Set("type", part);
  return call.Op("Bitcast", {function(parts)}).Set("type", type);
}

DataType SaidType(Call& call, std::string_view out) {
  const DataType said = call.GetType("dtype");
  return ComputeType(said == DataType::kUndefined ? call.TypeOfArgument(out) : said);
}

}  // namespace foothold::aclnn
