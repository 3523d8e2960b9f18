// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx_reader/graph_reader.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/error.h"
#include "base/name_map.h"
#include "onnx_reader/function_body.h"
#include "onnx_reader/graph_types.h"
#include "onnx_reader/node_check.h"
#include "onnx_reader/tensor_reader.h"
#include "onnx_reader/type_inference.h"
#include "onnx_reader/type_table.h"
#include "onnx_reader/value_list.h"

namespace foothold::onnx {
namespace {

namespace pb = ::onnx;

// Nodes after all functions are in place; a small file could ask for any number.
constexpr std::int64_t kMaxNodes = 1 << 20;

std::string Named(const pb::NodeProto& node) {
  return fmt::format("node '{}' ({})", node.name(), node.op_type());
}

// What the structures of a model point into; it lives as long as they do, and goes at once.
struct ModelMemory {
  explicit ModelMemory(ParsedModel given) : parsed(std::move(given)) {}

  ParsedModel parsed;
  TypeTable types;
  std::vector<std::unique_ptr<FunctionBody>> bodies;
};

// What all graphs of a model share.
struct Reading {
  const ReadRequest& request;
  ModelMemory& memory;
  const pb::ModelProto& model;
  TensorReader tensors;
  std::unordered_map<const pb::TensorProto*, TensorValue> taken = {};  // weights whose messages are empty now
  std::map<std::pair<std::string, std::string>, const pb::FunctionProto*> functions = {};
  std::int64_t next_prefix = 0;
  std::int64_t nodes = 0;

  const pb::FunctionProto* LocalFunction(const std::string& domain, const std::string& name) {
    if (functions.empty())
      for (const pb::FunctionProto& function : model.functions())
        functions.emplace(std::pair(DomainOf(function.domain()), function.name()), &function);
    if (functions.empty()) return nullptr;
    const auto found = functions.find({domain, name});
    return found == functions.end() ? nullptr : found->second;
  }

  std::span<const ValueNumber> Copy(std::span<const ValueNumber> list) const {
    auto* const copy =
        google::protobuf::Arena::CreateArray<ValueNumber>(memory.parsed.arena.get(), list.size());
    std::copy(list.begin(), list.end(), copy);
    return {copy, list.size()};
  }
};

class GraphReader {
 public:
  GraphReader(Reading& reading, ValueList* outer, Opsets opsets, int depth)
      : reading_(reading), values_(outer), opsets_(std::move(opsets)), depth_(depth) {
    if (depth > kMaxDepth) Fail(kParseFile, "graphs or functions lie more than {} deep", kMaxDepth);
  }

  // `inputs`: what the node that runs the graph gives it.
  ModelGraph Read(const pb::GraphProto& proto, const std::vector<pb::TypeProto>& inputs = {}) {
    graph_.name = proto.name();
    proto_ = &proto;
    Reserve(proto);
    for (const pb::ValueInfoProto& info : proto.value_info())
      declared_.Insert(info.name(), &info.type());
    for (const pb::TensorProto& tensor : proto.initializer()) {
      const auto taken = reading_.taken.find(&tensor);
      if (taken != reading_.taken.end())
        AddConstant(tensor.name(), std::move(taken->second), nullptr);
      else
        AddConstant(tensor.name(), reading_.tensors.Read(tensor), &tensor);
    }
    for (const pb::SparseTensorProto& tensor : proto.sparse_initializer())
      AddConstant(tensor.values().name(), reading_.tensors.Read(tensor), nullptr);
    for (int i = 0; i < proto.input_size(); ++i)
      AddInput(proto.input(i),
               i < static_cast<int>(inputs.size()) ? inputs[static_cast<std::size_t>(i)] : pb::TypeProto());
    for (const pb::NodeProto& node : proto.node())
      ReadNode(node);
    for (const pb::ValueInfoProto& output : proto.output())
      AddOutput(output);
    graph_.values = values_.Take();
    return std::move(graph_);
  }

 private:
  void Reserve(const pb::GraphProto& proto) {
    const auto nodes = static_cast<std::size_t>(proto.node_size());
    const auto constants = static_cast<std::size_t>(proto.initializer_size());
    graph_.nodes.reserve(nodes);
    graph_.constants.reserve(constants);
    values_.Reserve(nodes + constants + static_cast<std::size_t>(proto.input_size()));
    declared_.Reserve(static_cast<std::size_t>(proto.value_info_size()));
  }

  ValueNumber Define(const std::string& name, const KnownType& type, const pb::TensorProto* data = nullptr) {
    return values_.Define(name, type, data);
  }

  void AddConstant(const std::string& name, TensorValue value, const pb::TensorProto* proto) {
    if (name.empty()) Fail(kParseFile, "graph '{}' has an initialiser without a name", graph_.name);
    const bool inside = proto != nullptr && proto->data_location() != pb::TensorProto::EXTERNAL;
    const ValueNumber number = Define(name, reading_.memory.types.TypeOf(value), inside ? proto : nullptr);
    values_.at(number).constant = static_cast<std::int32_t>(graph_.constants.size());
    graph_.constants.push_back(std::move(value));
  }

