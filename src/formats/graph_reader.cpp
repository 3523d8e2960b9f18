// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <google/protobuf/stubs/logging.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <unordered_map>

#include "base/error.h"
#include "formats/graph_model.h"
#include "formats/model_names.h"
#include "formats/model_values.h"
#include "formats/node_ports.h"
#include "prototypes/prototype.h"

namespace foothold {
namespace {

using namespace model_names;

constexpr int kControlPort = -1;
// Graphs within graphs; what programs write has a handful.
constexpr int kMaxDepth = 64;

struct Reference {
  std::string_view node;
  int port;
};

// "name:port"; without a port it is the first.
Reference ParseReference(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return {text, 0};
  const std::string_view digits = text.substr(colon + 1);
  int port = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (error != std::errc() || end != digits.data() + digits.size() || port < kControlPort)
    Fail(kInvalidParam, "'{}' does not name an output of a node", text);
  return {text.substr(0, colon), port};
}

bool IsControl(const std::string& reference) {
  return reference.size() > 3 && reference.ends_with(":-1");
}

template <typename Value>
std::optional<Value> Take(Attributes& attributes, const char* name) {
  const auto found = attributes.find(name);
  if (found == attributes.end() || !std::holds_alternative<Value>(found->second)) return std::nullopt;
  Value value = std::move(std::get<Value>(found->second));
  attributes.erase(found);
  return value;
}

class GraphReader {
 public:
  GraphReader(const model::ModelDef& model, const GetWeight& get, std::shared_ptr<const std::string> folder)
      : model_(model), folder_(std::move(folder)), used_(model.graph_size(), false) {
    values_.read_graph = [this](const model::GraphDef& from) { return ReadGraph(from); };
    values_.get_weight = get;
    for (int i = 0; i < model.graph_size(); ++i)
      if (!by_name_.emplace(model.graph(i).name(), i).second)
        Fail(kInvalidParam, "the model has two graphs of the name '{}'", model.graph(i).name());
  }

  GraphModel Read() {
    if (model_.graph_size() == 0) Fail(kInvalidParam, "the model has no graph");
    used_[0] = true;
    GraphModel read{ReadGraph(model_.graph(0)), {}};
    for (int i = 1; i < model_.graph_size(); ++i) {
      if (used_[i]) continue;
      used_[i] = true;
      read.unused_subgraphs.push_back(ReadGraph(model_.graph(i)));
    }
    return read;
  }

 private:
  using Names = std::unordered_map<std::string_view, Node*>;

  std::shared_ptr<Graph> ReadGraph(const model::GraphDef& from) {
    if (++depth_ > kMaxDepth)
      Fail(kInvalidParam, "graph '{}' lies more than {} graphs deep", from.name(), kMaxDepth);
    auto graph = std::make_shared<Graph>(from.name());
    Names names;
    for (const model::OpDef& op : from.op()) {
      Node& node = graph->Make(op.type(), op.name());
      if (!names.emplace(node.name(), &node).second)
        throw Error(kInvalidParam,
                    fmt::format("graph '{}' has two nodes of the name '{}'", from.name(), op.name()),
                    "E13009");
      ReadNode(op, node);
    }
    for (const model::OpDef& op : from.op())
      ReadLinks(op, *names.at(op.name()), names);
    ReadInterface(from, *graph, names);
    graph->Order();  // refuses nodes that depend on each other in a circle
    --depth_;
    return graph;
  }

  void ReadNode(const model::OpDef& from, Node& node) {
    node.attributes = values_.Read(from.attr());
    node.file_folder = folder_;
    ReadInputs(from, node);
    const auto outputs = static_cast<std::size_t>(from.output_desc_size());
    for (const PortName& port : TakeOutputNames(node.type(), node.attributes, outputs)) {
      const auto index = static_cast<int>(node.outputs().size());
      node.AddOutput(port.name, port.kind, port.group).desc = values_.ReadDesc(from.output_desc(index));
    }
    ReadSubgraphs(from, node);
    CheckConstant(node);
    AddDefaults(node);
  }

  void ReadInputs(const model::OpDef& from, Node& node) {
    const auto links = std::count_if(from.input().begin(), from.input().end(),
                                     [](const std::string& link) { return !IsControl(link); });
    const auto count = std::max<std::size_t>(static_cast<std::size_t>(links), from.input_desc_size());
    for (const PortName& port : TakeInputNames(node.type(), node.attributes, count)) {
      const auto index = static_cast<int>(node.inputs().size());
      Input& input = node.AddInput(port.name, port.kind, port.group);
      if (index < from.input_desc_size()) input.desc = values_.ReadDesc(from.input_desc(index));
    }
  }

  void ReadSubgraphs(const model::OpDef& from, Node& node) {
    const auto count = static_cast<std::size_t>(from.subgraph_name_size());
    const std::vector<PortName> names = TakeSubgraphNames(node.type(), node.attributes, count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::string& instance = from.subgraph_name(static_cast<int>(i));
      const auto found = by_name_.find(instance);
      if (found == by_name_.end())
        Fail(kInvalidParam, "{} runs graph '{}', which the model does not have", node.Description(),
             instance);
      // Also ends models in which a graph contains itself.
      if (used_[found->second])
        Fail(kInvalidParam, "graph '{}' has two places in the model, one of them in {}", instance,
             node.Description());
      used_[found->second] = true;
      auto graph = ReadGraph(model_.graph(found->second));
      graph->parent = &node;
      node.subgraphs.push_back({names[i].name, names[i].group, nullptr, std::move(graph)});
    }
  }

