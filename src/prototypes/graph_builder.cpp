// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "prototypes/graph_builder.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/half.h"
#include "prototypes/prototype.h"

namespace foothold {
namespace {

void AddPorts(Node& node, const Prototype& prototype) {
  node.ReservePorts(prototype.inputs.size(), prototype.outputs.size());
  for (const PrototypePort& port : prototype.inputs)
    if (port.kind != PortKind::kDynamic) node.AddInput(port.name, port.kind, port.name);
  for (const PrototypePort& port : prototype.outputs)
    if (port.kind != PortKind::kDynamic) node.AddOutput(port.name, port.kind, port.name);
  for (const PrototypeAttribute& attribute : prototype.attributes)
    node.attributes[attribute.name] = attribute.default_value;
}

// Where the first instance of a dynamic port belongs: before the ports that are declared after it.
int PositionOf(const std::vector<PrototypePort>& declared, std::string_view port) {
  int position = 0;
  for (const PrototypePort& known : declared) {
    if (known.name == port) break;
    ++position;
  }
  return position;
}

template <typename T>
TensorValue FilledWith(DataType type, const Dims& dims, T value) {
  TensorValue filled(TensorType{type, Format::kNd, dims});
  for (std::size_t i = 0; i < filled.size() / sizeof(T); ++i)
    std::memcpy(filled.mutable_data() + i * sizeof(T), &value, sizeof(T));
  return filled;
}

}  // namespace

OpBuilder& OpBuilder::In(std::string_view port, OutputRef value) {
  if (!value) return *this;
  int index = node_->InputIndex(port);
  if (index < 0) {
    FOOTHOLD_CHECK(FindPrototype(node_->type()) == nullptr);
    node_->AddInput(std::string(port), PortKind::kOptional);
    index = static_cast<int>(node_->inputs().size()) - 1;
  }
  node_->Connect(index, value);
  return *this;
}

OpBuilder& OpBuilder::InList(std::string_view port, const std::vector<OutputRef>& values) {
  const Prototype* prototype = FindPrototype(node_->type());
  int position =
      prototype == nullptr ? static_cast<int>(node_->inputs().size()) : PositionOf(prototype->inputs, port);
  const std::string group(port);
  for (std::size_t i = 0; i < values.size(); ++i, ++position) {
    node_->AddInput(group + std::to_string(i), PortKind::kDynamic, group, position);
    node_->Connect(position, values[i]);
  }
  return *this;
}

OpBuilder& OpBuilder::Set(std::string_view attribute, Attribute value) {
  node_->attributes[std::string(attribute)] = std::move(value);
  return *this;
}

OpBuilder& OpBuilder::Outputs(std::string_view port, std::size_t count) {
  const std::string group(port);
  for (std::size_t i = 0; i < count; ++i)
    node_->AddOutput(group + std::to_string(i), PortKind::kDynamic, group);
  return *this;
}

std::pair<std::int64_t*, bool> GraphBuilder::AddName(const std::string& name) {
  const auto added = names_.Insert(name, 1);
  if (!added.second) return added;
  auto* const kept = static_cast<char*>(text_.allocate(name.size() + 1, 1));
  std::copy(name.begin(), name.end(), kept);
  names_.KeepLast({kept, name.size()});
  return added;
}

std::string GraphBuilder::UniqueName(const std::string& name) {
  SettleName();
  const auto [found, fresh] = AddName(name);
  if (fresh) return name;
  // Goes on where the last search ended: a model may have any number of nodes without a name.
  std::int64_t number = *found;
  std::string unique;
  do {
    unique = name + "_" + std::to_string(number++);
  } while (!AddName(unique).second);
  *names_.Find(name) = number;
  return unique;
}

void GraphBuilder::Rename(OutputRef value, const std::string& name) {
  if (value.node == unsettled_) unsettled_ = nullptr;
  value.node->set_name(name);
}

void GraphBuilder::SettleName() {
  if (Node* const node = std::exchange(unsettled_, nullptr)) node->set_name(UniqueName(node->name()));
}

OpBuilder GraphBuilder::Op(const std::string& type, std::initializer_list<OutputRef> inputs) {
  return MakeOp(type, UniqueName(prefix_ + type), inputs);
}

OpBuilder GraphBuilder::OpToRename(const std::string& type, std::initializer_list<OutputRef> inputs) {
  SettleName();
  const OpBuilder made = MakeOp(type, prefix_ + type, inputs);
  unsettled_ = &made.node();
  return made;
}

OpBuilder GraphBuilder::MakeOp(const std::string& type, std::string name,
                               std::initializer_list<OutputRef> inputs) {
  Node& node = graph_->Make(type, std::move(name));
  if (const Prototype* prototype = FindPrototype(type)) {
    AddPorts(node, *prototype);
  } else {
    for (std::size_t i = 0; i < inputs.size(); ++i)
      node.AddInput("x" + std::to_string(i), PortKind::kOptional);
  }
  if (node.outputs().empty() && FindPrototype(type) == nullptr) node.AddOutput("y", PortKind::kRequired);
  int port = 0;
  for (const OutputRef& input : inputs) {
    if (input) node.Connect(port, input);
    ++port;
  }
  return OpBuilder(node);
}

Node& GraphBuilder::Data(const std::string& name, std::int64_t index, const TensorType& type) {
  Node& node = graph_->Make("Data", UniqueName(name));
  PortDesc desc(type);
  desc.set = true;
  node.AddInput("x", PortKind::kRequired).desc = desc;
  node.AddOutput("y", PortKind::kRequired).desc = desc;
  node.attributes["index"] = index;
  graph_->inputs.push_back(&node);
  return node;
}

OutputRef GraphBuilder::Const(TensorValue value, const std::string& name) {
  Node& node = graph_->Make("Const", UniqueName(prefix_ + name));
  PortDesc desc(value.type());
  desc.set = true;
  node.AddOutput("y", PortKind::kRequired).desc = desc;
  node.attributes["value"] = std::move(value);
  return {&node, 0};
}

OutputRef GraphBuilder::Ints(const std::vector<std::int64_t>& values) {
  return Const(
      TensorValue::Of<std::int64_t>(DataType::kInt64, {static_cast<std::int64_t>(values.size())}, values));
}

OutputRef GraphBuilder::Int(std::int64_t value) {
  return Const(TensorValue::Of<std::int64_t>(DataType::kInt64, {}, {&value, 1}));
}

OutputRef GraphBuilder::Number(DataType type, double value) {
  return Const(Filled(type, {}, value));
}

TensorValue Filled(DataType type, const Dims& dims, double value) {
  switch (type) {
    case DataType::kFloat:
      return FilledWith(type, dims, static_cast<float>(value));
    case DataType::kDouble:
      return FilledWith(type, dims, value);
    case DataType::kFloat16:
      return FilledWith(type, dims, Half(static_cast<float>(value)));
    case DataType::kBfloat16:
      return FilledWith(type, dims, Bfloat16(static_cast<float>(value)));
    case DataType::kInt64:
      return FilledWith(type, dims, static_cast<std::int64_t>(value));
    case DataType::kUint64:
      return FilledWith(type, dims, static_cast<std::uint64_t>(value));
    case DataType::kInt32:
      return FilledWith(type, dims, static_cast<std::int32_t>(value));
    case DataType::kUint32:
      return FilledWith(type, dims, static_cast<std::uint32_t>(value));
    case DataType::kInt16:
      return FilledWith(type, dims, static_cast<std::int16_t>(value));
    case DataType::kUint16:
      return FilledWith(type, dims, static_cast<std::uint16_t>(value));
    case DataType::kInt8:
      return FilledWith(type, dims, static_cast<std::int8_t>(value));
    case DataType::kUint8:
      return FilledWith(type, dims, static_cast<std::uint8_t>(value));
    case DataType::kBool:
      return FilledWith(type, dims, static_cast<std::uint8_t>(value != 0));
    default:
      Fail(kFeatureUnsupported, "there are no constants of type {}", DataTypeName(type));
  }
}

}  // namespace foothold