  bool IsConstant(const std::string& name) {
    const ValueNumber number = values_.Find(name);
    return number != kNoValue && values_.at(number).constant >= 0;
  }

  // A body need not say what its inputs are; only their element types are sure to stay the same.
  static pb::TypeProto Completed(pb::TypeProto declared, const pb::TypeProto& given) {
    if (given.has_tensor_type() && declared.value_case() == pb::TypeProto::VALUE_NOT_SET)
      declared.mutable_tensor_type()->set_elem_type(given.tensor_type().elem_type());
    return declared;
  }

  void AddInput(const pb::ValueInfoProto& input, const pb::TypeProto& given) {
    if (IsConstant(input.name())) return;
    if (input.name().empty()) Fail(kParseFile, "graph '{}' has an input without a name", graph_.name);
    const KnownType& type = reading_.memory.types.Keep(Completed(input.type(), given));
    graph_.inputs.push_back({input.name(), Define(input.name(), type), type.value});
  }

  void AddOutput(const pb::ValueInfoProto& output) {
    const ValueNumber number = values_.Find(output.name());
    if (number == kNoValue)
      throw Error(
          kParseFile,
          fmt::format("graph '{}' gives '{}' back, which nothing defines", graph_.name, output.name()),
          "E16001");
    const ValueType declared = ToValueType(output.type());
    ValueType found = *values_.at(number).type;
    if (found.type == DataType::kUndefined || !found.RankKnown()) found.dims = declared.dims;
    if (found.type == DataType::kUndefined) found = declared;
    if (declared.type != DataType::kUndefined && declared.type != found.type)
      Fail(kParseFile,
           "the types of the model contradict each other: output '{}' is declared as {}, but is {}",
           output.name(), DataTypeName(declared.type), DataTypeName(found.type));
    graph_.outputs.push_back({output.name(), number, found});
  }

  int VersionOf(const std::string& domain) const {
    const auto found = opsets_.find(domain);
    return found == opsets_.end() ? 0 : found->second;
  }

  void ReadNode(const pb::NodeProto& node) {
    const std::string domain = DomainOf(node.domain());
    const int version = VersionOf(domain);
    if (++reading_.nodes > kMaxNodes) Fail(kParseFile, "the model has more than {} nodes", kMaxNodes);
    FindInputs(node);
    if (const pb::FunctionProto* local = reading_.LocalFunction(domain, node.op_type()))
      return Inline(node, *local, nullptr);
    if (version == 0)
      Fail(kParseFile, "{} is of domain '{}', for which the model imports no operator set", Named(node),
           domain);
    if (inlining_ > 0) CheckNode(node, opsets_);  // of a function, with the attributes of the call
    if (!reading_.request.covered(domain, node.op_type(), version))
      if (const auto function = StandardFunction(node, version, InputTypes()))
        return Inline(node, *function,
                      pb::OpSchemaRegistry::Schema(node.op_type(), std::min(version, NewestKnownOpset()),
                                                   node.domain()));
    AddNode(node, version);
  }

  void FindInputs(const pb::NodeProto& node) {
    inputs_.clear();
    for (const std::string& input : node.input()) {
      inputs_.push_back(input.empty() ? kNoValue : values_.Find(input));
      if (input.empty() || inputs_.back() != kNoValue) continue;
      throw Error(kParseFile,
                  fmt::format("{} reads '{}', which {}", Named(node), input,
                              IsDefinedLater(input)
                                  ? "is defined by itself or a later node; nodes must stand in order and not "
                                    "depend on each other in a circle"
                                  : "nothing defines"),
                  "E16001");
    }
  }

  bool IsDefinedLater(const std::string& name) const {
    return std::any_of(proto_->node().begin(), proto_->node().end(), [&](const pb::NodeProto& node) {
      return std::find(node.output().begin(), node.output().end(), name) != node.output().end();
    });
  }

  std::vector<pb::TypeProto> InputTypes() const {
    std::vector<pb::TypeProto> types;
    for (const ValueNumber input : inputs_)
      types.push_back(*values_[input].type);
    return types;
  }

  void Inline(const pb::NodeProto& node, const pb::FunctionProto& function, const pb::OpSchema* schema) {
    if (++inlining_ + depth_ > kMaxDepth)
      Fail(kParseFile, "{}: functions lie more than {} deep", Named(node), kMaxDepth);
    const std::string prefix =
        fmt::format("{}/{}/", node.name().empty() ? node.op_type() : node.name(), reading_.next_prefix++);
    auto& bodies = reading_.memory.bodies;
    bodies.push_back(std::make_unique<FunctionBody>(ExpandFunction(node, function, schema, opsets_, prefix)));
    FunctionBody& body = *bodies.back();
    std::swap(opsets_, body.opsets);
    for (const pb::NodeProto& inner : body.nodes)
      ReadNode(inner);
    std::swap(opsets_, body.opsets);
    --inlining_;
  }

