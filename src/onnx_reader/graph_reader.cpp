// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx_reader/graph_reader.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/error.h"
#include "onnx_reader/function_body.h"
#include "onnx_reader/node_check.h"
#include "onnx_reader/tensor_reader.h"
#include "onnx_reader/type_inference.h"

namespace foothold::onnx {
namespace {

namespace pb = ::onnx;

// Graphs and functions within each other; what programs write has a handful.
constexpr int kMaxDepth = 48;
// Nodes after all functions are in place; a small file could ask for any number.
constexpr std::int64_t kMaxNodes = 1 << 20;

std::string Named(const pb::NodeProto& node) {
  return fmt::format("node '{}' ({})", node.name(), node.op_type());
}

// What all graphs of a model share.
struct Reading {
  const ReadRequest& request;
  const pb::ModelProto& model;
  TensorReader tensors;
  std::int64_t next_prefix = 0;
  std::int64_t nodes = 0;

  const pb::FunctionProto* LocalFunction(const std::string& domain, const std::string& name) const {
    for (const pb::FunctionProto& function : model.functions())
      if (DomainOf(function.domain()) == domain && function.name() == name) return &function;
    return nullptr;
  }
};

// The names that can be seen in a graph, with their types.
class Names {
 public:
  explicit Names(const Names* outer) : outer_(outer) {}

  void Define(const std::string& name, const pb::TypeProto* type) {
    if (!defined_.emplace(name, type).second) Fail(kParseFile, "value '{}' is defined twice", name);
  }
  // An inner value of a graph may not have the name of an outer one, but files have it; the inner one counts.
  bool Known(const std::string& name) const {
    return defined_.count(name) != 0 || (outer_ != nullptr && outer_->Known(name));
  }
  pb::TypeProto TypeOf(const std::string& name) const {
    const auto found = defined_.find(name);
    if (found != defined_.end()) return found->second == nullptr ? pb::TypeProto() : *found->second;
    return outer_ == nullptr ? pb::TypeProto() : outer_->TypeOf(name);
  }

 private:
  const Names* outer_;
  std::unordered_map<std::string, const pb::TypeProto*> defined_;
};

class GraphReader {
 public:
  GraphReader(Reading& reading, const Names* outer, Opsets opsets, int depth)
      : reading_(reading), names_(outer), opsets_(std::move(opsets)), depth_(depth) {
    if (depth > kMaxDepth) Fail(kParseFile, "graphs or functions lie more than {} deep", kMaxDepth);
  }

  ModelGraph Read(const pb::GraphProto& proto) {
    graph_.name = proto.name();
    AddTypes(proto);
    for (const pb::TensorProto& tensor : proto.initializer())
      AddConstant(tensor.name(), reading_.tensors.Read(tensor));
    for (const pb::SparseTensorProto& tensor : proto.sparse_initializer())
      AddConstant(tensor.values().name(), reading_.tensors.Read(tensor));
    for (const pb::ValueInfoProto& input : proto.input())
      AddInput(input);
    for (const pb::NodeProto& node : proto.node())
      for (const std::string& output : node.output())
        later_.insert(output);
    for (const pb::NodeProto& node : proto.node())
      ReadNode(node);
    for (const pb::ValueInfoProto& output : proto.output())
      AddOutput(output);
    return std::move(graph_);
  }

 private:
  void AddTypes(const pb::GraphProto& proto) {
    for (const auto* infos : {&proto.value_info(), &proto.input(), &proto.output()})
      for (const pb::ValueInfoProto& info : *infos) {
        types_.emplace(info.name(), &info.type());
        graph_.types.emplace(info.name(), ToValueType(info.type()));
      }
  }

  const pb::TypeProto* FindType(const std::string& name) const {
    const auto found = types_.find(name);
    return found == types_.end() ? nullptr : found->second;
  }

  void AddConstant(const std::string& name, TensorValue value) {
    if (name.empty()) Fail(kParseFile, "graph '{}' has an initialiser without a name", graph_.name);
    names_.Define(name, FindType(name));
    ValueType& type = graph_.types[name];
    type = {ValueType::Kind::kTensor, value.type().type, value.dims()};
    graph_.constants.emplace(name, std::move(value));
  }

  void AddInput(const pb::ValueInfoProto& input) {
    if (graph_.constants.count(input.name()) != 0) return;
    if (input.name().empty()) Fail(kParseFile, "graph '{}' has an input without a name", graph_.name);
    names_.Define(input.name(), &input.type());
    graph_.inputs.push_back({input.name(), ToValueType(input.type())});
  }

  void AddOutput(const pb::ValueInfoProto& output) {
    if (!names_.Known(output.name()))
      throw Error(
          kParseFile,
          fmt::format("graph '{}' gives '{}' back, which nothing defines", graph_.name, output.name()),
          "E16001");
    graph_.outputs.push_back({output.name(), ToValueType(output.type())});
  }

  int VersionOf(const std::string& domain) const {
    const auto found = opsets_.find(domain);
    return found == opsets_.end() ? 0 : found->second;
  }

  void ReadNode(const pb::NodeProto& node) {
    const std::string domain = DomainOf(node.domain());
    const int version = VersionOf(domain);
    if (++reading_.nodes > kMaxNodes) Fail(kParseFile, "the model has more than {} nodes", kMaxNodes);
    CheckInputs(node);
    if (const pb::FunctionProto* local = reading_.LocalFunction(domain, node.op_type()))
      return Inline(node, *local, nullptr);
    if (version == 0)
      Fail(kParseFile, "{} is of domain '{}', for which the model imports no operator set", Named(node),
           domain);
    if (inlining_ > 0) CheckNode(node, opsets_);  // of a function, with the attributes of the call
    if (!reading_.request.covered(domain, node.op_type(), version))
      if (const auto function = StandardFunction(node, version, InputTypes(node)))
        return Inline(node, *function,
                      pb::OpSchemaRegistry::Schema(node.op_type(), std::min(version, NewestKnownOpset()),
                                                   node.domain()));
    AddNode(node, domain, version);
  }

