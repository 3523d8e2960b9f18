// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What mappings of element-wise functions share. Functions that differ in a word are rows of a table:
//
//   constexpr Row kRows[] = {{{"aclnnAdd", "aclnnInplaceAdd"}, "Add"}, ...};
//   void Map(Call& call) { const Row& row = RowOf(call, kRows); ... }
//   const RegisterRows registered(kRows, Map);
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "aclnn/mapping.h"
#include "aclnn/types.h"
#include "base/error.h"

namespace foothold::aclnn {

// Functions of one meaning; the second, if there is one, changes its first tensor in place.
struct Names {
  const char* function;
  const char* in_place = nullptr;
};

template <typename Row, std::size_t count>
const Row& RowOf(const Call& call, const Row (&rows)[count]) {
  const std::string_view name = call.function().name;
  const Row* found = nullptr;
  for (const Row& row : rows)
    if (name == row.names.function || (row.names.in_place != nullptr && name == row.names.in_place))
      found = &row;
  FOOTHOLD_CHECK(found != nullptr);
  return *found;
}

class RegisterRows {
 public:
  template <typename Row, std::size_t count>
  RegisterRows(const Row (&rows)[count], Mapping mapping) {
    for (const Row& row : rows) {
      RegisterMapping(row.names.function, mapping);
      if (row.names.in_place != nullptr) RegisterMapping(row.names.in_place, mapping);
    }
  }
};

// What a function computes in. Halves are computed in float.
enum class Domain {
  kOwn,    // the type its operands meet in
  kFloat,  // the same, but integers become float
  kTruth,  // what is not 0 is true
};
DataType TypeIn(Domain domain, DataType type);

// A tensor or a number of the program, which comes with each run.
class Operand {
 public:
  Operand(Call& call, std::size_t parameter);

  bool is_number() const { return number_.type != DataType::kUndefined; }
  DataType type() const { return is_number() ? number_.type : TypeOf(value_).type; }
  const LateNumber& number() const { return number_; }
  Value As(Call& call, DataType type) const;

 private:
  Value value_;
  LateNumber number_;
};

// The type both are computed in: numbers adapt to tensors, unless they do not fit.
DataType Meet(const Call& call, const Operand& a, const Operand& b);
DataType MeetNumber(const Call& call, DataType tensor, const LateNumber& number);
// Of a tensor that has one; throws otherwise.
Value OnlyElement(Call& call, std::string_view name, DataType type);

// Tensors that are read, in order, in one type.
std::vector<Value> TensorsAs(Call& call, Domain domain);

// The only output, or the tensor that is changed in place.
std::string_view ResultName(const Call& call);
inline void Result(Call& call, Value value) {
  call.Out(ResultName(call), value);
}

}  // namespace foothold::aclnn