  static void AddDefaults(Node& node) {
    const Prototype* prototype = FindPrototype(node.type());
    if (prototype == nullptr) return;
    for (const PrototypeAttribute& attribute : prototype->attributes) {
      Attribute& value = node.attributes[attribute.name];
      if (std::holds_alternative<std::monostate>(value)) value = attribute.default_value;
    }
  }

  static void CheckConstant(const Node& node) {
    if (node.type() != "Const" && node.type() != "Constant") return;
    const Attribute* value = node.FindAttribute("value");
    const TensorValue* tensor = value == nullptr ? nullptr : std::get_if<TensorValue>(value);
    if (tensor == nullptr) Fail(kInvalidParam, "{} has no value", node.Description());
    if (tensor->size() == 0 && BitsPerElement(tensor->type().type).value_or(0) > 0 &&
        IsStatic(tensor->dims()) && ByteSize(tensor->type()) > 0)
      Fail(kInvalidParam, "{} has a value {} without data", node.Description(), ToString(tensor->type()));
  }

  static Node& Find(const Names& names, std::string_view name) {
    const auto found = names.find(name);
    if (found == names.end()) Fail(kInvalidParam, "there is no node '{}' in its graph", name);
    return *found->second;
  }

  static OutputRef FindOutput(const Names& names, std::string_view text) {
    const auto [name, port] = ParseReference(text);
    Node& node = Find(names, name);
    if (port < 0 || port >= static_cast<int>(node.outputs().size()))
      Fail(kInvalidParam, "{} has {} outputs, so there is no output {}", node.Description(),
           node.outputs().size(), port);
    return {&node, port};
  }

  static void ReadLinks(const model::OpDef& from, Node& node, const Names& names) {
    int port = 0;
    for (const std::string& link : from.input()) {
      if (IsControl(link)) {
        node.AddControlInput(Find(names, ParseReference(link).node));
        continue;
      }
      if (!link.empty()) node.Connect(port, FindOutput(names, link));
      ++port;
    }
  }

  void ReadInterface(const model::GraphDef& from, Graph& graph, const Names& names) {
    graph.attributes = values_.Read(from.attr());
    if (auto name = Take<std::string>(graph.attributes, kGraphName)) graph.set_name(std::move(*name));
    graph.need_iteration = Take<bool>(graph.attributes, kNeedIteration).value_or(false);
    for (const std::string& name :
         Take<std::vector<std::string>>(graph.attributes, kTargets).value_or(std::vector<std::string>()))
      graph.targets.push_back(&Find(names, name));
    for (const std::string& output : from.output())
      graph.outputs.push_back(FindOutput(names, output));
    for (const std::string& input : from.input()) {
      const auto whole = names.find(input);
      graph.inputs.push_back(whole != names.end() ? whole->second : &Find(names, ParseReference(input).node));
    }
    ReadNetOutput(graph);
    if (from.input().empty()) FindInputs(graph);
  }

  // Other programs write the outputs of a graph as the inputs of a node.
  static void ReadNetOutput(Graph& graph) {
    const auto found = std::find_if(graph.nodes().begin(), graph.nodes().end(),
                                    [](const Node* node) { return node->type() == "NetOutput"; });
    if (found == graph.nodes().end()) return;
    Node& net_output = **found;
    graph.outputs.clear();
    for (const Input& input : net_output.inputs())
      if (input.source) graph.outputs.push_back(input.source);
    for (Node* node : net_output.control_inputs())
      graph.targets.push_back(node);
    graph.Remove(net_output);
  }

  static void FindInputs(Graph& graph) {
    for (Node* node : graph.nodes())
      if (node->type() == "Data" || node->type() == "RefData") graph.inputs.push_back(node);
    std::stable_sort(graph.inputs.begin(), graph.inputs.end(),
                     [](const Node* a, const Node* b) { return IndexOf(*a) < IndexOf(*b); });
  }

  static std::int64_t IndexOf(const Node& node) {
    const Attribute* index = node.FindAttribute("index");
    const auto* number = index == nullptr ? nullptr : std::get_if<std::int64_t>(index);
    return number == nullptr ? 0 : *number;
  }

  const model::ModelDef& model_;
  const std::shared_ptr<const std::string> folder_;
  ValueReader values_;
  std::unordered_map<std::string_view, int> by_name_;
  std::vector<bool> used_;  // by position in the model
  int depth_ = 0;
};

}  // namespace

GraphModel LoadGraphModel(const void* data, std::size_t size, const GetWeight& get,
                          std::shared_ptr<const std::string> folder) {
  if (data == nullptr || size == 0) Fail(kInvalidParam, "there are no bytes to read a graph from");
  if (size > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    Fail(kInvalidParam, "{} bytes are more than the 2 GiB a saved graph may have", size);
  google::protobuf::Arena arena;  // messages outside of one do not survive to run out of memory
  auto& model = *google::protobuf::Arena::CreateMessage<model::ModelDef>(&arena);
  const google::protobuf::LogSilencer quiet;  // what is wrong is told by our own error
  if (!model.ParseFromArray(data, static_cast<int>(size)))
    Fail(kParseFile, "the bytes are not a saved graph");
  // Other messages, of ONNX models above all, can be read as this one by accident.
  for (const model::GraphDef& graph : model.graph())
    if (graph.op_size() == 0 && graph.input_size() + graph.output_size() > 0)
      Fail(kParseFile, "the bytes are not a saved graph: there are inputs or outputs, and no nodes");
  return GraphReader(model, get, std::move(folder)).Read();
}

}  // namespace foothold
