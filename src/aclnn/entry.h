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

// What a parameter is to the one operator of graphs a function stands for (by_default.h).
enum class Target : std::uint8_t {
  kData,  // an input that meets the other ones in one type
  kInput,
  kAttribute,
  kSetting,  // an attribute that is always the same; no parameter
  kOutput,
};
struct Binding {
  Target target;
  std::uint16_t parameter;
  const char* name;   // of the port or attribute
  const char* words;  // or null; of an attribute "none,mean,sum": what the numbers from 0 on are called
                      // there; of a setting what it is; of an output "shaped": its elements in the tensor's
                      // dimensions, or "index": int64, where only runs tell what comes out
};
struct Likeness {
  const char* op;  // null: the function takes code of its own, or nobody has written it
  const Binding* bindings;
  std::uint16_t count;
  bool each;  // lists go through it one member after the other
};

struct Function {
  const char* name;  // "aclnnAdd"
  const Parameter* parameters;
  std::uint16_t count;
  std::uint16_t id;
  Likeness like;
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
