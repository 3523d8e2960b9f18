// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Functions that are formulas, written as such:
//
//   void MapMishBackward(Call& call) {
//     const Formula f(call);
//     const Term x = f.In("self"), w = Tanh(Softplus(x));
//     Result(call, f.In("gradOutput") * (w + x * Sigmoid(x) * (1 - w * w)));
//   }
//
// Terms are values of one type; numbers take the type of the term they meet. One thread at a time.
#pragma once

#include <string_view>

#include "aclnn/call.h"

namespace foothold::aclnn {

class Term {
 public:
  Term(Call& call, Value value) : call_(&call), value_(value) {}
  operator Value() const { return value_; }
  Call& call() const { return *call_; }
  DataType type() const { return TypeOf(value_).type; }
  const Dims& dims() const { return DimsOf(value_); }
  // A number of the same type.
  Term Like(double number) const { return {*call_, call_->Number(type(), number)}; }

 private:
  Call* call_;
  Value value_;
};

// An operator of one, two or three inputs.
Term Apply(const char* op, const Term& a);
Term Apply(const char* op, const Term& a, const Term& b);
Term Apply(const char* op, const Term& a, const Term& b, const Term& c);

Term operator+(const Term& a, const Term& b);
Term operator-(const Term& a, const Term& b);
Term operator*(const Term& a, const Term& b);
Term operator/(const Term& a, const Term& b);
Term operator-(const Term& a);
Term operator+(const Term& a, double b);
Term operator-(const Term& a, double b);
Term operator-(double a, const Term& b);
Term operator*(const Term& a, double b);
Term operator/(const Term& a, double b);
Term operator/(double a, const Term& b);

// Truths.
Term operator>(const Term& a, double b);
Term operator<(const Term& a, double b);
Term operator>=(const Term& a, double b);
Term operator<=(const Term& a, double b);
Term And(const Term& a, const Term& b);
Term Select(const Term& condition, const Term& then, const Term& otherwise);
Term Select(const Term& condition, const Term& then, double otherwise);
Term Select(const Term& condition, double then, const Term& otherwise);

Term Exp(const Term& x);
Term Log(const Term& x);
Term Abs(const Term& x);
Term Sqrt(const Term& x);
Term Rsqrt(const Term& x);
Term Tanh(const Term& x);
Term Sigmoid(const Term& x);
Term Softplus(const Term& x);  // log(1 + exp(x))

// Over these dimensions; all of them, if none is named.
Term Sum(const Term& x, const std::vector<std::int64_t>& axes = {}, bool keep = false);

// The tensors of a call in one type: double if one of them is, else float.
class Formula {
 public:
  explicit Formula(Call& call);
  Term In(std::string_view name) const { return {call_, call_.To(call_.In(name), type_)}; }
  Term Number(double number) const { return {call_, call_.Number(type_, number)}; }
  DataType type() const { return type_; }

 private:
  Call& call_;
  DataType type_ = DataType::kFloat;
};

}  // namespace foothold::aclnn
