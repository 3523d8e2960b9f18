// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tensors that come from numbers alone: ranges and unit matrices. Numbers are computed exactly, or in double,
// and rounded once.
#include <cmath>

#include "aclnn/maps/element.h"

namespace foothold::aclnn {
namespace {

// Cut off, as a range of integers has it.
Number WholeOf(const Number& number) {
  return {DataType::kInt64, number.integer, {static_cast<double>(number.integer), 0}};
}

struct Steps {
  Number start, end, step;
  bool whole() const { return IsWhole(start.type) && IsWhole(end.type) && IsWhole(step.type); }
  double distance() const { return (end.real() - start.real()) / step.real(); }

 private:
  static bool IsWhole(DataType type) { return IsInteger(type) || type == DataType::kBool; }
};

Steps StepsOf(const Call& call) {
  const Steps steps{call.GetNumber("start"), call.GetNumber("end"), call.GetNumber("step")};
  if (steps.step.real() == 0) call.Refuse("'step' is 0: there is no end to reach");
  if (!std::isfinite(steps.distance()))
    call.Refuse("from {} to {} by {} is no range", steps.start.real(), steps.end.real(), steps.step.real());
  if (steps.distance() < 0)
    call.Refuse("'step' is {}, which leads away from {} to {}", steps.step.real(), steps.start.real(),
                steps.end.real());
  return steps;
}

// `limit` is not reached. Dimensions of the output do not matter, their product does.
void WriteRange(Call& call, const Steps& steps, const Number& limit) {
  const DataType type = steps.whole() ? DataType::kInt64 : DataType::kDouble;
  call.OutElements("out", call.Op("Range", {call.Number(type, steps.start), call.Number(type, limit),
                                            call.Number(type, steps.step)}));
}

// How many there are, the output tells: programs count before they cut numbers off, or behind it.
void WriteIntegers(Call& call, const Steps& given) {
  const Steps steps{WholeOf(given.start), WholeOf(given.end), WholeOf(given.step)};
  const std::int64_t count = ElementCount(call.DimsOfArgument("out"));
  const auto counted = [](const Steps& by) { return static_cast<std::int64_t>(std::ceil(by.distance())); };
  if (count != counted(given) && (steps.step.integer == 0 || count != counted(steps)))
    call.Refuse("'out' is {}, and from {} to {} by {} there are {}", ToString(call.View("out")),
                given.start.real(), given.end.real(), given.step.real(), counted(given));
  const Value places = call.Op("Range", {call.Int(0), call.Int(count), call.Int(1)});
  const Value distances = call.Op("Mul", {places, call.Int(steps.step.integer)});
  call.OutElements("out", call.Op("Add", {distances, call.Int(steps.start.integer)}));
}

void MapArange(Call& call) {
  const Steps steps = StepsOf(call);
  if (IsInteger(call.TypeOfArgument("out")) && !steps.whole()) return WriteIntegers(call, steps);
  WriteRange(call, steps, steps.end);
}

// The end is part of it.
void MapRange(Call& call) {
  const Steps steps = StepsOf(call);
  Number limit = steps.start;
  const double count = std::floor(steps.distance()) + 1;
  limit.integer += static_cast<std::int64_t>(count) * steps.step.integer;
  limit.complex += (count - (steps.whole() ? 0 : 0.5)) * steps.step.real();
  WriteRange(call, steps, limit);
}

void MapLinspace(Call& call) {
  const std::int64_t steps = call.GetInt("steps");
  if (steps < 0) call.Refuse("'steps' is {}; it cannot be negative", steps);
  if (steps == 0) return call.OutElements("out", call.Filled(DataType::kFloat, {0}, 0));
  constexpr DataType kType = DataType::kDouble;
  const bool whole = IsInteger(call.TypeOfArgument("out"));
  const auto bound = [&](const char* name) {
    const Number number = call.GetNumber(name);
    return call.Number(kType, whole ? WholeOf(number) : number);
  };
  call.OutElements("out", call.Op("LinSpace", {bound("start"), bound("end"), call.Int(steps)}));
}

void MapEye(Call& call) {
  const std::int64_t rows = call.GetInt("n"), columns = call.GetInt("m");
  const DataType type = call.TypeOfArgument("out");
  if (rows < 0 || columns < 0) call.Refuse("'n' is {} and 'm' {}; neither can be negative", rows, columns);
  if (rows == 0 || columns == 0) return call.Out("out", call.Filled(type, {rows, columns}, 0));
  call.Out("out", call.Op("Eye")
                      .Set("num_rows", rows)
                      .Set("num_columns", columns)
                      .Set("dtype", static_cast<std::int64_t>(type)));
}

const RegisterMapping sequence_maps({{"aclnnArange", MapArange},
                                     {"aclnnRange", MapRange},
                                     {"aclnnLinspace", MapLinspace},
                                     {"aclnnEye", MapEye}});

}  // namespace
}  // namespace foothold::aclnn
