// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/control_flow.h"
#include "compiler/executable.h"
#include "ops/evaluate.h"
#include "program/execution.h"
#include "program/run_observer.h"

namespace foothold {
namespace {

using Values = std::vector<TensorValue>;

Values Evaluate(Node& node, const Values& inputs, const std::vector<const TensorValue*>& given,
                VariableStore& variables) {
  return RunsGraphs(node) ? EvaluateControlFlow(node, inputs, variables) : EvaluateByData(node, given);
}

// The types of the outputs are those the node found, so they are shown only at its end.
Values EvaluateObserved(const Graph& graph, Node& node, const Values& inputs,
                        const std::vector<const TensorValue*>& given, VariableStore& variables) {
  const ActiveObservers observers;
  std::vector<TensorType> input_types, output_types;
  std::vector<const std::byte*> in;
  std::vector<std::byte*> out(node.outputs().size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    input_types.push_back(inputs[i].type());
    in.push_back(given[i] == nullptr ? nullptr : inputs[i].data());
  }
  const RunArgs args = {in.data(), out.data(), nullptr};
  observers.OnNodeBegin({graph.name(), node.name(), node.type(), input_types, {}, args});
  Values outputs;
  try {
    outputs = Evaluate(node, inputs, given, variables);
  } catch (...) {
    observers.OnNodeFailed({graph.name(), node.name(), node.type(), input_types, {}, args});
    throw;
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    output_types.push_back(outputs[i].type());
    out[i] = const_cast<std::byte*>(outputs[i].data());
  }
  observers.OnNodeEnd({graph.name(), node.name(), node.type(), input_types, output_types, args});
  return outputs;
}

std::vector<Values> RunAlone(const Rest& rest, const Values& computed, VariableStore& variables) {
  std::vector<Values> results;
  for (std::size_t n = 0; n < rest.nodes.size(); ++n) {
    Values inputs;
    std::vector<const TensorValue*> given;
    for (const int source : rest.node_inputs[n])
      inputs.push_back(source < 0 ? TensorValue() : computed[static_cast<std::size_t>(source)]);
    for (std::size_t i = 0; i < inputs.size(); ++i)
      given.push_back(rest.node_inputs[n][i] < 0 ? nullptr : &inputs[i]);
    Node& node = *rest.nodes[n];
    results.push_back(IsObserved() ? EvaluateObserved(*rest.owner, node, inputs, given, variables)
                                   : Evaluate(node, inputs, given, variables));
  }
  return results;
}

}  // namespace

std::vector<TensorValue> RunProgram(const std::shared_ptr<const Program>& program, const Values& inputs,
                                    VariableStore& variables, const ArenaSource& arenas) {
  Values outputs;
  std::vector<const std::byte*> in;
  std::vector<std::byte*> out, memory;
  for (const TensorValue& input : inputs)
    in.push_back(input.data());
  for (const TensorType& type : program->outputs)
    out.push_back(outputs.emplace_back(type).mutable_data());
  for (const ProgramVariable& variable : program->variables)
    memory.push_back(variables.Memory(variable));
  const SharedBytes arena = arenas(program->arena_bytes);
  Execution execution(program);
  execution.Bind(arena.get(), memory);
  execution.Run(in, out);
  return outputs;
}

std::vector<TensorValue> RunStages(const Plan& plan, const Values& inputs, VariableStore& variables,
                                   const ArenaSource& arenas) {
  Values computed = RunProgram(plan.program, inputs, variables, arenas);
  if (!plan.rest) return computed;
  const Rest& rest = *plan.rest;
  const std::vector<Values> alone = RunAlone(rest, computed, variables);
  const auto value = [&](const Rest::Origin& origin) -> const TensorValue& {
    const auto output = static_cast<std::size_t>(origin.output);
    return origin.node < 0 ? computed[output] : alone[static_cast<std::size_t>(origin.node)][output];
  };
  Values later;
  std::vector<TensorType> types;
  std::vector<const TensorValue*> deciding;
  for (const Rest::Origin& origin : rest.inputs)
    types.push_back(later.emplace_back(value(origin)).type());
  for (std::size_t i = 0; i < later.size(); ++i)
    deciding.push_back(rest.by_value[i] ? &later[i] : nullptr);
  const Values rest_outputs = RunStages(*rest.executable->Prepare(types, deciding), later, variables, arenas);
  Values outputs;
  for (const Rest::Target& target : rest.outputs)
    outputs.push_back(target.from_program ? value(target.origin)
                                          : rest_outputs[static_cast<std::size_t>(target.output)]);
  return outputs;
}

}  // namespace foothold