  void AddNode(const pb::NodeProto& proto, int version) {
    ModelNode node{proto.name(), proto.op_type(), NameOfDomain(proto.domain()), version, {}, {}, {}};
    node.inputs = reading_.Copy(inputs_);
    for (const pb::AttributeProto& attribute : proto.attribute())
      node.attributes[attribute.name()] = ReadAttribute(proto, attribute);
    node.outputs = DefineOutputs(proto, node);
    graph_.nodes.push_back(std::move(node));
  }

  // The data of a constant, for nodes whose shapes depend on it.
  static const pb::TensorProto* DataOf(const pb::NodeProto& node) {
    if (node.op_type() != "Constant" || node.attribute_size() != 1 || !node.attribute(0).has_t())
      return nullptr;
    const pb::TensorProto& tensor = node.attribute(0).t();
    return tensor.data_location() == pb::TensorProto::EXTERNAL ? nullptr : &tensor;
  }

  std::vector<pb::TypeProto> OutputTypes(const pb::NodeProto& proto, const ModelNode& node) const {
    if (HasGraphs(node)) return TypesOfGraphs(node, static_cast<std::size_t>(proto.output_size()));
    if (!node.domain.empty())
      return std::vector<pb::TypeProto>(static_cast<std::size_t>(proto.output_size()));
    std::vector<KnownInput> inputs;
    inputs.reserve(node.inputs.size());
    for (const ValueNumber input : node.inputs)
      inputs.push_back(values_[input]);
    return InferTypes(proto, node.version, inputs);
  }

  std::span<const ValueNumber> DefineOutputs(const pb::NodeProto& proto, const ModelNode& node) {
    std::vector<pb::TypeProto> types = OutputTypes(proto, node);
    outputs_.clear();
    for (int i = 0; i < proto.output_size(); ++i) {
      outputs_.push_back(kNoValue);
      if (proto.output(i).empty()) continue;
      pb::TypeProto& type = types[static_cast<std::size_t>(i)];
      if (type.value_case() == pb::TypeProto::VALUE_NOT_SET)
        if (const auto* const declared = declared_.Find(proto.output(i))) type = **declared;
      outputs_.back() = Define(proto.output(i), reading_.memory.types.Keep(std::move(type)),
                               i == 0 ? DataOf(proto) : nullptr);
    }
    return reading_.Copy(outputs_);
  }

  std::shared_ptr<const ModelGraph> ReadGraph(const pb::GraphProto& proto) {
    return std::make_shared<ModelGraph>(
        GraphReader(reading_, &values_, opsets_, depth_ + inlining_ + 1).Read(proto, InputTypes()));
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
  ValueList values_;
  Opsets opsets_;
  const int depth_;
  int inlining_ = 0;
  ModelGraph graph_;
  NameMap<const pb::TypeProto*> declared_;
  const pb::GraphProto* proto_ = nullptr;
  std::vector<ValueNumber> inputs_, outputs_;  // of the node that is being read
};

void ReadCutWeights(Reading& reading, const ParsedModel& parsed) {
  for (const WeightPlace& place : parsed.weights) {
    const pb::TensorProto& tensor = parsed.message.graph().initializer(place.initializer);
    if (tensor.data_location() == pb::TensorProto::EXTERNAL) continue;
    reading.taken.emplace(&tensor, reading.tensors.Read(tensor, parsed.source, place));
  }
}

// The messages of a model and its weights are never there twice. What is as large as this decides no shapes.
void TakeWeights(Reading& reading, pb::GraphProto& graph) {
  for (pb::TensorProto& tensor : *graph.mutable_initializer()) {
    if (tensor.raw_data().size() < kCutBytes) continue;
    reading.taken.emplace(&tensor, reading.tensors.Read(tensor));
    std::string().swap(*tensor.mutable_raw_data());
  }
}

}  // namespace

std::shared_ptr<const Model> ReadModel(const ReadRequest& request, ParsedModel parsed) {
  const auto memory = std::make_shared<ModelMemory>(std::move(parsed));
  pb::ModelProto& proto = memory->parsed.message;
  Reading reading{request, *memory, proto,
                  TensorReader(request, ExternalData(request.path), memory->parsed.source.size)};
  ReadCutWeights(reading, memory->parsed);
  TakeWeights(reading, *proto.mutable_graph());
  auto model = std::make_shared<Model>();
  model->memory = memory;
  model->ir_version = proto.ir_version();
  model->graph = GraphReader(reading, nullptr, OpsetsOf(proto), 0).Read(proto.graph());
  return model;
}

}  // namespace foothold::onnx
