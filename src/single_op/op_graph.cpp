// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "single_op/op_graph.h"

#include "base/error.h"
#include "compiler/sources.h"
#include "single_op/op_codes.h"
#include "single_op/port_layout.h"

namespace foothold {
namespace {

PortDesc DescOf(const TensorDesc& tensor) {
  PortDesc desc(TypeOf(tensor));
  desc.set = true;
  if (!tensor.name.empty()) desc.EditDetails().name = tensor.name;
  return desc;
}

class OpGraphMaker {
 public:
  explicit OpGraphMaker(const OpCall& call)
      : call_(call),
        prototype_(PrototypeOf(call)),
        graph_(std::make_shared<Graph>(std::string(call.type))),
        node_(graph_->Make(std::string(call.type), std::string(call.type))) {}

  std::shared_ptr<Graph> Make() {
    for (const PortSlot& slot : LayOutInputs(prototype_, call_.inputs))
      AddInput(slot);
    for (const PortSlot& slot : LayOutOutputs(prototype_, call_.outputs))
      AddOutput(slot);
    if (graph_->outputs.empty()) graph_->targets.push_back(&node_);
    node_.attributes = CompleteAttributes(prototype_, call_.attribute_values());
    return graph_;
  }

 private:
  void AddInput(const PortSlot& slot) {
    node_.AddInput(slot.name, slot.kind, slot.group);
    if (slot.tensor < 0) return;
    const TensorDesc& tensor = *call_.inputs[static_cast<std::size_t>(slot.tensor)];
    const int port = static_cast<int>(node_.inputs().size()) - 1;
    Node& source = HasConstant(tensor) ? MakeConstant(*graph_, slot.name, ConstantOf(tensor))
                                       : MakeInput(slot.name, tensor);
    node_.Connect(port, {&source, 0});
    node_.inputs().back().desc = DescOf(tensor);
  }

  Node& MakeInput(const std::string& name, const TensorDesc& tensor) {
    const auto index = static_cast<std::int64_t>(graph_->inputs.size());
    Node& data = MakeData(*graph_, name, index, TypeOf(tensor));
    graph_->inputs.push_back(&data);
    return data;
  }

  void AddOutput(const PortSlot& slot) {
    const int port = static_cast<int>(node_.outputs().size());
    Output& output = node_.AddOutput(slot.name, slot.kind, slot.group);
    if (slot.tensor < 0) return;
    output.desc = DescOf(*call_.outputs[static_cast<std::size_t>(slot.tensor)]);
    graph_->outputs.push_back({&node_, port});
  }

  const OpCall& call_;
  const Prototype& prototype_;
  const std::shared_ptr<Graph> graph_;
  Node& node_;
};

}  // namespace

const Prototype& PrototypeOf(const OpCall& call) {
  const Prototype* prototype = FindPrototype(call.type);
  if (prototype == nullptr) Fail(kOpNotFound, "there is no operator type '{}'", call.type);
  if (!prototype->subgraphs.empty())
    Fail(kFeatureUnsupported, "operator {} runs graphs of its own, and cannot run outside of a graph",
         call.type);
  return *prototype;
}

std::shared_ptr<Graph> MakeOpGraph(const OpCall& call) {
  return OpGraphMaker(call).Make();
}

}  // namespace foothold
