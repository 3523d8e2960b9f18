// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Functions that are one operator of src/ops: of all their tensors, with their numbers as attributes.
#include <algorithm>

#include "aclnn/maps/element.h"
#include "ops/op.h"

namespace foothold::aclnn {
namespace {

struct FunctionRow {
  Names names;
  const char* op;
  Domain domain = Domain::kOwn;
  const char* attributes[4] = {};   // of the parameters that are no tensors, in order; "" leaves one out
  const char* of_truths = nullptr;  // the operator for bool, if it is another
};

constexpr FunctionRow kFunctions[] = {
    // Signs and rounding: integers stay exact.
    {{"aclnnNeg", "aclnnInplaceNeg"}, "Neg"},
    {{"aclnnFloor", "aclnnInplaceFloor"}, "Floor"},
    {{"aclnnCeil", "aclnnInplaceCeil"}, "Ceil"},
    {{"aclnnTrunc", "aclnnInplaceTrunc"}, "Trunc"},
    {{"aclnnRound", "aclnnInplaceRound"}, "Round"},
    {{"aclnnRoundDecimals", "aclnnInplaceRoundDecimals"}, "Round", Domain::kOwn, {"decimals"}},
    {{"aclnnNanToNum", "aclnnInplaceNanToNum"}, "NanToNum", Domain::kOwn, {"nan", "posinf", "neginf"}},
    {{"aclnnBitwiseNot"}, "Invert", Domain::kOwn, {}, "LogicalNot"},
    {{"aclnnLogicalNot", "aclnnInplaceLogicalNot"}, "LogicalNot", Domain::kTruth},
    // Tests of single numbers.
    {{"aclnnIsFinite"}, "IsFinite"},
    {{"aclnnIsInf"}, "IsInf"},
    {{"aclnnIsPosInf"}, "IsPosInf"},
    {{"aclnnIsNegInf"}, "IsNegInf"},
    {{"aclnnIsClose"}, "IsClose", Domain::kOwn, {"rtol", "atol", "equal_nan"}},
    // Roots, exponentials, logarithms.
    {{"aclnnSqrt", "aclnnInplaceSqrt"}, "Sqrt", Domain::kFloat},
    {{"aclnnRsqrt", "aclnnInplaceRsqrt"}, "Rsqrt", Domain::kFloat},
    {{"aclnnReciprocal", "aclnnInplaceReciprocal"}, "Reciprocal", Domain::kFloat},
    {{"aclnnExp", "aclnnInplaceExp"}, "Exp", Domain::kFloat},
    {{"aclnnExpm1", "aclnnInplaceExpm1"}, "Expm1", Domain::kFloat},
    {{"aclnnLog", "aclnnInplaceLog"}, "Log", Domain::kFloat},
    {{"aclnnLog1p", "aclnnInplaceLog1p"}, "Log1p", Domain::kFloat},
    {{"aclnnErf", "aclnnInplaceErf"}, "Erf", Domain::kFloat},
    {{"aclnnErfc", "aclnnInplaceErfc"}, "Erfc", Domain::kFloat},
    {{"aclnnErfinv", "aclnnInplaceErfinv"}, "Erfinv", Domain::kFloat},
    // Trigonometry.
    {{"aclnnSin", "aclnnInplaceSin"}, "Sin", Domain::kFloat},
    {{"aclnnCos", "aclnnInplaceCos"}, "Cos", Domain::kFloat},
    {{"aclnnTan", "aclnnInplaceTan"}, "Tan", Domain::kFloat},
    {{"aclnnAsin", "aclnnInplaceAsin"}, "Asin", Domain::kFloat},
    {{"aclnnAcos", "aclnnInplaceAcos"}, "Acos", Domain::kFloat},
    {{"aclnnAtan", "aclnnInplaceAtan"}, "Atan", Domain::kFloat},
    {{"aclnnSinh", "aclnnInplaceSinh"}, "Sinh", Domain::kFloat},
    {{"aclnnCosh", "aclnnInplaceCosh"}, "Cosh", Domain::kFloat},
    {{"aclnnTanh", "aclnnInplaceTanh"}, "Tanh", Domain::kFloat},
    {{"aclnnAsinh", "aclnnInplaceAsinh"}, "Asinh", Domain::kFloat},
    {{"aclnnAcosh", "aclnnInplaceAcosh"}, "Acosh", Domain::kFloat},
    {{"aclnnAtanh", "aclnnInplaceAtanh"}, "Atanh", Domain::kFloat},
    // Activations.
    {{"aclnnRelu", "aclnnInplaceRelu"}, "Relu"},
    {{"aclnnSigmoid", "aclnnInplaceSigmoid"}, "Sigmoid", Domain::kFloat},
    {{"aclnnLogSigmoid"}, "LogSigmoid", Domain::kFloat},
    {{"aclnnSilu"}, "Swish", Domain::kFloat},
    {{"aclnnGelu"}, "Gelu", Domain::kFloat},
    {{"aclnnFastGelu"}, "FastGelu", Domain::kFloat},
    {{"aclnnMish", "aclnnInplaceMish"}, "Mish", Domain::kFloat},
    {{"aclnnHardsigmoid", "aclnnInplaceHardsigmoid"}, "HardSigmoid", Domain::kFloat},
    {{"aclnnHardswish", "aclnnInplaceHardswish"}, "HardSwish", Domain::kFloat},
    {{"aclnnLeakyRelu", "aclnnInplaceLeakyRelu"}, "LeakyRelu", Domain::kFloat, {"negative_slope"}},
    {{"aclnnElu", "aclnnInplaceElu"}, "Elu", Domain::kFloat, {"alpha", "scale", "input_scale"}},
    {{"aclnnCelu", "aclnnInplaceCelu"}, "CeluV2", Domain::kFloat, {"alpha"}},
    {{"aclnnSoftplus"}, "SoftplusV2", Domain::kFloat, {"beta", "threshold"}},
    {{"aclnnSwish"}, "Swish", Domain::kFloat, {"scale"}},
    {{"aclnnHardshrink"}, "HardShrink", Domain::kFloat, {"lambd"}},
    {{"aclnnSoftshrink"}, "SoftShrink", Domain::kFloat, {"lambd"}},
    // Their gradients.
    {{"aclnnSiluBackward"}, "SiluGrad", Domain::kFloat},
    {{"aclnnHardswishBackward"}, "HardSwishGrad", Domain::kFloat},
    {{"aclnnThresholdBackward"}, "ThresholdGradV2D", Domain::kOwn, {"threshold"}},
    {{"aclnnLeakyReluBackward"}, "LeakyReluGrad", Domain::kFloat, {"negative_slope", ""}},
    {{"aclnnEluBackward"}, "EluGradV2", Domain::kFloat, {"alpha", "scale", "input_scale", "is_result"}},
};

Attribute AttributeOf(const Call& call, const Parameter& given) {
  switch (given.kind) {
    case Kind::kScalar:
      return static_cast<float>(call.GetNumber(given.name).real());
    case Kind::kReal:
      return static_cast<float>(call.GetReal(given.name));
    case Kind::kBool:
      return call.GetFlag(given.name);
    default:
      return call.GetInt(given.name);
  }
}

void SetAttributes(const Call& call, const FunctionRow& row, Op& op) {
  std::size_t next = 0;
  for (std::size_t i = 0; i < call.size(); ++i) {
    const Parameter& given = call.parameter(i);
    if (given.kind == Kind::kTensor) continue;
    const std::string_view attribute = row.attributes[next++];
    if (!attribute.empty() && call.Has(given.name)) op.Set(attribute, AttributeOf(call, given));
  }
}

// Truths count as 0 and 1 where the operator has nothing for them.
std::vector<Value> Countable(Call& call, const FunctionRow& row, std::vector<Value> values) {
  const std::vector<DataType>& types = FindOp(row.op)->types();
  const bool takes = std::find(types.begin(), types.end(), DataType::kBool) != types.end();
  for (Value& value : values)
    if (TypeOf(value).type == DataType::kBool && !takes && row.of_truths == nullptr)
      value = call.To(value, DataType::kInt8);
  return values;
}

void MapFunction(Call& call) {
  const FunctionRow& row = RowOf(call, kFunctions);
  const std::vector<Value> inputs = Countable(call, row, TensorsAs(call, row.domain));
  const bool truths = row.of_truths != nullptr && TypeOf(inputs[0]).type == DataType::kBool;
  Op op = inputs.size() == 1 ? call.Op(truths ? row.of_truths : row.op, {inputs[0]})
                             : call.Op(row.op, {inputs[0], inputs[1]});
  SetAttributes(call, row, op);
  const bool was_truth = call.TypeOfArgument(ResultName(call)) == DataType::kBool;
  Result(call, was_truth ? call.To(op, DataType::kBool) : Value(op));
}

// The operator takes the result of the function first, then what arrives.
struct GradientRow {
  Names names;
  const char* op;
};
constexpr GradientRow kFromResult[] = {{{"aclnnSigmoidBackward"}, "SigmoidGrad"},
                                       {{"aclnnTanhBackward"}, "TanhGrad"}};

void MapFromResult(Call& call) {
  const std::vector<Value> inputs = TensorsAs(call, Domain::kFloat);
  Result(call, call.Op(RowOf(call, kFromResult).op, {inputs[1], inputs[0]}));
}

// Its operator also takes the value of the function, and does not need it.
void MapGeluBackward(Call& call) {
  const std::vector<Value> inputs = TensorsAs(call, Domain::kFloat);
  Result(call, call.Op("GeluGrad", {inputs[0], inputs[1], inputs[1]}));
}

void MapGeluV2(Call& call) {
  const std::int64_t approximate = call.GetInt("approximate");
  if (approximate != 0 && approximate != 1)
    call.Refuse("'approximate' is {}; it has to be 0 (erf) or 1 (tanh)", approximate);
  Op op = call.Op("GeluV2", {TensorsAs(call, Domain::kFloat)[0]});
  Result(call, op.Set("approximate", std::string(approximate == 0 ? "none" : "tanh")));
}

void MapAbs(Call& call) {
  const Value x = TensorsAs(call, Domain::kOwn)[0];
  Result(call, call.Op(IsComplex(TypeOf(x).type) ? "ComplexAbs" : "Abs", {x}));
}

// What is no number has no sign either.
void MapSign(Call& call) {
  Value x = TensorsAs(call, Domain::kOwn)[0];
  if (TypeOf(x).type == DataType::kBool) return Result(call, x);
  if (IsFloat(TypeOf(x).type))
    x = call.Op("NanToNum", {x}).Set("nan", 0.0f).Set("posinf", 1.0f).Set("neginf", -1.0f);
  Result(call, call.Op("Sign", {x}));
}

// To bases other than e.
struct BaseRow {
  Names names;
  const char* op;
  float base;
};
constexpr BaseRow kBases[] = {{{"aclnnLog2", "aclnnInplaceLog2"}, "Log", 2},
                              {{"aclnnLog10", "aclnnInplaceLog10"}, "Log", 10},
                              {{"aclnnExp2", "aclnnInplaceExp2"}, "Exp", 2}};

void MapBase(Call& call) {
  const BaseRow& row = RowOf(call, kBases);
  Op op = call.Op(row.op, {TensorsAs(call, Domain::kFloat)[0]});
  Result(call, op.Set("base", row.base));
}

// What is behind the point.
void MapFrac(Call& call) {
  const Value x = TensorsAs(call, Domain::kOwn)[0];
  Result(call, call.Op("Sub", {x, call.Op("Trunc", {x})}));
}

const RegisterRows functions(kFunctions, MapFunction), from_result(kFromResult, MapFromResult),
    bases(kBases, MapBase);
const RegisterMapping element_function_maps({{"aclnnAbs", MapAbs},
                                             {"aclnnSign", MapSign},
                                             {"aclnnGeluBackward", MapGeluBackward},
                                             {"aclnnGeluV2", MapGeluV2},
                                             {"aclnnFrac", MapFrac},
                                             {"aclnnInplaceFrac", MapFrac}});

}  // namespace
}  // namespace foothold::aclnn
