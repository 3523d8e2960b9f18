// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Functions of two operands that are repeated to fit, tensors or numbers: arithmetic, comparisons, logic,
// bits.
#include "aclnn/maps/element.h"

namespace foothold::aclnn {
namespace {

struct PairRow {
  Names names;
  const char* op;
  Domain domain = Domain::kOwn;
  const char* of_truths = nullptr;  // the operator for bool, if it is another
};

constexpr PairRow kPairs[] = {
    {{"aclnnMuls", "aclnnInplaceMuls"}, "Mul"},
    {{"aclnnDiv", "aclnnInplaceDiv"}, "RealDiv", Domain::kFloat},
    {{"aclnnDivs", "aclnnInplaceDivs"}, "RealDiv", Domain::kFloat},
    {{"aclnnFloorDivides", "aclnnInplaceFloorDivides"}, "FloorDiv"},
    {{"aclnnRemainderTensorScalar", "aclnnInplaceRemainderTensorScalar"}, "FloorMod"},
    {{"aclnnRemainderScalarTensor"}, "FloorMod"},
    {{"aclnnFmodScalar", "aclnnInplaceFmodScalar"}, "Mod"},
    {{"aclnnPowScalarTensor"}, "Pow"},
    {{"aclnnXLogYScalarOther", "aclnnInplaceXLogYScalarOther"}, "Xlogy", Domain::kFloat},
    {{"aclnnXLogYScalarSelf"}, "Xlogy", Domain::kFloat},
    {{"aclnnMaximum"}, "Maximum", Domain::kOwn, "LogicalOr"},
    {{"aclnnMinimum"}, "Minimum", Domain::kOwn, "LogicalAnd"},
    // Bounds on one side.
    {{"aclnnClampMin"}, "Maximum"},
    {{"aclnnClampMinTensor", "aclnnInplaceClampMinTensor"}, "Maximum", Domain::kOwn, "LogicalOr"},
    {{"aclnnClampMax", "aclnnInplaceClampMax"}, "Minimum"},
    {{"aclnnClampMaxTensor", "aclnnInplaceClampMaxTensor"}, "Minimum", Domain::kOwn, "LogicalAnd"},
    // Comparisons.
    {{"aclnnEqScalar", "aclnnInplaceEqScalar"}, "Equal"},
    {{"aclnnNeScalar", "aclnnInplaceNeScalar"}, "NotEqual"},
    {{"aclnnGtScalar", "aclnnInplaceGtScalar"}, "Greater"},
    {{"aclnnGeScalar", "aclnnInplaceGeScalar"}, "GreaterEqual"},
    {{"aclnnLtScalar", "aclnnInplaceLtScalar"}, "Less"},
    {{"aclnnLeScalar", "aclnnInplaceLeScalar"}, "LessEqual"},
    // Logic and bits.
    {{"aclnnLogicalXor"}, "NotEqual", Domain::kTruth},
    {{"aclnnBitwiseAndScalar", "aclnnInplaceBitwiseAndScalar"}, "BitwiseAnd"},
    {{"aclnnBitwiseOrScalar", "aclnnInplaceBitwiseOrScalar"}, "BitwiseOr"},
    {{"aclnnBitwiseXorScalar", "aclnnInplaceBitwiseXorScalar"}, "BitwiseXor"},
    {{"aclnnLeftShifts"}, "LeftShift"},
};

// The operator on the first two arguments.
Value Paired(Call& call, const char* op, Domain domain, const char* of_truths = nullptr) {
  const Operand left(call, 0), right(call, 1);
  const DataType type = TypeIn(domain, Meet(call, left, right));
  const bool truths = of_truths != nullptr && type == DataType::kBool;
  return call.Op(truths ? of_truths : op, {left.As(call, type), right.As(call, type)});
}

// Exponents that have a shorter way are known when it is chosen.
void MapPower(Call& call) {
  const Operand base(call, 0), exponent(call, 1);
  const DataType type = TypeIn(Domain::kOwn, Meet(call, base, exponent));
  Result(call, call.Op("Pow", {base.As(call, type), call.Number(type, call.Known(exponent.number()))}));
}

void MapPair(Call& call) {
  const PairRow& row = RowOf(call, kPairs);
  Result(call, Paired(call, row.op, row.domain, row.of_truths));
}

// Of numbers that both are whole the product is, too.
Number Product(const Number& a, const Number& b) {
  const bool whole = !IsFloat(a.type) && !IsComplex(a.type) && !IsFloat(b.type) && !IsComplex(b.type);
  Number product = whole || IsFloat(a.type) || IsComplex(a.type) ? a : b;
  product.complex = a.complex * b.complex;
  product.integer = whole ? a.integer * b.integer : static_cast<std::int64_t>(product.real());
  return product;
}

// left op alpha * right.
struct ScaledRow {
  Names names;
  const char* op;
  bool reversed = false;  // the first argument is on the right
  const char* then = nullptr;
};
constexpr ScaledRow kScaled[] = {
    {{"aclnnAdd", "aclnnInplaceAdd"}, "Add"},
    {{"aclnnAdds", "aclnnInplaceAdds"}, "Add"},
    {{"aclnnAddV3"}, "Add"},
    {{"aclnnAddRelu", "aclnnInplaceAddRelu"}, "Add", false, "Relu"},
    {{"aclnnSub", "aclnnInplaceSub"}, "Sub"},
    {{"aclnnSubs", "aclnnInplaceSubs"}, "Sub"},
    {{"aclnnRsub"}, "Sub", true},
    {{"aclnnRsubs"}, "Sub", true},
};

Value Scaled(Call& call, const Operand& operand, DataType type) {
  const LateNumber alpha = call.Late("alpha");
  if (operand.is_number()) return call.LateValue(type, call.Late(Product, operand.number(), alpha));
  const Value value = operand.As(call, type);
  if (call.Asks(alpha, IsOne)) return value;
  return call.Op("Mul", {value, call.LateValue(type, alpha)});
}

void MapScaled(Call& call) {
  const ScaledRow& row = RowOf(call, kScaled);
  const Operand left(call, row.reversed ? 1 : 0), right(call, row.reversed ? 0 : 1);
  const DataType met = Meet(call, left, right);
  const bool becomes_float = !IsFloat(met) && call.Asks(call.Late("alpha"), HasFraction);
  const DataType type = TypeIn(becomes_float ? Domain::kFloat : Domain::kOwn, met);
  const Value sum = call.Op(row.op, {left.As(call, type), Scaled(call, right, type)});
  Result(call, row.then == nullptr ? sum : Value(call.Op(row.then, {sum})));
}

// mode 0: quotients as they are; 1: towards 0; 2: down.
void MapDivMod(Call& call) {
  const std::int64_t mode = call.GetInt("mode");
  if (mode < 0 || mode > 2) call.Refuse("'mode' is {}; it has to be 0, 1 or 2", mode);
  constexpr const char* kOps[] = {"RealDiv", "TruncateDiv", "FloorDiv"};
  Result(call, Paired(call, kOps[mode], mode == 0 ? Domain::kFloat : Domain::kOwn));
}

const RegisterRows pairs(kPairs, MapPair), scaled(kScaled, MapScaled);
const RegisterMapping element_pair_maps({{"aclnnDivMod", MapDivMod},
                                         {"aclnnInplaceDivMod", MapDivMod},
                                         {"aclnnDivMods", MapDivMod},
                                         {"aclnnInplaceDivMods", MapDivMod},
                                         {"aclnnPowTensorScalar", MapPower},
                                         {"aclnnInplacePowTensorScalar", MapPower}});

}  // namespace
}  // namespace foothold::aclnn
