// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the generated entry points of all operators call, and the table they are generated from as the engine
// sees it. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

struct aclOpExecutor;  // as the public header names the handle

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
  kSeed,  // an integer that only runs see
  kReal,
  kBool,
  kText,
  kDataType,
  kPointer,  // anything else
};
enum class Direction : std::uint8_t { kIn, kOut, kRef };  // of tensors and lists; kIn for all else

struct Parameter {
  const char* name;
  Kind kind;
  Direction direction;
  bool optional;
};

struct Function {
  const char* name;  // "aclnnAdd"
  const Parameter* parameters;
  std::uint16_t count;
  std::uint16_t id;
};

// One argument of a call; the parameter's kind says which member counts. Integers of every width and bool are
// in integer, float and double in real, handles and texts in pointer.
union Argument {
  const void* pointer;
  std::int64_t integer;
  double real;
};

// aclnnXxxGetWorkspaceSize: all but the two last arguments are in the list.
int PhaseOne(const Function& function, const Argument* arguments, std::uint64_t* workspace_size,
             aclOpExecutor** executor);
// aclnnXxx.
int PhaseTwo(const Function& function, void* workspace, std::uint64_t workspace_size, aclOpExecutor* executor,
             void* stream);
// Both phases of an operator that nobody has written: kFindKernel, whatever the arguments are.
int NoKernel(const Function& function);

// Generated, in the order of names.
const Function* AllFunctions();
std::size_t FunctionCount();

}  // namespace foothold::aclnn
