// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the generated entry points of the aclnn operators hand on: which function was called, and its
// arguments. The data is written from the table beside this by tools/aclnn. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "aclnn/aclnn_base.h"

namespace foothold::aclnn {

enum class Kind : std::uint8_t {
  kTensor,
  kTensorList,
  kScalar,
  kScalarList,
  kInts,
  kFloats,
  kBools,
  kInteger,
  kReal,
  kBool,
  kText,
  kDataType,
  kPointer,
};

// Of tensors and lists of them; kIn for all else. kRef is read and written in place.
enum class Direction : std::uint8_t { kIn, kOut, kRef };

struct Parameter {
  const char* name;
  Kind kind;
  Direction direction;
  bool optional;  // may be null
};

struct Function {
  const char* name;
  const Parameter* parameters;
  std::uint16_t count;
  std::uint16_t id;  // its place in AllFunctions
};

// One argument of a call; the parameter's kind says which member counts: integers of every width, bools and
// data types are in `integer`, float and double in `real`, handles and texts in `pointer`.
union Argument {
  const void* pointer;
  std::int64_t integer;
  double real;
};

// The two phases of a call. Neither lets an exception pass.
aclnnStatus PhaseOne(const Function& function, const Argument* arguments, std::uint64_t* workspace_size,
                     aclOpExecutor** executor);
aclnnStatus PhaseTwo(const Function& function, void* workspace, std::uint64_t workspace_size,
                     aclOpExecutor* executor, aclrtStream stream);

// All functions of two phases, sorted by name.
const Function* AllFunctions();
std::size_t FunctionCount();

}  // namespace foothold::aclnn
