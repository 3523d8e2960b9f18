// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/control_flow.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/error.h"
#include "compiler/executable.h"
#include "compiler/infer.h"
#include "compiler/loop_kernels.h"
#include "compiler/normalize.h"
#include "compiler/sources.h"
#include "ops/op.h"

namespace foothold {
namespace {

enum class Kind { kIf, kCase, kWhile };

struct Known {
  std::string_view type;
  Kind kind;
};
constexpr std::array<Known, 8> kKnown = {{{"If", Kind::kIf},
                                          {"StatelessIf", Kind::kIf},
                                          {"StatefulIf", Kind::kIf},
                                          {"Case", Kind::kCase},
                                          {"StatelessCase", Kind::kCase},
                                          {"While", Kind::kWhile},
                                          {"StatelessWhile", Kind::kWhile},
                                          {"StatefulWhile", Kind::kWhile}}};

const Known* FindKind(const Node& node) {
  const auto found = std::find_if(kKnown.begin(), kKnown.end(),
                                  [&](const Known& known) { return known.type == node.type(); });
  return found == kKnown.end() ? nullptr : &*found;
}

Kind KindOf(const Node& node) {
  return FindKind(node)->kind;
}

// The port that chooses is not passed on.
int FirstPassed(const Node& node) {
  return KindOf(node) == Kind::kWhile ? 0 : 1;
}

Executable& ExecutableOf(Node& node, Subgraph& subgraph) {
  if (!subgraph.prepared) {
    NormalGraph normal = Normalize(GraphOf(node, subgraph));
    if (!normal.summaries.empty() || !normal.saves.empty())
      Fail(kFeatureUnsupported, "{}: Summary and Save are not supported inside its graph '{}'",
           node.Description(), normal.graph->name());
    subgraph.prepared = std::make_shared<Executable>(normal.graph);
  }
  return *static_cast<Executable*>(subgraph.prepared.get());
}

Executable& ExecutableOf(Node& node, std::string_view name) {
  Subgraph* subgraph = node.FindSubgraph(name);
  if (subgraph == nullptr) Fail(kInvalidParam, "{} has no graph '{}'", node.Description(), name);
  return ExecutableOf(node, *subgraph);
}

// In the order of the choice: 0 is the branch for false.
std::vector<Executable*> Branches(Node& node) {
  std::vector<Executable*> branches;
  if (KindOf(node) == Kind::kIf) {
    branches = {&ExecutableOf(node, "else_branch"), &ExecutableOf(node, "then_branch")};
  } else {
    for (Subgraph& subgraph : node.subgraphs)
      branches.push_back(&ExecutableOf(node, subgraph));
  }
  if (branches.empty()) Fail(kInvalidParam, "{} has no branches", node.Description());
  return branches;
}

std::vector<TensorType> PassedTypes(const Node& node) {
  std::vector<TensorType> types;
  for (int i = FirstPassed(node); i < static_cast<int>(node.inputs().size()); ++i)
    types.push_back(node.InputType(i));
  return types;
}

// A branch need not use all it is given: it takes the first ones it has inputs for.
std::shared_ptr<const Plan> PlanOf(const Node& node, Executable& executable, std::vector<TensorType> types,
                                   std::size_t outputs) {
  if (executable.inputs() > types.size() || executable.outputs() != outputs)
    Fail(kInvalidParam, "{} gives its graph '{}' {} inputs and wants {} outputs; the graph has {} and {}",
         node.Description(), executable.graph().name(), types.size(), outputs, executable.inputs(),
         executable.outputs());
  types.resize(executable.inputs());
  return executable.Prepare(types);
}

std::vector<TensorType> OutputTypes(const Plan& plan) {
  if (plan.rest) throw ValueNotKnown(kWhole);
  return plan.program->outputs;
}

bool SameShapes(const std::vector<TensorType>& a, const std::vector<TensorType>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const TensorType& x, const TensorType& y) {
    return x.type == y.type && x.dims == y.dims;
  });
}

void SetOutputs(Node& node, const std::vector<TensorType>& types) {
  for (std::size_t i = 0; i < types.size(); ++i)
    static_cast<TensorType&>(node.outputs()[i].desc) = types[i];
}

