// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx/node_import.h"

#include "base/error.h"

namespace foothold::onnx {

NodeImport::NodeImport(GraphImport& graph, const ModelNode& node)
    : graph_(graph),
      node_(node),
      name_(graph.builder().UniqueName(std::string(node.name.empty() ? node.op : node.name))),
      first_made_(graph.builder().graph()->nodes().size()) {}

bool NodeImport::Has(int input) const {
  return input < inputs() && node_.inputs[static_cast<std::size_t>(input)] != kNoValue;
}

bool NodeImport::Wants(int output) const {
  return output < outputs() && node_.outputs[static_cast<std::size_t>(output)] != kNoValue;
}

OutputRef NodeImport::In(int input) {
  if (!Has(input)) Unsupported("input {} is not given", input);
  return graph_.Find(node_.inputs[static_cast<std::size_t>(input)]);
}

OutputRef NodeImport::InOr(int input) {
  return Has(input) ? In(input) : OutputRef();
}

std::vector<OutputRef> NodeImport::AllInputs() {
  std::vector<OutputRef> all;
  for (int i = 0; i < inputs(); ++i)
    all.push_back(In(i));
  return all;
}

ValueType NodeImport::TypeOf(int input) const {
  return Has(input) ? graph_.TypeOf(node_.inputs[static_cast<std::size_t>(input)]) : ValueType();
}

DataType NodeImport::ElementType(int input) const {
  const DataType type = TypeOf(input).type;
  if (type == DataType::kUndefined) Unsupported("the element type of input {} is not known", input);
  return type;
}

DataType NodeImport::TypeOfNumber(std::int64_t number) const {
  static const std::map<std::int64_t, DataType> kTypes = {
      {1, DataType::kFloat},    {2, DataType::kUint8},   {3, DataType::kInt8},    {4, DataType::kUint16},
      {5, DataType::kInt16},    {6, DataType::kInt32},   {7, DataType::kInt64},   {9, DataType::kBool},
      {10, DataType::kFloat16}, {11, DataType::kDouble}, {12, DataType::kUint32}, {13, DataType::kUint64},
      {16, DataType::kBfloat16}};
  const auto found = kTypes.find(number);
  if (found == kTypes.end()) Unsupported("element type {} is not supported", number);
  return found->second;
}

std::size_t NodeImport::Rank(int input) const {
  const auto rank = KnownRank(input);
  if (!rank)
    Unsupported("the number of dimensions of input {} is not known; give the shapes of the inputs", input);
  return *rank;
}

std::optional<std::size_t> NodeImport::KnownRank(int input) const {
  const ValueType type = TypeOf(input);
  if (type.kind != ValueType::Kind::kTensor || !type.RankKnown()) return std::nullopt;
  return type.dims.size();
}

std::int64_t NodeImport::AxisWithin(std::int64_t axis, std::size_t rank) const {
  const auto limit = static_cast<std::int64_t>(rank);
  if (axis < -limit || axis > limit) Unsupported("there is no axis {} among {} dimensions", axis, rank);
  return axis < 0 ? axis + limit : axis;
}

ValueType NodeImport::OutputType(int output) const {
  return Wants(output) ? graph_.TypeOf(node_.outputs[static_cast<std::size_t>(output)]) : ValueType();
}

const TensorValue* NodeImport::Known(int input) const {
  return Has(input) ? graph_.Known(node_.inputs[static_cast<std::size_t>(input)]) : nullptr;
}

std::optional<Ints> NodeImport::KnownInts(int input) const {
  const TensorValue* value = Known(input);
  if (value == nullptr) return std::nullopt;
  return Integers(*value);
}

std::optional<double> NodeImport::KnownNumber(int input) const {
  const TensorValue* value = Known(input);
  if (value == nullptr || ElementCount(value->dims()) != 1) return std::nullopt;
  return Scalar(*value);
}

template <typename T>
const T* NodeImport::Find(std::string_view name) const {
  const auto found = node_.attributes.find(name);
  if (found == node_.attributes.end()) return nullptr;
  const T* value = std::get_if<T>(&found->second);
  if (value == nullptr) Unsupported("attribute '{}' has an unexpected type", name);
  return value;
}

std::int64_t NodeImport::Int(std::string_view name, std::int64_t otherwise) const {
  const auto* value = Find<std::int64_t>(name);
  return value == nullptr ? otherwise : *value;
}

float NodeImport::Float(std::string_view name, float otherwise) const {
  const auto* value = Find<float>(name);
  return value == nullptr ? otherwise : *value;
}

std::string NodeImport::Text(std::string_view name, std::string_view otherwise) const {
  const auto* value = Find<std::string>(name);
  return value == nullptr ? std::string(otherwise) : *value;
}

Ints NodeImport::IntList(std::string_view name, Ints otherwise) const {
  const auto* value = Find<Ints>(name);
  return value == nullptr ? std::move(otherwise) : *value;
}

Floats NodeImport::FloatList(std::string_view name, Floats otherwise) const {
  const auto* value = Find<Floats>(name);
  return value == nullptr ? std::move(otherwise) : *value;
}

const TensorValue* NodeImport::Tensor(std::string_view name) const {
  return Find<TensorValue>(name);
}

const ModelGraph& NodeImport::Body(std::string_view name) const {
  const auto* body = Find<std::shared_ptr<const ModelGraph>>(name);
  if (body == nullptr) Unsupported("graph '{}' is not given", name);
  return **body;
}

OpBuilder NodeImport::Op(const std::string& type, std::initializer_list<OutputRef> inputs) {
  builder().SetPrefix(name_ + "/");
  return builder().OpToRename(type, inputs);
}

OutputRef NodeImport::Cast(OutputRef value, DataType to) {
  return Op("Cast", {value}).Set("dst_type", static_cast<std::int64_t>(to));
}

void NodeImport::Out(int output, OutputRef value) {
  if (!Wants(output)) return;
  if (value.port >= static_cast<int>(value.node->outputs().size()))
    Unsupported("output {} is asked for, which there is not", output);
  graph_.Bind(node_.outputs[static_cast<std::size_t>(output)], value);
}

void NodeImport::OutConstant(int output, TensorValue value) {
  if (Wants(output)) graph_.BindConstant(node_.outputs[static_cast<std::size_t>(output)], std::move(value));
}

void NodeImport::Finish() {
  for (int i = 0; i < outputs(); ++i) {
    if (!Wants(i) || graph_.Known(node_.outputs[static_cast<std::size_t>(i)]) != nullptr) continue;
    Node* made = graph_.Find(node_.outputs[static_cast<std::size_t>(i)]).node;
    const auto& nodes = builder().graph()->nodes();
    for (std::size_t n = first_made_; i == 0 && n < nodes.size(); ++n)
      if (nodes[n] == made && made->type() != "Const" && made->type() != "Data")
        builder().Rename({made, 0}, name_);
  }
  builder().SettleName();
}

void NodeImport::UnsupportedText(std::string text) const {
  throw Error(kFeatureUnsupported, std::move(text));
}

}  // namespace foothold::onnx
