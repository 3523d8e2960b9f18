// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "api/ge/single_op_graph.h"

#include <fmt/format.h>

#include "api/ge/graph_impl.h"
#include "base/error.h"
#include "graph/operator_factory.h"
#include "prototypes/prototype.h"
#include "single_op/port_layout.h"

namespace foothold {
namespace {

// The part of descriptions that decides which port each belongs to: names, and whether there is a tensor.
class Outline {
 public:
  explicit Outline(const std::vector<ge::TensorDesc>& descs) {
    for (const ge::TensorDesc& desc : descs) {
      ge::AscendString name;
      const bool absent = desc.GetDataType() == ge::DT_UNDEFINED;
      descs_.emplace_back(absent ? DataType::kUndefined : DataType::kFloat, Format::kNd, Shape());
      if (desc.GetName(name) == ge::GRAPH_SUCCESS && name.GetString() != nullptr)
        descs_.back().name = name.GetString();
    }
    for (const TensorDesc& desc : descs_)
      pointers_.push_back(&desc);
  }
  const TensorDescList& pointers() const { return pointers_; }

 private:
  std::vector<TensorDesc> descs_;
  TensorDescList pointers_;
};

ge::Operator MakeOperator(const std::string& name, const char* type) {
  ge::Operator op = ge::OperatorFactory::CreateOperator(name.c_str(), type);
  if (op.IsEmpty()) Fail(kInvalidParam, "there is no operator type '{}'", type);
  return op;
}

ge::Operator MakeData(std::size_t index, const ge::TensorDesc& desc) {
  ge::Operator data = MakeOperator(fmt::format("data_{}", index), "Data");
  data.SetAttr("index", static_cast<int64_t>(index));
  data.UpdateInputDesc("x", desc);
  data.UpdateOutputDesc("y", desc);
  return data;
}

// Operators have their single ports from the start; those of lists are made here, where they belong.
int InputPort(Node& node, const PortSlot& slot, int position) {
  if (node.InputIndex(slot.name) < 0) node.AddInput(slot.name, slot.kind, slot.group, position);
  return node.InputIndex(slot.name);
}

int OutputPort(Node& node, const PortSlot& slot, int position) {
  if (node.OutputIndex(slot.name) < 0) node.AddOutput(slot.name, slot.kind, slot.group, position);
  return node.OutputIndex(slot.name);
}

std::vector<ge::Operator> ConnectInputs(Node& node, const std::vector<PortSlot>& slots,
                                        const std::vector<ge::TensorDesc>& descs) {
  std::vector<ge::Operator> data;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const int port = InputPort(node, slots[i], static_cast<int>(i));
    if (slots[i].tensor < 0) continue;
    data.push_back(MakeData(data.size(), descs[static_cast<std::size_t>(slots[i].tensor)]));
    node.Connect(port, {&NodeOf(data.back()), 0});
  }
  return data;
}

std::vector<std::size_t> DescribeOutputs(ge::Operator& op, const std::vector<PortSlot>& slots,
                                         const std::vector<ge::TensorDesc>& descs) {
  std::vector<std::size_t> described;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const int port = OutputPort(NodeOf(op), slots[i], static_cast<int>(i));
    if (slots[i].tensor < 0) continue;
    op.UpdateOutputDesc(static_cast<uint32_t>(port), descs[static_cast<std::size_t>(slots[i].tensor)]);
    described.push_back(static_cast<std::size_t>(port));
  }
  return described;
}

// Types that only the program knows have no prototype; what their class declares are single ports.
Prototype PortsOf(const char* type, const Node& node) {
  if (const Prototype* known = FindPrototype(type)) return *known;
  Prototype prototype;
  prototype.type = type;
  for (const Input& input : node.inputs())
    prototype.inputs.push_back({input.name, input.kind, {}, {}});
  for (const Output& output : node.outputs())
    prototype.outputs.push_back({output.name, output.kind, {}, {}});
  return prototype;
}

}  // namespace

ge::Graph GraphForOp(const char* type, const std::vector<ge::TensorDesc>& inputs,
                     const std::vector<ge::TensorDesc>& outputs) {
  ge::Operator op = MakeOperator(fmt::format("{}_0", type), type);
  const Prototype prototype = PortsOf(type, NodeOf(op));
  const std::vector<ge::Operator> data =
      ConnectInputs(NodeOf(op), LayOutInputs(prototype, Outline(inputs).pointers()), inputs);
  const std::vector<std::size_t> ports =
      DescribeOutputs(op, LayOutOutputs(prototype, Outline(outputs).pointers()), outputs);
  ge::Graph graph(fmt::format("{}_graph", type).c_str());
  graph.SetInputs(data);
  if (ports.empty()) return graph.SetOutputs(std::vector<ge::Operator>{op});
  using Chosen = std::vector<std::pair<ge::Operator, std::vector<size_t>>>;
  return graph.SetOutputs(Chosen{{op, ports}});
}

}  // namespace foothold