std::vector<TensorType> BranchTypes(Node& node) {
  std::optional<std::vector<TensorType>> types;
  for (Executable* branch : Branches(node)) {
    const auto found = OutputTypes(*PlanOf(node, *branch, PassedTypes(node), node.outputs().size()));
    if (types && !SameShapes(*types, found)) throw ValueNotKnown(kWhole);
    types = found;
  }
  return *types;
}

std::vector<TensorType> LoopTypes(Node& node) {
  const std::vector<TensorType> types = PassedTypes(node);
  if (types.size() != node.outputs().size())
    Fail(kInvalidParam, "{} carries {} values but has {} outputs", node.Description(), types.size(),
         node.outputs().size());
  const auto condition = OutputTypes(*PlanOf(node, ExecutableOf(node, "cond"), types, 1));
  if (ElementCount(condition[0].dims) != 1)
    Fail(kInvalidParam, "{}: its condition must be one value, not {}", node.Description(),
         ToString(condition[0]));
  const auto body = OutputTypes(*PlanOf(node, ExecutableOf(node, "body"), types, types.size()));
  if (!SameShapes(types, body)) throw ValueNotKnown(kWhole);
  return types;
}

Choice ChoiceOf(const Node& node) {
  return KindOf(node) == Kind::kCase ? Choice::kIndex : Choice::kTruth;
}

std::vector<TensorValue> RunGraph(const Node& node, Executable& executable, std::vector<TensorValue> inputs,
                                  std::size_t outputs, VariableStore& variables) {
  std::vector<TensorType> types;
  for (const TensorValue& input : inputs)
    types.push_back(input.type());
  const auto plan = PlanOf(node, executable, types, outputs);
  inputs.resize(executable.inputs());
  return RunStages(*plan, inputs, variables);
}

}  // namespace

bool RunsGraphs(const Node& node) {
  return FindKind(node) != nullptr;
}

bool GraphsHaveEffects(const Node& node) {
  for (const Subgraph& subgraph : node.subgraphs) {
    if (!subgraph.graph) return true;  // nobody can tell yet
    for (const Node* inner : subgraph.graph->nodes()) {
      if (IsSource(*inner)) continue;
      const OpDef* op = FindOp(inner->type());
      if (RunsGraphs(*inner) ? GraphsHaveEffects(*inner) : op != nullptr && op->stateful()) return true;
    }
  }
  return false;
}

void InferControlFlow(Node& node) {
  SetOutputs(node, KindOf(node) == Kind::kWhile ? LoopTypes(node) : BranchTypes(node));
}

LoweredControlFlow LowerControlFlow(Node& node) {
  const std::vector<TensorType> types = PassedTypes(node);
  if (KindOf(node) == Kind::kWhile) {
    return LowerLoop(PlanOf(node, ExecutableOf(node, "cond"), types, 1)->program,
                     PlanOf(node, ExecutableOf(node, "body"), types, types.size())->program, types);
  }
  std::vector<std::shared_ptr<const Program>> programs;
  for (Executable* branch : Branches(node))
    programs.push_back(PlanOf(node, *branch, types, node.outputs().size())->program);
  return LowerChoice(std::move(programs), ChoiceOf(node), node.InputType(0),
                     static_cast<int>(node.inputs().size()));
}

std::vector<TensorValue> EvaluateControlFlow(Node& node, const std::vector<TensorValue>& inputs,
                                             VariableStore& variables) {
  const std::vector<TensorValue> passed(inputs.begin() + FirstPassed(node), inputs.end());
  if (KindOf(node) != Kind::kWhile) {
    const std::vector<Executable*> branches = Branches(node);
    Executable& branch = *branches[ChooseBranch(ChoiceOf(node), inputs[0], branches.size())];
    return RunGraph(node, branch, passed, node.outputs().size(), variables);
  }
  std::vector<TensorValue> carried = passed;
  while (ChooseBranch(Choice::kTruth, RunGraph(node, ExecutableOf(node, "cond"), carried, 1, variables)[0],
                      2) == 1)
    carried = RunGraph(node, ExecutableOf(node, "body"), carried, passed.size(), variables);
  return carried;
}

}  // namespace foothold
