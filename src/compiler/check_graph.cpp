// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/check_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "base/error.h"
#include "compiler/sources.h"
#include "ir/node_walk.h"
#include "prototypes/prototype.h"

namespace foothold {
namespace {

bool IsList(const PrototypePort& port) {
  return port.kind == PortKind::kDynamic;
}

// Lists may be empty; whether their length is right is for the rules to say.
std::string OutputFault(const Node& node, const Prototype& prototype) {
  const auto& declared = prototype.outputs;
  const auto lists = std::count_if(declared.begin(), declared.end(), IsList);
  const std::size_t expected = declared.size() - static_cast<std::size_t>(lists);
  if (node.outputs().size() >= expected) return {};
  return fmt::format("\n  {} has {} outputs, expected {}{}", node.Description(), node.outputs().size(),
                     lists > 0 ? "at least " : "", expected);
}

// A node may have outputs that its operator does not have, as those of a newer version, but nobody writes
// them.
std::size_t WrittenOutputs(const Node& node, const Prototype& prototype) {
  const bool list = std::ranges::any_of(prototype.outputs, IsList);
  return list ? node.outputs().size() : prototype.outputs.size();
}

std::string ReadFaults(const Node& node, const Prototype& prototype) {
  std::string faults;
  for (std::size_t i = WrittenOutputs(node, prototype); i < node.outputs().size(); ++i)
    for (const InputRef& reader : node.outputs()[i].consumers)
      faults += fmt::format("\n  {} reads output {} of {}, which its operator does not have",
                            reader.node->Description(), i, node.Description());
  return faults;
}

std::string GivenBackFault(const OutputRef& output) {
  const Prototype* const prototype = FindPrototype(output.node->type());
  if (prototype == nullptr ||
      static_cast<std::size_t>(output.port) < WrittenOutputs(*output.node, *prototype))
    return {};
  return fmt::format("\n  output {} of {} is given back, which its operator does not have", output.port,
                     output.node->Description());
}

// By name. Who has other names for the ports has them at least in the order of the prototype.
bool HasInput(const Node& node, const Prototype& prototype, std::size_t index) {
  const int named = node.InputIndex(prototype.inputs[index].name);
  const std::size_t port = named < 0 ? index : static_cast<std::size_t>(named);
  return port < node.inputs().size() && node.inputs()[port].source;
}

std::string InputFaults(const Node& node, const Prototype& prototype) {
  std::string faults;
  for (std::size_t i = 0; i < prototype.inputs.size(); ++i)
    if (prototype.inputs[i].kind == PortKind::kRequired && !HasInput(node, prototype, i))
      faults += fmt::format("\n  {} has {} inputs, and nothing for the required input '{}'",
                            node.Description(), node.inputs().size(), prototype.inputs[i].name);
  return faults;
}

// Their attributes say where kernels read and write. The passes that make them know the sizes; a file does
// not.
bool IsMadeByPasses(const Node& node) {
  constexpr std::string_view kTypes[] = {
      "BlockChannels", "BlockIntegers", "ElementChain",        "HeadAttention",   "IntegerConv2D",
      "IntegerMean",   "IntegerSum",    "ScaledMatMulInteger", "UnblockChannels", "UnblockIntegers"};
  return node.type().starts_with("Blocked") || std::ranges::find(kTypes, node.type()) != std::end(kTypes);
}

std::string FaultsOf(const Node& node) {
  const Prototype* prototype = FindPrototype(node.type());
  if (prototype == nullptr)
    return IsMadeByPasses(node)
               ? fmt::format("\n  {} is an operator that only the compiler uses", node.Description())
               : "";
  // The inputs of sources only describe what comes from outside.
  return OutputFault(node, *prototype) + ReadFaults(node, *prototype) +
         (IsSource(node) ? "" : InputFaults(node, *prototype));
}

}  // namespace

void CheckGraph(const Graph& graph) {
  graph.Validate();
  std::string faults;
  for (const Node* node : PortWalk(graph.nodes()))
    faults += FaultsOf(*node);
  for (const OutputRef& output : graph.outputs)
    faults += GivenBackFault(output);
  if (!faults.empty())
    throw Error(kInvalidParam, fmt::format("graph '{}' is not valid:{}", graph.name(), faults));
}

}  // namespace foothold
