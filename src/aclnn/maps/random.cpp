// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Chance: what is drawn follows from seed and offset alone.
#include "aclnn/mapping.h"
#include "aclnn/maps/given.h"
#include "aclnn/types.h"

namespace foothold::aclnn {
namespace {

// Integers are drawn as floats and cut off.
DataType DrawnType(Call& call, std::string_view out) {
  const DataType type = call.TypeOfArgument(out);
  return IsFloat(type) ? type : DataType::kFloat;
}

struct State {
  Value seed, offset;
};

// Numbers of the call, or, for captured ones, tensors that are read when they run; then a number of the call
// is added to the offset.
State StateOf(Call& call) {
  const bool tensors = HasParameter(call, "seedTensor");
  const auto state = [&](const char* tensor, const char* number) {
    if (!tensors) return call.Seed(number);
    return call.Reshape(call.To(call.In(tensor), DataType::kInt64), {});
  };
  const Value seed = state("seedTensor", "seed");
  Value offset = state("offsetTensor", "offset");
  if (tensors) offset = call.Op("Add", {offset, call.Seed("offset")});
  return {seed, offset};
}

// Two numbers say how: a range, or a mean and a deviation.
Op Drawn(Call& call, const char* type, DataType element, const Dims& shape, Value first, Value second) {
  const State state = StateOf(call);
  Op draw = call.OwnOp(
      type, {{"seed", state.seed}, {"offset", state.offset}, {"first", first}, {"second", second}}, {"y"});
  draw.Set("shape", shape).Set("dtype", element);
  return draw;
}

Value LateFloat(Call& call, std::string_view name) {
  return call.LateValue(DataType::kFloat, call.Late(name));
}

// From 0 to 1.
Value Even(Call& call, DataType type, const Dims& dims) {
  return Drawn(call, "AclnnRandomUniform", type, dims, call.Number(DataType::kFloat, 0.0),
               call.Number(DataType::kFloat, 1.0));
}

Number IsOrdered(const Number& from, const Number& to) {
  const bool ordered = from.real() <= to.real();
  return {DataType::kBool, ordered ? 1 : 0, ordered ? 1.0 : 0.0};
}

void MapUniform(Call& call) {
  const LateNumber from = call.Late("from"), to = call.Late("to");
  if (!call.Asks(call.Late(IsOrdered, from, to), IsOne))
    call.Refuse("'from' is {} and 'to' {}; the second has to be the larger one", call.GetReal("from"),
                call.GetReal("to"));
  call.Out("selfRef", Drawn(call, "AclnnRandomUniform", DrawnType(call, "selfRef"),
                            call.DimsOfArgument("selfRef"), LateFloat(call, "from"), LateFloat(call, "to")));
}

void CheckDeviation(Call& call) {
  if (!call.Asks(call.Late("std"), IsNotNegative))
    call.Refuse("'std' is {}; it cannot be negative", call.GetReal("std"));
}

void MapNormal(Call& call, std::string_view out) {
  CheckDeviation(call);
  call.Out(out, Drawn(call, "AclnnRandomNormal", DrawnType(call, out), call.DimsOfArgument(out),
                      LateFloat(call, "mean"), LateFloat(call, "std")));
}

// A mean or a deviation for each element. `tensors` says which of the two are tensors.
void MapNormalOfTensors(Call& call, bool mean_is_tensor, bool deviation_is_tensor) {
  const auto parameter = [&](std::string_view name, bool tensor) {
    return tensor ? call.To(call.In(name), DataType::kFloat) : LateFloat(call, name);
  };
  if (!deviation_is_tensor) CheckDeviation(call);
  Value drawn = Drawn(call, "AclnnRandomNormal", DataType::kFloat, call.DimsOfArgument("out"),
                      call.Number(DataType::kFloat, 0.0), call.Number(DataType::kFloat, 1.0));
  drawn = call.Op("Mul", {drawn, parameter("std", deviation_is_tensor)});
  call.Out("out", call.Op("Add", {drawn, parameter("mean", mean_is_tensor)}));
}

LateNumber Probability(Call& call) {
  const LateNumber probability = call.Late("prob");
  if (!call.Asks(probability, IsShare))
    call.Refuse("'prob' is {}; 0 to 1 is expected", call.Known(probability).real());
  return probability;
}

void MapDropoutGenMask(Call& call) {
  const State state = StateOf(call);
  Op mask = call.OwnOp("AclnnDropoutMask",
                       {{"seed", state.seed},
                        {"offset", state.offset},
                        {"p", call.LateValue(DataType::kFloat, Probability(call))}},
                       {"y"});
  call.OutElements("out", mask.Set("count", ElementCount(Dims(call.GetInts("shape"))))
                              .Set("bytes", ElementCount(call.DimsOfArgument("out"))));
}

void MapDropoutDoMask(Call& call) {
  const Value given = call.In("self"), mask = call.In("mask");
  const Value self = IsFloat(TypeOf(given).type) ? given : call.To(given, DataType::kFloat);
  const LateNumber share = call.Late(
      [](const Number& dropped, const Number&) {
        return Number{DataType::kDouble, 0, 1 - dropped.real()};
      },
      Probability(call));
  const Value keep =
      call.LateValue(TypeOf(self).type == DataType::kDouble ? DataType::kDouble : DataType::kFloat, share);
  const bool truths = TypeOf(mask).type == DataType::kBool;
  const Value kept = call.Op(truths ? "DropOutDoMaskV3" : "DropOutDoMask", {self, mask, keep});
  call.Out("out", TypeOf(given).type == DataType::kBool ? call.To(kept, DataType::kBool) : kept);
}

// Rows of probabilities, up to a factor.
struct Chances {
  Value rows;
  std::int64_t samples, classes;
  Dims drawn;
};

Chances ChancesOf(Call& call) {
  const Dims dims = call.DimsOfArgument("self");
  const std::int64_t samples = call.GetInt("numsamples");
  if (dims.empty() || dims.size() > 2 || dims.back() == 0)
    call.Refuse("'self' is {}; probabilities of classes, or rows of them, are expected",
                ToString(call.View("self")));
  if (samples < 1 || (!call.GetFlag("replacement") && samples > dims.back()))
    call.Refuse("'numsamples' is {}, and there are {} classes", samples, dims.back());
  const std::int64_t rows = dims.size() == 1 ? 1 : dims[0];
  return {call.Reshape(call.To(call.In("self"), DataType::kFloat), {rows, dims.back()}),
          samples,
          dims.back(),
          {rows, samples}};
}

// Where a number between 0 and the sum falls in the partial sums.
Value WithReplacement(Call& call, const Chances& chances) {
  const Value sums = call.Op("Cumsum", {chances.rows, call.Int(1)});
  const Value total = call.Op("ReduceSum", {chances.rows, call.Ints({1})}).Set("keep_dims", true);
  const Value even = Even(call, DataType::kFloat, chances.drawn);
  const Value places = call.Op("SearchSorted", {sums, call.Op("Mul", {even, total})}).Set("right", true);
  return call.Op("Minimum", {call.To(places, DataType::kInt64),
                             call.Number(DataType::kInt64, static_cast<double>(chances.classes - 1))});
}

// The largest of chance / (a number drawn from an exponential distribution) come in the right proportion.
Value WithoutReplacement(Call& call, const Chances& chances) {
  const Value even = Even(call, DataType::kFloat, DimsOf(chances.rows));
  const Value waits = call.Op("Neg", {call.Op("Log1p", {call.Op("Neg", {even})})});
  const Value least = call.Op("Maximum", {waits, call.Number(DataType::kFloat, 1e-30)});
  const Value count = call.Const(TensorValue::Of<std::int32_t>(
      DataType::kInt32, {}, std::vector{static_cast<std::int32_t>(chances.samples)}));
  return call.Op("TopKV2", {call.Op("RealDiv", {chances.rows, least}), count}).Out(1);
}

void MapMultinomial(Call& call) {
  const Chances chances = ChancesOf(call);
  call.OutElements("out", call.GetFlag("replacement") ? WithReplacement(call, chances)
                                                      : WithoutReplacement(call, chances));
}

// Whole numbers from 'from' to one less than 'to'.
void MapRandom(Call& call) {
  const auto from = static_cast<double>(call.GetInt("from")), to = static_cast<double>(call.GetInt("to"));
  if (!(from < to)) call.Refuse("'from' is {} and 'to' {}; the second has to be the larger one", from, to);
  constexpr DataType kType = DataType::kDouble;
  const Value even = Even(call, kType, call.DimsOfArgument("selfRef"));
  const Value wide = call.Op("Floor", {call.Op("Mul", {even, call.Number(kType, to - from)})});
  call.Out("selfRef", call.Op("Add", {wide, call.Number(kType, from)}));
}

void MapBernoulli(Call& call) {
  const Value probability = call.LateValue(DataType::kDouble, Probability(call));
  const Value even = Even(call, DataType::kDouble, call.DimsOfArgument("selfRef"));
  const Value hit = call.Op("Less", {even, probability});
  call.Out("selfRef", call.To(hit, call.TypeOfArgument("selfRef")));
}

// With a probability for each element.
void MapBernoulliOfTensor(Call& call, std::string_view out) {
  const Value even = Even(call, DataType::kDouble, call.DimsOfArgument(out));
  const Value hit = call.Op("Less", {even, call.To(call.In("prob"), DataType::kDouble)});
  call.Out(out, call.To(hit, call.TypeOfArgument(out)));
}

// Below 0 a slope is drawn for each element, which the gradient needs again.
void MapRandomRelu(Call& call, std::string_view out) {
  const Value self = call.In("self");
  const DataType type = TypeOf(self).type == DataType::kDouble ? DataType::kDouble : DataType::kFloat;
  const Value x = call.To(self, type), zero = call.Number(type, 0.0);
  const double low = call.GetNumber("lower").real(), high = call.GetNumber("upper").real();
  const Value above = call.Op("Greater", {x, zero});
  if (!call.GetFlag("training")) {
    const Value slope = call.Number(type, (low + high) / 2);
    return call.Out(out, call.Op("SelectV2", {above, x, call.Op("Mul", {x, slope})}));
  }
  const Value drawn = Drawn(call, "AclnnRandomUniform", type, DimsOf(x), call.Number(DataType::kFloat, low),
                            call.Number(DataType::kFloat, high));
  const Value noise = call.Op("SelectV2", {above, call.Number(type, 1.0), drawn});
  call.Out("noise", noise);
  call.Out(out, call.Op("Mul", {x, noise}));
}

// The order of numbers that are drawn.
void MapRandperm(Call& call) {
  const std::int64_t n = call.GetInt("n");
  if (n < 0) call.Refuse("'n' is {}, which is negative", n);
  call.Out("out", call.Op("Sort", {Even(call, DataType::kDouble, {n})}).Set("stable", true).Out(1));
}

const RegisterMapping random_maps({
    {"aclnnInplaceRandom", MapRandom},
    {"aclnnInplaceBernoulli", MapBernoulli},
    {"aclnnRandperm", MapRandperm},
    {"aclnnInplaceUniform", MapUniform},
    {"aclnnInplaceNormal", [](Call& call) { MapNormal(call, "selfRef"); }},
    {"aclnnNormalFloatFloat", [](Call& call) { MapNormal(call, "out"); }},
    {"aclnnNormalFloatTensor", [](Call& call) { MapNormalOfTensors(call, false, true); }},
    {"aclnnNormalTensorFloat", [](Call& call) { MapNormalOfTensors(call, true, false); }},
    {"aclnnNormalTensorTensor", [](Call& call) { MapNormalOfTensors(call, true, true); }},
    {"aclnnDropoutGenMask", MapDropoutGenMask},
    {"aclnnDropoutDoMask", MapDropoutDoMask},
    {"aclnnMultinomial", MapMultinomial},
    {"aclnnMultinomialTensor", MapMultinomial},
    {"aclnnDropoutGenMaskV2", MapDropoutGenMask},
    {"aclnnDropoutGenMaskV2Tensor", MapDropoutGenMask},
    {"aclnnInplaceUniformTensor", MapUniform},
    {"aclnnInplaceNormalTensor", [](Call& call) { MapNormal(call, "selfRef"); }},
    {"aclnnInplaceRandomTensor", MapRandom},
    {"aclnnInplaceBernoulliTensor", [](Call& call) { MapBernoulliOfTensor(call, "selfRef"); }},
    {"aclnnBernoulliTensor", [](Call& call) { MapBernoulliOfTensor(call, "out"); }},
    {"aclnnRReluWithNoise", [](Call& call) { MapRandomRelu(call, "out"); }},
    {"aclnnInplaceRReluWithNoise", [](Call& call) { MapRandomRelu(call, "self"); }},
});

}  // namespace
}  // namespace foothold::aclnn
