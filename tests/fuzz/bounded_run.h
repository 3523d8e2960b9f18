// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Compiles and runs graphs that came from anywhere, as far as that is small: what a fuzzer finds shall not be
// that large tensors need memory and long loops time. One thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <new>
#include <string>
#include <vector>

#include "base/error.h"
#include "compiler/executable.h"
#include "compiler/normalize.h"
#include "fuzz/require.h"
#include "program/run_observer.h"

namespace foothold {

// Of one tensor, and of all that a program needs.
constexpr std::size_t kMostTensorBytes = 1 << 16, kMostProgramBytes = 1 << 20;
constexpr int kMostNodes = 2000;  // that are run, with every turn of a loop

inline void CheckBound(bool within) {
  if (!within) Fail(kInvalidParam, "beyond what is run");
}

// Ends runs that take too long or need too much.
class BoundedRun : public RunObserver {
 public:
  void OnNodeBegin(const NodeRun& node) override {
    CheckBound(++nodes_ <= kMostNodes && node.type.find("Print") == std::string::npos);
    for (const TensorType& type : node.output_types)
      CheckBound(ByteSize(type) <= kMostTensorBytes);
  }
  void OnNodeEnd(const NodeRun& node) override {
    for (const TensorType& type : node.output_types)
      CheckBound(ByteSize(type) <= kMostTensorBytes);
  }

 private:
  int nodes_ = 0;
};

class BoundedVariables : public VariableStore {
 public:
  std::byte* Memory(const ProgramVariable& variable) override {
    CheckBound(ByteSize(variable.type) <= kMostTensorBytes);
    TensorValue& value = values_[variable.name];
    if (value.size() < ByteSize(variable.type)) value = Filled(variable.type);
    return value.mutable_data();
  }

  // Zeros and ones: large numbers, small ones and truth values, whatever the type.
  static TensorValue Filled(const TensorType& type) {
    TensorValue value(type);
    for (std::size_t i = 0; i < value.size(); ++i)
      value.MutableAs<std::uint8_t>()[i] = i % 3 == 0;
    return value;
  }

 private:
  std::map<std::string, TensorValue> values_;
};

inline bool IsSmall(const Plan& plan) {
  std::size_t all = plan.program->arena_bytes;
  for (const auto* types : {&plan.program->inputs, &plan.program->outputs})
    for (const TensorType& type : *types) {
      if (ByteSize(type) > kMostTensorBytes) return false;
      all += ByteSize(type);
    }
  return all <= kMostProgramBytes;
}

// A size for every dimension that is left open.
inline TensorType Closed(TensorType type) {
  if (!RankKnown(type.dims)) type.dims = {2};
  std::replace_if(
      type.dims.begin(), type.dims.end(), [](std::int64_t dim) { return dim < 0; }, 2);
  if (type.type == DataType::kUndefined) type.type = DataType::kFloat;
  return type;
}

// While one lives, what was compiled is not run: for the replay of seeds that were damaged.
class CompilesOnly {
 public:
  CompilesOnly() { ++count_; }
  ~CompilesOnly() { --count_; }
  CompilesOnly(const CompilesOnly&) = delete;
  CompilesOnly& operator=(const CompilesOnly&) = delete;
  static bool IsAsked() { return count_ > 0; }

 private:
  static inline int count_ = 0;
};

inline void RunBounded(const Plan& plan) {
  if (!IsSmall(plan) || CompilesOnly::IsAsked()) return;
  std::vector<TensorValue> inputs;
  for (const TensorType& type : plan.program->inputs)
    inputs.push_back(BoundedVariables::Filled(type));
  BoundedVariables variables;
  BoundedRun bounded;
  const ObserverScope scope(bounded);
  RunStages(plan, inputs, variables, [](std::size_t bytes) {
    CheckBound(bytes <= kMostProgramBytes);
    return AllocateBytes(bytes);
  });
}

// Whatever `body` does ends well or with an error that says something.
template <typename Body>
void EndsWithAText(const Body& body) {
  try {
    body();
  } catch (const Error& error) {
    Require(!error.message().empty());
  } catch (const std::bad_alloc&) {
  }
}

inline void CompileAndRun(const Graph& graph) {
  EndsWithAText([&] {
    Executable executable(Normalize(graph).graph);
    std::vector<TensorType> types;
    for (const Node* input : executable.graph().inputs)
      types.push_back(Closed(input->outputs().at(0).desc));
    RunBounded(*executable.Prepare(types));
  });
}

}  // namespace foothold
