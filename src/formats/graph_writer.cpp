// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <google/protobuf/text_format.h>

#include <limits>
#include <set>

#include "base/error.h"
#include "formats/graph_model.h"
#include "formats/model_names.h"
#include "formats/model_values.h"

namespace foothold {
namespace {

using namespace model_names;

class GraphWriter {
 public:
  GraphWriter(model::ModelDef& model, bool with_data, const PutWeight& put) : model_(model) {
    values_.with_data = with_data;
    values_.put_weight = put;
    values_.write_graph = [this](const Graph& graph, model::GraphDef& to) { WriteGraph(graph, to); };
  }

  // Graphs of a model are found by their names, so each gets one of its own. Returns that.
  std::string Add(const Graph& graph) {
    std::string name = graph.name();
    for (int i = 1; !names_.insert(name).second; ++i)
      name = graph.name() + "_" + std::to_string(i);
    const int index = model_.graph_size();
    model_.add_graph();
    // Writing it may add more graphs to the model.
    auto& written = *google::protobuf::Arena::CreateMessage<model::GraphDef>(model_.GetArena());
    WriteGraph(graph, written);
    written.set_name(name);
    model_.mutable_graph(index)->Swap(&written);
    return name;
  }

 private:
  static std::string Reference(const Node& node, int port) {
    return node.name() + ":" + std::to_string(port);
  }

  void WriteGraph(const Graph& graph, model::GraphDef& to) {
    to.set_name(graph.name());
    for (const Node* node : graph.inputs)
      to.add_input(node->name());
    for (const OutputRef& output : graph.outputs)
      to.add_output(Reference(*output.node, output.port));
    Attributes attributes = graph.attributes;
    attributes[kGraphName] = graph.name();
    attributes[kNeedIteration] = graph.need_iteration;
    std::vector<std::string> targets;
    for (const Node* node : graph.targets)
      targets.push_back(node->name());
    attributes[kTargets] = std::move(targets);
    values_.Write(attributes, *to.mutable_attr());
    for (Node* node : graph.nodes())
      WriteNode(*node, *to.add_op());
  }

  void WriteNode(Node& node, model::OpDef& to) {
    to.set_name(node.name());
    to.set_type(node.type());
    Attributes attributes = node.attributes;
    for (const Input& input : node.inputs())
      to.add_input(input.source ? Reference(*input.source.node, input.source.port) : "");
    for (const Node* source : node.control_inputs())
      to.add_input(Reference(*source, -1));
    WritePorts(node.inputs(), *to.mutable_input_desc(), attributes,
               {kInputNames, kInputIndexes, kInputGroups, kInputKinds});
    WritePorts(node.outputs(), *to.mutable_output_desc(), attributes,
               {kOutputNames, kOutputIndexes, kOutputGroups, kOutputKinds});
    WriteSubgraphs(node, to, attributes);
    values_.Write(attributes, *to.mutable_attr());
  }

  struct PortNames {
    const char* names;
    const char* indexes;
    const char* groups;
    const char* kinds;
  };

  template <typename Ports, typename Descs>
  void WritePorts(const Ports& ports, Descs& descs, Attributes& attributes, const PortNames& keys) {
    std::vector<std::string> names;
    std::vector<std::string> groups;
    std::vector<std::int64_t> indexes;
    std::vector<std::int64_t> kinds;
    for (const auto& port : ports) {
      values_.Write(port.desc, *descs.Add());
      indexes.push_back(static_cast<std::int64_t>(names.size()));
      names.push_back(port.name);
      groups.push_back(port.group);
      kinds.push_back(static_cast<std::int64_t>(port.kind));
    }
    attributes[keys.names] = std::move(names);
    attributes[keys.indexes] = std::move(indexes);
    attributes[keys.groups] = std::move(groups);
    attributes[keys.kinds] = std::move(kinds);
  }

  void WriteSubgraphs(Node& node, model::OpDef& to, Attributes& attributes) {
    if (node.subgraphs.empty()) return;
    std::vector<std::string> names;
    std::vector<std::string> groups;
    for (Subgraph& subgraph : node.subgraphs) {
      names.push_back(subgraph.name);
      groups.push_back(subgraph.group);
      to.add_subgraph_name(Add(GraphOf(node, subgraph)));
    }
    attributes[kSubgraphNames] = std::move(names);
    attributes[kSubgraphGroups] = std::move(groups);
  }

  model::ModelDef& model_;
  ValueWriter values_;
  std::set<std::string> names_;
};

// In an arena: messages outside of one do not survive to run out of memory while they grow.
const model::ModelDef& Write(google::protobuf::Arena& arena, const GraphModel& from, bool with_data,
                             const PutWeight& put = nullptr) {
  auto& model = *google::protobuf::Arena::CreateMessage<model::ModelDef>(&arena);
  model.set_name(from.graph->name());
  GraphWriter writer(model, with_data, put);
  writer.Add(*from.graph);
  for (const auto& subgraph : from.unused_subgraphs)
    writer.Add(*subgraph);
  return model;
}

}  // namespace

std::string SaveGraphModel(const GraphModel& model, const PutWeight& put) {
  google::protobuf::Arena arena;
  const model::ModelDef& written = Write(arena, model, true, put);
  if (written.ByteSizeLong() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    Fail(kInvalidParam, "graph '{}' needs {} bytes; a saved graph has at most 2 GiB", model.graph->name(),
         written.ByteSizeLong());
  return written.SerializeAsString();
}

std::string GraphModelText(const GraphModel& model) {
  google::protobuf::Arena arena;
  std::string text;
  google::protobuf::TextFormat::PrintToString(Write(arena, model, false), &text);
  return text;
}

}  // namespace foothold
