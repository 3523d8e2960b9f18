// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/maps/formula.h"

#include "aclnn/maps/axes.h"

namespace foothold::aclnn {

Term Apply(const char* op, const Term& a) {
  return {a.call(), a.call().Op(op, {a})};
}
Term Apply(const char* op, const Term& a, const Term& b) {
  return {a.call(), a.call().Op(op, {a, b})};
}
Term Apply(const char* op, const Term& a, const Term& b, const Term& c) {
  return {a.call(), a.call().Op(op, {a, b, c})};
}

Term operator+(const Term& a, const Term& b) {
  return Apply("Add", a, b);
}
Term operator-(const Term& a, const Term& b) {
  return Apply("Sub", a, b);
}
Term operator*(const Term& a, const Term& b) {
  return Apply("Mul", a, b);
}
Term operator/(const Term& a, const Term& b) {
  return Apply("RealDiv", a, b);
}
Term operator-(const Term& a) {
  return Apply("Neg", a);
}
Term operator+(const Term& a, double b) {
  return a + a.Like(b);
}
Term operator-(const Term& a, double b) {
  return a - a.Like(b);
}
Term operator-(double a, const Term& b) {
  return b.Like(a) - b;
}
Term operator*(const Term& a, double b) {
  return a * a.Like(b);
}
Term operator/(const Term& a, double b) {
  return a / a.Like(b);
}
Term operator/(double a, const Term& b) {
  return b.Like(a) / b;
}

Term operator>(const Term& a, double b) {
  return Apply("Greater", a, a.Like(b));
}
Term operator<(const Term& a, double b) {
  return Apply("Less", a, a.Like(b));
}
Term operator>=(const Term& a, double b) {
  return Apply("GreaterEqual", a, a.Like(b));
}
Term operator<=(const Term& a, double b) {
  return Apply("LessEqual", a, a.Like(b));
}
Term And(const Term& a, const Term& b) {
  return Apply("LogicalAnd", a, b);
}
Term Select(const Term& condition, const Term& then, const Term& otherwise) {
  return Apply("SelectV2", condition, then, otherwise);
}
Term Select(const Term& condition, const Term& then, double otherwise) {
  return Select(condition, then, then.Like(otherwise));
}
Term Select(const Term& condition, double then, const Term& otherwise) {
  return Select(condition, otherwise.Like(then), otherwise);
}

Term Exp(const Term& x) {
  return Apply("Exp", x);
}
Term Log(const Term& x) {
  return Apply("Log", x);
}
Term Abs(const Term& x) {
  return Apply("Abs", x);
}
Term Sqrt(const Term& x) {
  return Apply("Sqrt", x);
}
Term Rsqrt(const Term& x) {
  return Apply("Rsqrt", x);
}
Term Tanh(const Term& x) {
  return Apply("Tanh", x);
}
Term Sigmoid(const Term& x) {
  return Apply("Sigmoid", x);
}
Term Softplus(const Term& x) {
  return Apply("Softplus", x);
}

Term Sum(const Term& x, const std::vector<std::int64_t>& axes, bool keep) {
  return {x.call(), Reduced(x.call(), "ReduceSum", x, AllIfNone(axes, x), keep)};
}

Formula::Formula(Call& call) : call_(call) {
  for (std::size_t i = 0; i < call.size(); ++i) {
    const Parameter& given = call.parameter(i);
    if (given.kind == Kind::kTensor && given.direction != Direction::kOut && call.Has(given.name) &&
        call.TypeOfArgument(given.name) == DataType::kDouble)
      type_ = DataType::kDouble;
  }
}

}  // namespace foothold::aclnn