  void CheckInputs(const pb::NodeProto& node) const {
    for (const std::string& input : node.input()) {
      if (input.empty() || names_.Known(input)) continue;
      throw Error(kParseFile,
                  fmt::format("{} reads '{}', which {}", Named(node), input,
                              later_.count(input) != 0
                                  ? "is defined by itself or a later node; nodes must stand in order and not "
                                    "depend on each other in a circle"
                                  : "nothing defines"),
                  "E16001");
    }
  }

  std::vector<pb::TypeProto> InputTypes(const pb::NodeProto& node) const {
    std::vector<pb::TypeProto> types;
    for (const std::string& input : node.input())
      types.push_back(names_.TypeOf(input));
    return types;
  }

  void Inline(const pb::NodeProto& node, const pb::FunctionProto& function, const pb::OpSchema* schema) {
    if (++inlining_ + depth_ > kMaxDepth)
      Fail(kParseFile, "{}: functions lie more than {} deep", Named(node), kMaxDepth);
    const std::string prefix =
        fmt::format("{}/{}/", node.name().empty() ? node.op_type() : node.name(), reading_.next_prefix++);
    bodies_.push_back(std::make_unique<FunctionBody>(
        ExpandFunction(node, function, schema, InputTypes(node), opsets_, prefix)));
    FunctionBody& body = *bodies_.back();
    InferBodyTypes(body.graph, body.opsets, reading_.model);
    for (const pb::ValueInfoProto& info : body.graph.value_info())
      if (types_.emplace(info.name(), &info.type()).second)
        graph_.types.emplace(info.name(), ToValueType(info.type()));
    std::swap(opsets_, body.opsets);
    for (const pb::NodeProto& inner : body.graph.node())
      ReadNode(inner);
    std::swap(opsets_, body.opsets);
    --inlining_;
  }

  void AddNode(const pb::NodeProto& proto, const std::string& domain, int version) {
    ModelNode node{proto.name(), proto.op_type(), domain, version, {}, {}, {}};
    node.inputs.assign(proto.input().begin(), proto.input().end());
    node.outputs.assign(proto.output().begin(), proto.output().end());
    for (const pb::AttributeProto& attribute : proto.attribute())
      node.attributes[attribute.name()] = ReadAttribute(proto, attribute);
    for (const std::string& output : proto.output())
      if (!output.empty()) names_.Define(output, FindType(output));
    graph_.nodes.push_back(std::move(node));
  }

  std::shared_ptr<const ModelGraph> ReadGraph(const pb::GraphProto& proto) {
    return std::make_shared<ModelGraph>(
        GraphReader(reading_, &names_, opsets_, depth_ + inlining_ + 1).Read(proto));
  }

  ModelAttribute ReadAttribute(const pb::NodeProto& node, const pb::AttributeProto& from) {
    switch (from.type()) {
      case pb::AttributeProto::INT:
        return from.i();
      case pb::AttributeProto::FLOAT:
        return from.f();
      case pb::AttributeProto::STRING:
        return from.s();
      case pb::AttributeProto::TENSOR:
        return reading_.tensors.Read(from.t());
      case pb::AttributeProto::SPARSE_TENSOR:
        return reading_.tensors.Read(from.sparse_tensor());
      case pb::AttributeProto::GRAPH:
        return ReadGraph(from.g());
      case pb::AttributeProto::INTS:
        return std::vector<std::int64_t>(from.ints().begin(), from.ints().end());
      case pb::AttributeProto::FLOATS:
        return std::vector<float>(from.floats().begin(), from.floats().end());
      case pb::AttributeProto::STRINGS:
        return std::vector<std::string>(from.strings().begin(), from.strings().end());
      default:
        return ReadRareAttribute(node, from);
    }
  }

  ModelAttribute ReadRareAttribute(const pb::NodeProto& node, const pb::AttributeProto& from) {
    switch (from.type()) {
      case pb::AttributeProto::TENSORS: {
        std::vector<TensorValue> values;
        for (const pb::TensorProto& tensor : from.tensors())
          values.push_back(reading_.tensors.Read(tensor));
        return values;
      }
      case pb::AttributeProto::GRAPHS: {
        std::vector<std::shared_ptr<const ModelGraph>> graphs;
        for (const pb::GraphProto& graph : from.graphs())
          graphs.push_back(ReadGraph(graph));
        return graphs;
      }
      case pb::AttributeProto::UNDEFINED:
        Fail(kParseFile, "{} has the attribute '{}' without a type", Named(node), from.name());
      default:
        return std::monostate();  // types and sparse lists, which no mapping reads
    }
  }

  Reading& reading_;
  Names names_;
  Opsets opsets_;
  const int depth_;
  int inlining_ = 0;
  ModelGraph graph_;
  std::unordered_map<std::string, const pb::TypeProto*> types_;
  std::unordered_set<std::string> later_;
  std::vector<std::unique_ptr<FunctionBody>> bodies_;  // types_ points into them
};

}  // namespace

std::shared_ptr<const Model> ReadModel(const ReadRequest& request, const pb::ModelProto& proto) {
  Reading reading{request, proto, TensorReader(request, ExternalData(request.path))};
  auto model = std::make_shared<Model>();
  model->ir_version = proto.ir_version();
  model->graph = GraphReader(reading, nullptr, OpsetsOf(proto), 0).Read(proto.graph());
  return model;
}

}  // namespace foothold::onnx
