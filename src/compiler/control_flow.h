// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Nodes that run graphs: If, Case, While, For and their Stateless and Stateful twins. They are lowered here
// and not in ops, because what they run has to be compiled.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ir/node.h"
#include "ops/kernel.h"
#include "program/program.h"
#include "program/variable_store.h"

namespace foothold {

bool RunsGraphs(const Node& node);
// Whether something in its graphs acts although nobody reads it.
bool GraphsHaveEffects(const Node& node);

// Sets the output types. Throws ValueNotKnown where only a run can tell them: branches that give different
// shapes, loops that change the shape of what they carry.
void InferControlFlow(Node& node);

struct LoweredControlFlow {
  std::unique_ptr<Kernel> kernel;
  // Variables the graphs use; a run finds them behind the ports.
  std::vector<ProgramVariable> variables;
};
LoweredControlFlow LowerControlFlow(Node& node);

// Makes ready what EvaluateControlFlow needs of the node; it only reads it from then on, on any thread.
void PrepareControlFlow(Node& node);
// Runs the node with these inputs, by port. `variables` finds the memory of a variable by name and type.
std::vector<TensorValue> EvaluateControlFlow(Node& node, const std::vector<TensorValue>& inputs,
                                             VariableStore& variables);

}  // namespace foothold
