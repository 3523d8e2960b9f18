// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Products of matrices. Operands are multiplied as they lie in memory; sums of half precision are float.
#include <algorithm>

#include "aclnn/mapping.h"
#include "aclnn/maps/fractal.h"
#include "aclnn/maps/matrix.h"
#include "aclnn/types.h"
#include "ops/matrix/stored_operands.h"

namespace foothold::aclnn {
namespace {

bool SumsInFloat(DataType type) {
  return IsHalf(type) || type == DataType::kFloat;
}

// One side of a product; types that meet in neither are converted before.
void AddOperand(Call& call, Op& product, const char* port, std::string_view name, DataType type) {
  const Tensor view = call.View(name);
  if (IsPrivateLayout(view.format)) return AddFractal(call, product, port, name);
  const bool sums = SumsInFloat(view.type) && SumsInFloat(type);
  product.In(port, sums ? call.In(name) : call.To(call.In(name), type));
}

// From four products of real matrices.
Value ComplexProduct(Call& call, std::string_view left, std::string_view right, DataType type,
                     Transposed transposed) {
  const Value a = call.To(call.In(left), type), b = call.To(call.In(right), type);
  const auto product = [&](const char* of_a, const char* of_b) -> Value {
    return call.Op("BatchMatMulV2", {call.Op(of_a, {a}), call.Op(of_b, {b})})
        .Set("adj_x1", transposed.left)
        .Set("adj_x2", transposed.right);
  };
  const Value real = call.Op("Sub", {product("Real", "Real"), product("Imag", "Imag")});
  const Value imag = call.Op("Add", {product("Real", "Imag"), product("Imag", "Real")});
  Op parts = call.Op("Pack");
  parts.InList("x", {real, imag}).Set("axis", std::int64_t{-1}).Set("N", std::int64_t{2});
  return call.Op("Bitcast", {parts}).Set("type", type);
}

}  // namespace

Value Product(Call& call, std::string_view left, std::string_view right, DataType wanted,
              Transposed transposed) {
  const DataType type = Promote(call.TypeOfArgument(left), call.TypeOfArgument(right));
  if (IsComplex(type)) return ComplexProduct(call, left, right, type, transposed);
  Op product = call.Op("BatchMatMulV2");
  AddOperand(call, product, "x1", left, type);
  AddOperand(call, product, "x2", right, type);
  if (transposed.left) product.Set("adj_x1", true);
  if (transposed.right) product.Set("adj_x2", true);
  const DataType given = SumsInFloat(wanted) ? wanted : DataType::kFloat;
  if (SumsInFloat(type)) product.Set(kProductType, static_cast<std::int64_t>(given));
  return product;
}

namespace {

void CheckRank(Call& call, std::string_view name, std::size_t least, std::size_t most) {
  const std::size_t rank = call.DimsOfArgument(name).size();
  if (rank < least || rank > most)
    call.Refuse("'{}' is {}; {} to {} dimensions are expected", name, ToString(call.View(name)), least, most);
}

void CheckCubeMath(Call& call) {
  const std::int64_t type = call.GetInt("cubeMathType");
  if (type < 0 || type > 4) call.Refuse("'cubeMathType' is {}; 0 to 4 are expected", type);
}

// Dimensions of one element do not count: vectors have been given as matrices.
Dims WithoutOnes(Dims dims) {
  std::erase(dims, 1);
  return dims;
}

void OutProduct(Call& call, Value product) {
  const Tensor out = call.View("out");
  if (WithoutOnes(DimsOf(product)) != WithoutOnes(out.dims.ToDims()))
    call.Refuse("'out' is {}, and the result is {}", ToString(out), foothold::ToString(DimsOf(product)));
  call.OutElements("out", product);
}

// What runs under several names: ranks of both sides.
void MapProduct(Call& call, std::string_view right, std::size_t least, std::size_t most_left,
                std::size_t most_right) {
  CheckRank(call, "self", least, most_left);
  CheckRank(call, right, least == 2 && most_right == 1 ? 1 : least, most_right);
  CheckCubeMath(call);
  OutProduct(call, Product(call, "self", right, call.TypeOfArgument("out")));
}

Value Scaled(Call& call, Value value, const Number& factor) {
  return factor.complex == 1.0 ? value
                               : call.Op("Mul", {value, call.Number(TypeOf(value).type, factor)}).Out();
}

// beta * self + alpha * product. What is multiplied by 0 is not read.
void OutSum(Call& call, std::string_view out, Value product, const Number& alpha, std::string_view self,
            const Number& beta) {
  Value sum = Scaled(call, product, alpha);
  if (beta.complex != 0.0)
    sum = call.Op("Add", {sum, Scaled(call, call.To(call.In(self), TypeOf(sum).type), beta)});
  call.Out(out, sum);
}

void MapAdded(Call& call, std::string_view self, std::string_view left, std::string_view right,
              std::string_view out) {
  CheckCubeMath(call);
  const Value product = Product(call, left, right, ComputeType(call.TypeOfArgument(out)));
  OutSum(call, out, product, call.GetNumber("alpha"), self, call.GetNumber("beta"));
}

void MapGemm(Call& call) {
  CheckCubeMath(call);
  CheckRank(call, "A", 2, 2);
  CheckRank(call, "B", 2, 2);
  const Transposed transposed{call.GetFlag("transA"), call.GetFlag("transB")};
  const Value product = Product(call, "A", "B", ComputeType(call.TypeOfArgument("out")), transposed);
  const auto number = [&](std::string_view name) {
    return Number{DataType::kFloat, 0, {call.GetReal(name), 0.0}};
  };
  OutSum(call, "out", product, number("alpha"), "C", number("beta"));
}

void MapDot(Call& call) {
  const Value self = call.In("self"), tensor = call.In("tensor");
  const DataType type = Promote(TypeOf(self).type, TypeOf(tensor).type);
  call.OutElements("out", call.Op("Dot", {call.To(self, type), call.To(tensor, type)}));
}

void MapTriangularSolve(Call& call) {
  const Value b = call.In("self"), a = call.To(call.In("A"), TypeOf(b).type);
  Op solve = call.OwnOp("AclnnTriangularSolve", {{"self", b}, {"A", a}}, {"x"});
  for (const char* flag : {"upper", "transpose", "unitriangular"})
    solve.Set(flag, call.GetFlag(flag));
  call.Out("xOut", solve.Out(0));
  Dims dims = DimsOf(solve);
  dims.back() = dims.end()[-2];
  call.Out("mOut", call.BroadcastTo(a, dims));
}

const RegisterMapping matrix_maps({
    {"aclnnMm", [](Call& call) { MapProduct(call, "mat2", 2, 2, 2); }},
    {"aclnnBatchMatMul", [](Call& call) { MapProduct(call, "mat2", 3, 3, 3); }},
    {"aclnnMatmul", [](Call& call) { MapProduct(call, "mat2", 1, 6, 6); }},
    {"aclnnMv", [](Call& call) { MapProduct(call, "vec", 2, 2, 1); }},
    {"aclnnAddmm", [](Call& call) { MapAdded(call, "self", "mat1", "mat2", "out"); }},
    {"aclnnInplaceAddmm", [](Call& call) { MapAdded(call, "selfRef", "mat1", "mat2", "selfRef"); }},
    {"aclnnBaddbmm", [](Call& call) { MapAdded(call, "self", "batch1", "batch2", "out"); }},
    {"aclnnInplaceBaddbmm", [](Call& call) { MapAdded(call, "selfRef", "batch1", "batch2", "selfRef"); }},
    {"aclnnAddmv", [](Call& call) { MapAdded(call, "self", "mat", "vec", "out"); }},
    {"aclnnMatmulWeightNz", [](Call& call) { MapProduct(call, "mat2", 1, 6, 6); }},
    {"aclnnBatchMatMulWeightNz", [](Call& call) { MapProduct(call, "mat2", 3, 3, 3); }},
    {"aclnnAddmmWeightNz", [](Call& call) { MapAdded(call, "self", "mat1", "mat2", "out"); }},
    {"aclnnGemm", MapGemm},
    {"aclnnDot", MapDot},
    {"aclnnTriangularSolve", MapTriangularSolve},
});

}  // namespace
}  // namespace foothold::aclnn
