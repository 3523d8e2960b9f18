// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/control_flow.h"

#include <algorithm>
#include <array>
#include <cstring>
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

enum class Kind { kIf, kCase, kWhile, kFor };

struct Known {
  std::string_view type;
  Kind kind;
};
constexpr std::array<Known, 11> kKnown = {{{"If", Kind::kIf},
                                           {"_If", Kind::kIf},
                                           {"StatelessIf", Kind::kIf},
                                           {"StatefulIf", Kind::kIf},
                                           {"Case", Kind::kCase},
                                           {"StatelessCase", Kind::kCase},
                                           {"While", Kind::kWhile},
                                           {"StatelessWhile", Kind::kWhile},
                                           {"StatefulWhile", Kind::kWhile},
                                           {"_While", Kind::kWhile},
                                           {"For", Kind::kFor}}};

const Known* FindKind(const Node& node) {
  const auto found = std::find_if(kKnown.begin(), kKnown.end(),
                                  [&](const Known& known) { return known.type == node.type(); });
  return found == kKnown.end() ? nullptr : &*found;
}

Kind KindOf(const Node& node) {
  return FindKind(node)->kind;
}

// Ports that choose or count are not passed on.
int FirstPassed(const Node& node) {
  switch (KindOf(node)) {
    case Kind::kWhile:
      return 0;
    case Kind::kFor:
      return kCountPorts;
    default:
      return 1;
  }
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

// The body of a For may give its number back as a first output of its own.
bool ReturnsNumber(const Node& node) {
  return node.outputs().size() + kCountPorts > node.inputs().size();
}

std::vector<TensorType> CountedTypes(const Node& node) {
  std::vector<TensorType> types = PassedTypes(node);
  types.insert(types.begin(), TensorType{DataType::kInt32, Format::kNd, {}});
  return types;
}

std::vector<TensorType> CountingLoopTypes(Node& node) {
  for (int i = 0; i < FirstPassed(node); ++i)
    if (node.InputType(i).type != DataType::kInt32 || ElementCount(node.InputType(i).dims) != 1)
      Fail(kInvalidParam, "{}: its input '{}' must be one int32, not {}", node.Description(),
           node.inputs()[static_cast<std::size_t>(i)].name, ToString(node.InputType(i)));
  const std::size_t carried = node.inputs().size() - kCountPorts;
  if (node.outputs().size() != carried && node.outputs().size() != carried + 1)
    Fail(kInvalidParam, "{} carries {} values but has {} outputs", node.Description(), carried,
         node.outputs().size());
  const std::vector<TensorType> given = CountedTypes(node);
  const auto body = OutputTypes(*PlanOf(node, ExecutableOf(node, "body"), given, node.outputs().size()));
  const std::vector<TensorType> expected(given.begin() + (ReturnsNumber(node) ? 0 : 1), given.end());
  if (!SameShapes(expected, body)) throw ValueNotKnown(kWhole);
  return expected;
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

std::vector<TensorValue> EvaluateLoop(Node& node, std::vector<TensorValue> carried,
                                      VariableStore& variables) {
  const std::size_t count = carried.size();
  Executable &condition = ExecutableOf(node, "cond"), &body = ExecutableOf(node, "body");
  while (ChooseBranch(Choice::kTruth, RunGraph(node, condition, carried, 1, variables)[0], 2) == 1)
    carried = RunGraph(node, body, carried, count, variables);
  return carried;
}

TensorValue Number(std::int32_t value) {
  TensorValue number(TensorType{DataType::kInt32, Format::kNd, {}});
  std::memcpy(number.mutable_data(), &value, sizeof(value));
  return number;
}

std::vector<TensorValue> EvaluateCountingLoop(Node& node, const std::vector<TensorValue>& inputs,
                                              std::vector<TensorValue> results, VariableStore& variables) {
  LoopCount count(inputs[0].data(), inputs[1].data(), inputs[2].data());
  const bool returns_number = ReturnsNumber(node);
  if (returns_number) results.insert(results.begin(), Number(count.now()));
  for (; !count.done(); count.Next()) {
    std::vector<TensorValue> given = {Number(count.now())};
    given.insert(given.end(), results.begin() + (returns_number ? 1 : 0), results.end());
    results = RunGraph(node, ExecutableOf(node, "body"), given, node.outputs().size(), variables);
  }
  return results;
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
  switch (KindOf(node)) {
    case Kind::kWhile:
      return SetOutputs(node, LoopTypes(node));
    case Kind::kFor:
      return SetOutputs(node, CountingLoopTypes(node));
    default:
      return SetOutputs(node, BranchTypes(node));
  }
}

LoweredControlFlow LowerControlFlow(Node& node) {
  const std::vector<TensorType> types = PassedTypes(node);
  if (KindOf(node) == Kind::kWhile) {
    return LowerLoop(PlanOf(node, ExecutableOf(node, "cond"), types, 1)->program,
                     PlanOf(node, ExecutableOf(node, "body"), types, types.size())->program, types);
  }
  if (KindOf(node) == Kind::kFor) {
    const auto body = PlanOf(node, ExecutableOf(node, "body"), CountedTypes(node), node.outputs().size());
    return LowerCountingLoop(body->program, types, ReturnsNumber(node));
  }
  std::vector<std::shared_ptr<const Program>> programs;
  for (Executable* branch : Branches(node))
    programs.push_back(PlanOf(node, *branch, types, node.outputs().size())->program);
  return LowerChoice(std::move(programs), ChoiceOf(node), node.InputType(0),
                     static_cast<int>(node.inputs().size()));
}

void PrepareControlFlow(Node& node) {
  for (Subgraph& subgraph : node.subgraphs)
    ExecutableOf(node, subgraph);
}

std::vector<TensorValue> EvaluateControlFlow(Node& node, const std::vector<TensorValue>& inputs,
                                             VariableStore& variables) {
  const std::vector<TensorValue> passed(inputs.begin() + FirstPassed(node), inputs.end());
  switch (KindOf(node)) {
    case Kind::kWhile:
      return EvaluateLoop(node, passed, variables);
    case Kind::kFor:
      return EvaluateCountingLoop(node, inputs, passed, variables);
    default:
      break;
  }
  const std::vector<Executable*> branches = Branches(node);
  Executable& branch = *branches[ChooseBranch(ChoiceOf(node), inputs[0], branches.size())];
  return RunGraph(node, branch, passed, node.outputs().size(), variables);
}

}  // namespace foothold
