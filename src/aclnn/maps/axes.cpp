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
  return DimsOf(value).empty() ? value : call.Op(type, {value, call.Ints(axes)}).Set("keep_dims", keep).Out();
}

DataType SaidType(Call& call, std::string_view out) {
  const DataType said = call.GetType("dtype");
  return ComputeType(said == DataType::kUndefined ? call.TypeOfArgument(out) : said);
}

}  // namespace foothold::aclnn
