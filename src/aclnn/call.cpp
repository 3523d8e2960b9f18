// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/call.h"

#include <fmt/format.h>

#include <algorithm>

#include "aclnn/types.h"
#include "calls/view.h"
#include "compiler/infer.h"
#include "ops/op.h"

namespace foothold::aclnn {
namespace {

constexpr std::size_t kMostDims = 8;

std::vector<std::int64_t> Inverse(const std::vector<std::int64_t>& order) {
  std::vector<std::int64_t> inverse(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    inverse[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
  return inverse;
}

Dims Permuted(const Extents& dims, const std::vector<std::int64_t>& order) {
  Dims permuted;
  for (const std::int64_t axis : order)
    permuted.push_back(dims[static_cast<std::size_t>(axis)]);
  return permuted;
}

}  // namespace

Call::Call(const Function& function, const Argument* arguments)
    : Arguments(function, arguments), graph_(function.name) {
  graph_.SetPrefix(std::string(function.name) + "/");
  for (std::uint16_t i = 0; i < size(); ++i) {
    first_tensor_.push_back(static_cast<std::uint32_t>(tensors_.size()));
    const Parameter& given = parameter(i);
    const bool list = given.kind == Kind::kTensorList;
    const std::size_t count = list ? ListSize(given.name) : given.kind == Kind::kTensor ? 1 : 0;
    for (std::uint16_t member = 0; member < count; ++member)
      tensors_.push_back({{i, member}, given.direction});
  }
}

bool Call::HasMember(std::string_view name, std::size_t index) const {
  return index < ListSize(name) && GetList(name)[index] != nullptr;
}

std::size_t Call::ListSize(std::string_view name) const {
  return Has(name) ? GetList(name).size() : 0;
}

Tensor Call::View(std::string_view name, std::size_t index) const {
  const bool list = parameter(Index(name)).kind == Kind::kTensorList;
  if (list && index >= ListSize(name))
    Refuse("list '{}' has {} members, and member {} is needed", name, ListSize(name), index);
  const Tensor& tensor = list ? Tensors::Get().Find(GetList(name)[index]) : GetTensor(name);
  if (tensor.dims.size() > kMostDims)
    Refuse("'{}' has {} dimensions; operators take {} at most", name, tensor.dims.size(), kMostDims);
  return CurrentView(tensor);
}

std::int64_t Call::GetAxis(std::string_view name, std::size_t rank) const {
  const auto most = std::max<std::int64_t>(static_cast<std::int64_t>(rank), 1);
  const std::int64_t axis = GetInt(name);
  if (axis < -most || axis >= most)
    Refuse("'{}' is {}; it has to be in [{}, {}]", name, axis, -most, most - 1);
  return axis < 0 ? axis + most : axis;
}

std::vector<std::int64_t> Call::GetAxes(std::string_view name, std::size_t rank) const {
  const auto most = std::max<std::int64_t>(static_cast<std::int64_t>(rank), 1);
  std::vector<std::int64_t> axes = GetInts(name);
  for (std::int64_t& axis : axes) {
    if (axis < -most || axis >= most)
      Refuse("'{}' names dimension {}; dimensions are in [{}, {}]", name, axis, -most, most - 1);
    if (axis < 0) axis += most;
  }
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (std::count(axes.begin(), axes.end(), axes[i]) > 1)
      Refuse("'{}' names dimension {} twice", name, axes[i]);
  return axes;
}

ArgumentPlace Call::PlaceOf(std::string_view name, std::size_t index) const {
  return {static_cast<std::uint16_t>(Index(name)), static_cast<std::uint16_t>(index)};
}

std::uint32_t Call::TensorNumber(ArgumentPlace place) const {
  return first_tensor_[place.parameter] + place.member;
}

Value Call::AddInput(std::string_view name, std::size_t index, const TensorType& type) {
  const ArgumentPlace place = PlaceOf(name, index);
  return AddPort(name, place, {0, TensorNumber(place)}, type);
}

Value Call::AddPort(std::string_view name, ArgumentPlace place, const CallInput& input,
                    const TensorType& type) {
  if (BitsPerElement(type.type).value_or(0) == 0)
    Refuse("'{}' has elements of type {}", name, DataTypeName(type.type));
  const std::string node_name = graph_.UniqueName(std::string(name));
  Node& data = graph_.graph()->Make("Data", node_name);
  PortDesc desc(type);
  desc.set = true;
  data.AddInput("x", PortKind::kRequired).desc = desc;
  data.AddOutput("y", PortKind::kRequired).desc = desc;
  data.attributes["index"] = static_cast<std::int64_t>(inputs_.size());
  graph_.graph()->inputs.push_back(&data);
  inputs_.push_back({node_name, place, input});
  return {&data, 0};
}

void Call::CheckLayout(std::string_view name, const Tensor& view) const {
  if (IsPrivateLayout(view.format))
    Refuse("'{}' is in layout {}, which it cannot be here", name, FormatText(view.format));
}

Value Call::In(std::string_view name, std::size_t index) {
  const Tensor view = View(name, index);
  CheckLayout(name, view);
  if (IsContiguous(view.dims, view.strides))
    return AddInput(name, index, {view.type, Format::kNd, view.dims.ToDims()});
  if (const auto order = DenseOrder(view.dims, view.strides)) {
    const Value dense = AddInput(name, index, {view.type, Format::kNd, Permuted(view.dims, *order)});
    return Transpose(dense, Inverse(*order));
  }
  return Op("AsStrided", {Span(name, index), Ints(view.dims.ToDims()), Ints(PlainStrides(view)), Ints({0})});
}

Value Call::InLines(std::string_view name, std::size_t index) {
  const Value value = In(name, index);
  return DimsOf(value).empty() ? Reshape(value, {1}) : value;
}

std::vector<Value> Call::InAll(std::string_view name) {
  std::vector<Value> values;
  for (std::size_t i = 0; i < ListSize(name); ++i) {
    if (!HasMember(name, i)) Refuse("member {} of list '{}' is null", i, name);
    values.push_back(In(name, i));
  }
  return values;
}

Value Call::Span(std::string_view name, std::size_t index) {
  const Tensor view = View(name, index);
  return AddInput(name, index, {view.type, Format::kNd, {SpanOf(view.dims, view.strides)}});
}

Value Call::Memory(std::string_view name, std::size_t index, const TensorType& type) {
  return AddInput(name, index, type);
}

Value Call::Number(DataType type, const aclnn::Number& value) {
  TensorValue constant(TensorType{type, Format::kNd, {}});
  StoreNumber(value, type, constant.mutable_data());
  return Const(std::move(constant));
}

aclnn::Op Call::Op(const std::string& type, std::initializer_list<Value> inputs) {
  return {*this, graph_.Op(type, inputs)};
}

aclnn::Op Call::OwnOp(const std::string& type, std::initializer_list<std::pair<const char*, Value>> inputs,
                      std::initializer_list<const char*> outputs) {
  Node& node = graph_.graph()->Make(type, graph_.UniqueName(std::string(function().name) + "/" + type));
  for (const auto& [name, value] : inputs) {
    node.AddInput(name, PortKind::kOptional, name);
    if (value) node.Connect(static_cast<int>(node.inputs().size()) - 1, value);
  }
  for (const char* name : outputs) {
    const bool kept = std::any_of(inputs.begin(), inputs.end(), [&](const auto& input) {
      return std::string_view(input.first) == name && IsOnlyRead(input.second);
    });
    const std::string port = kept ? std::string(name) + "_changed" : name;
    node.AddOutput(port, PortKind::kRequired, port);
  }
  return {*this, OpBuilder(node)};
}

// Views of a tensor share its memory.
bool Call::IsOnlyRead(const Value& value) const {
  const Node* node = value.node;
  while (node->type() != "Data") {
    const OpDef* op = FindOp(node->type());
    if (op == nullptr || op->views().empty()) return false;
    node = node->inputs()[static_cast<std::size_t>(op->views()[0].input)].source.node;
  }
  const auto port =
      std::find_if(inputs_.begin(), inputs_.end(), [&](const Port& one) { return one.name == node->name(); });
  return port != inputs_.end() && parameter(port->place.parameter).direction == Direction::kIn;
}

void Call::Infer(Node& node) {
  const OpDef* op = FindOp(node.type());
  if (op == nullptr) NotSupported("operator {} has no kernel", node.type());
  bool late = !op->infer();
  if (!late) try {
      OpContext context(node, KnownValues(node));
      op->infer()(context);
    } catch (const ValueNotKnown&) {
      late = true;
    }
  knows_types_ = knows_types_ && !late;
  for (Output& output : node.outputs())
    if (late) static_cast<TensorType&>(output.desc) = {node.InputType(0).type, Format::kNd, {kUnknownRank}};
}

Value Call::Told(Value value, const TensorType& type) {
  static_cast<TensorType&>(value.node->outputs()[static_cast<std::size_t>(value.port)].desc) = type;
  return value;
}

Value Call::As(Value value, Format format) {
  PortDesc& desc = value.node->outputs()[static_cast<std::size_t>(value.port)].desc;
  desc.format = format;
  desc.set = true;
  return value;
}

Value Call::To(Value value, DataType type) {
  if (TypeOf(value).type == type) return value;
  return Op("Cast", {value}).Set("dst_type", static_cast<std::int64_t>(type));
}

Value Call::Reshape(Value value, const Dims& dims) {
  return DimsOf(value) == dims ? value : Op("Reshape", {value, Ints(dims)});
}

Value Call::Transpose(Value value, const std::vector<std::int64_t>& order) {
  return std::is_sorted(order.begin(), order.end()) ? value : Op("Transpose", {value, Ints(order)});
}

Value Call::BroadcastTo(Value value, const Dims& dims) {
  return DimsOf(value) == dims ? value : Op("BroadcastTo", {value, Ints(dims)});
}

}  // namespace foothold::aclnn
