// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Element-wise nodes as steps on blocks of floats. Every such operator says here how it becomes steps;
// lowering one node and fusing many both start from that. Rules are called on any thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/element_convert.h"
#include "ops/op.h"

namespace foothold {

// What a node computes, in terms of the functions of kernels/element_function.h. Values are numbered: first
// the operands, then the results of the steps, in order.
struct ElementFormula {
  struct Operand {
    int port;
    Dims dims;  // repeated from the right to the dimensions of the formula; as many elements as the port has
    std::int64_t spacing = 1;  // from one element to the next
  };
  struct Step {
    std::string function;
    std::vector<int> operands;
    std::vector<float> params;
  };
  struct Result {
    int value;
    int output;
    // Instead of an output: an input of the node that is updated where it stands.
    int updated_input = -1;
  };

  Dims dims;  // of all results
  std::vector<Operand> operands;
  std::vector<Step> steps;
  std::vector<Result> results;
};

// Output types are set. Nothing: with these element types the node is not computed in floats.
using FormulaRule = std::function<std::optional<ElementFormula>(const OpContext&)>;

void AddFormulaRule(const std::string& type, FormulaRule rule);
// Nothing: the operator has no rule, or its rule has nothing for these types.
std::optional<ElementFormula> FormulaOf(const OpContext& context);

// Types that a chain reads and writes.
std::optional<ElementType> ElementTypeOf(DataType type);
// float, float16 and bfloat16: computed in float.
bool IsFloatType(DataType type);

// One function of all inputs, repeated to output 0, if all inputs are IsFloatType.
std::optional<ElementFormula> FunctionOfInputs(const OpContext& context, std::string function,
                                               std::vector<float> params = {});

std::unique_ptr<Kernel> LowerFormula(const OpContext& context, const ElementFormula& formula);

// For OpDef::ReadsViews of operators that have a formula: it reads them.
bool ReadsElementView(const OpContext& context, int port, const StridedView& view);

// From one element to the next along each axis of `to`, of what a port gives when it is seen as `dims` and
// repeated.
std::vector<std::int64_t> OperandStrides(const OpContext& context, int port, const Dims& dims,
                                         const Dims& to);
// The same of an output; nothing where it is dense.
std::vector<std::int64_t> ResultStrides(const OpContext& context, int output, const Dims& dims);

// The dimensions all inputs are repeated to, as numpy does it. Refuses shapes that do not fit.
Dims BroadcastDims(const OpContext& context, const std::vector<int>& ports);
// The elements from one to the next along each axis of `to`, 0 along those that are repeated.
std::vector<std::int64_t> BroadcastStrides(const Dims& from, const Dims& to);

}  // namespace foothold
