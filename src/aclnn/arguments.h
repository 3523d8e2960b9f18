// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The arguments of a call: handles looked up, values as C++ types, by the names of the parameters. Throws
// kParamNull and kParamInvalid with the parameter named. Does not outlive the call. One thread at a time.
#pragma once

#include <complex>
#include <string>
#include <string_view>
#include <vector>

#include "aclnn/entry.h"
#include "aclnn/objects.h"

namespace foothold::aclnn {

// A number of the program, in whatever type it came.
struct Number {
  DataType type = DataType::kUndefined;
  std::int64_t integer = 0;      // cut off, of a floating-point one
  std::complex<double> complex;  // always

  double real() const { return complex.real(); }
};
Number NumberOf(const Scalar& scalar);

// A parameter, and the position in it if that is a list.
struct ArgumentPlace {
  static constexpr std::uint16_t kAllMembers = UINT16_MAX;

  std::uint16_t parameter = 0;
  std::uint16_t member = 0;
  bool operator==(const ArgumentPlace&) const = default;
};

class Arguments {
 public:
  Arguments(const Function& function, const Argument* arguments)
      : function_(function), arguments_(arguments) {}

  const Function& function() const { return function_; }
  std::size_t size() const { return function_.count; }
  const Parameter& parameter(std::size_t index) const { return function_.parameters[index]; }
  const Argument& argument(std::size_t index) const { return arguments_[index]; }
  // A name that the table does not have is an internal error.
  std::size_t Index(std::string_view name) const;

  bool Has(std::string_view name) const;
  const Tensor& GetTensor(std::string_view name) const;
  const HandleList& GetList(std::string_view name) const;
  Number GetNumber(std::string_view name) const;
  // A scalar, or a plain number: a floating-point one counts as double, all others as int64.
  Number NumberAt(ArgumentPlace place) const;
  std::vector<Number> GetNumbers(std::string_view name) const;
  std::vector<std::int64_t> GetInts(std::string_view name) const;
  std::vector<float> GetFloats(std::string_view name) const;
  std::vector<bool> GetBools(std::string_view name) const;
  std::int64_t GetInt(std::string_view name) const;  // of every width, bools and types as well; no seeds
  double GetReal(std::string_view name) const;
  std::string GetText(std::string_view name) const;  // "" for null

  // Throws for a handle that is none, and for null where something is required.
  void Check() const;
  // "self=float[2,3], alpha=1": for messages.
  std::string Describe() const;

 private:
  void CheckOne(std::size_t index) const;

  const Function& function_;
  const Argument* arguments_;
};

std::string ToString(const Tensor& tensor);

}  // namespace foothold::aclnn
