// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/call.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "aclnn/types.h"
#include "aclnn/view.h"
#include "compiler/executable.h"
#include "compiler/infer.h"
#include "compiler/normalize.h"
#include "ops/op.h"
#include "ops/strided_view.h"

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

std::vector<std::int64_t> PackedStrides(const Dims& dims) {
  std::vector<std::int64_t> strides(dims.size(), 1);
  for (std::size_t i = dims.size(); i-- > 1;)
    strides[i - 1] = strides[i] * dims[i];
  return strides;
}

// Those of dimensions of size 1 are 0.
std::vector<std::int64_t> PlainStrides(const Tensor& view) {
  std::vector<std::int64_t> strides = view.strides.ToDims();
  for (std::size_t i = 0; i < strides.size(); ++i)
    if (view.dims[i] == 1) strides[i] = 0;
  return strides;
}

}  // namespace

Op& Op::In(std::string_view port, Value value) {
  builder_.In(port, value);
  return *this;
}

Op& Op::InList(std::string_view port, const std::vector<Value>& values) {
  builder_.InList(port, values);
  return *this;
}

Op& Op::Set(std::string_view attribute, Attribute value) {
  builder_.Set(attribute, std::move(value));
  return *this;
}

Op& Op::Outputs(std::string_view port, std::size_t count) {
  builder_.Outputs(port, count);
  return *this;
}

Op& Op::WantsDims(const Dims& dims) {
  PortDesc& desc = builder_.node().outputs().at(0).desc;
  desc.dims = dims;
  desc.set = true;
  return *this;
}

// A contiguous one is nothing special.
Value Op::Viewed(const std::string& port, std::string_view name, std::size_t index, bool any) {
  const Tensor view = call_.View(name, index);
  const bool rows = view.dims.size() > 0 &&
                    (view.dims[view.dims.size() - 1] == 1 || view.strides[view.dims.size() - 1] == 1);
  if (IsContiguous(view.dims, view.strides) || !(rows || any)) return call_.In(name, index);
  Set(ViewAttribute(port), ViewNumbers(view.dims.ToDims(), PlainStrides(view)));
  return call_.Span(name, index);
}

Op& Op::InView(std::string_view port, std::string_view name) {
  return In(port, Viewed(std::string(port), name, 0, false));
}

Op& Op::InAnyView(std::string_view port, std::string_view name) {
  return In(port, Viewed(std::string(port), name, 0, true));
}

Op& Op::InViews(std::string_view port, std::string_view list) {
  std::vector<Value> values;
  for (std::size_t i = 0; i < call_.ListSize(list); ++i) {
    if (!call_.HasMember(list, i)) call_.Refuse("member {} of list '{}' is null", i, list);
    values.push_back(Viewed(std::string(port) + std::to_string(i), list, i, false));
  }
  return InList(port, values);
}

Value Op::Out(int port) {
  if (!inferred_) call_.Infer(builder_.node());
  inferred_ = true;
  return builder_.Out(port);
}

Value Op::Out(std::string_view port) {
  const int index = builder_.node().OutputIndex(port);
  FOOTHOLD_CHECK(index >= 0);
  return Out(index);
}

Call::Call(const Function& function, const Argument* arguments)
    : Arguments(function, arguments), graph_(function.name) {
  graph_.SetPrefix(std::string(function.name) + "/");
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

TensorPlace Call::PlaceOf(std::string_view name, std::size_t index) const {
  return {static_cast<std::uint16_t>(Index(name)), static_cast<std::uint16_t>(index)};
}

Value Call::AddInput(std::string_view name, std::size_t index, const TensorType& type) {
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
  inputs_.push_back({node_name, PlaceOf(name, index)});
  return {&data, 0};
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
  if (type == DataType::kInt64) return Int(value.integer);
  if (type == DataType::kComplex64 || type == DataType::kComplex128) {
    const std::complex<float> narrow(value.complex);
    if (type == DataType::kComplex64)
      return Const(TensorValue::Of<std::complex<float>>(type, {}, {&narrow, 1}));
    return Const(TensorValue::Of<std::complex<double>>(type, {}, {&value.complex, 1}));
  }
  return Number(type, IsInteger(type) ? static_cast<double>(value.integer) : value.real());
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
  for (const char* name : outputs)
    node.AddOutput(name, PortKind::kRequired, name);
  return {*this, OpBuilder(node)};
}

void Call::Infer(Node& node) const {
  const OpDef* op = FindOp(node.type());
  if (op == nullptr) NotSupported("operator {} has no kernel", node.type());
  bool late = !op->infer();
  if (!late) try {
      OpContext context(node, KnownValues(node));
      op->infer()(context);
    } catch (const ValueNotKnown&) {
      late = true;
    }
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

void Call::CheckLayout(std::string_view name, const Tensor& view) const {
  if (IsPrivateLayout(view.format))
    Refuse("'{}' is in layout {}, which it cannot be here", name, FormatText(view.format));
}

void Call::CheckConversion(std::string_view name, DataType from, DataType to) const {
  if (from != to && !Converts(from, to))
    Refuse("the result is {}, and '{}' is {}: it cannot be converted", DataTypeName(from), name,
           DataTypeName(to));
}

void Call::Out(std::string_view name, Value value, std::size_t index) {
  const Tensor view = View(name, index);
  if (!IsStatic(DimsOf(value))) return OutLate(name, index, view, value);
  if (DimsOf(value) != view.dims.ToDims())
    Refuse("'{}' is {}, and the result is {}", name, ToString(view), foothold::ToString(DimsOf(value)));
  Write(name, index, view, value);
}

void Call::OutElements(std::string_view name, Value value, std::size_t index) {
  const Tensor view = View(name, index);
  if (ElementCount(DimsOf(value)) != CountOf(view.dims))
    Refuse("'{}' is {}, and the result is {}", name, ToString(view), foothold::ToString(DimsOf(value)));
  Write(name, index, view, Reshape(value, view.dims.ToDims()));
}

void Call::OutLate(std::string_view name, std::size_t index, const Tensor& view, Value value) {
  if (!IsContiguous(view.dims, view.strides))
    NotSupported("'{}' is not contiguous, and only the run tells the size of the result", name);
  AddOutput(name, index, value);
}

void Call::OutTold(std::string_view name, Value value, DataType type) {
  const Tensor& view = GetTensor(name);
  CheckConversion(name, type, view.type);
  if (!IsContiguous(view.dims, view.strides))
    NotSupported("'{}' is not contiguous, and only the run tells the size of the result", name);
  if (type != view.type) value = Op("Cast", {value}).Set("dst_type", static_cast<std::int64_t>(view.type));
  outputs_.push_back({PlaceOf(name, 0), true});
  graph_.graph()->outputs.push_back(value);
}

void Call::Write(std::string_view name, std::size_t index, const Tensor& view, Value value) {
  CheckConversion(name, TypeOf(value).type, view.type);
  CheckLayout(name, view);
  if (IsEmpty(view.dims)) return;
  const Value converted = To(value, view.type);
  if (IsContiguous(view.dims, view.strides)) return AddOutput(name, index, converted);
  if (const auto order = DenseOrder(view.dims, view.strides))
    return AddOutput(name, index, Transpose(converted, *order));
  WriteStrided(name, index, view, converted, DimsOf(converted), PackedStrides(DimsOf(converted)));
}

void Call::OutFromView(std::string_view name, Value value, const Dims& dims, const Dims& strides,
                       std::size_t index) {
  const Tensor view = View(name, index);
  CheckLayout(name, view);
  if (!IsEmpty(view.dims)) WriteStrided(name, index, view, value, dims, strides);
}

void Call::WriteStrided(std::string_view name, std::size_t index, const Tensor& view, Value value,
                        const Dims& value_dims, const Dims& value_strides) {
  const Dims dims = view.dims.ToDims();
  const Dims strides = PlainStrides(view);
  for (std::size_t i = 0; i < dims.size(); ++i)
    if (dims[i] > 1 && strides[i] == 0)
      Refuse("'{}' is written, and dimension {} of {} has stride 0: all of its elements are one", name, i,
             dims[i]);
  AddOutput(name, index,
            Op("ViewCopy", {Span(name, index), Ints(dims), Ints(strides), Ints({0}), value, Ints(value_dims),
                            Ints(value_strides), Ints({0})}));
}

void Call::AddOutput(std::string_view name, std::size_t index, Value value) {
  outputs_.push_back({PlaceOf(name, index), false});
  graph_.graph()->outputs.push_back(value);
}

// What an earlier run told is no limit for a result that is told anew.
std::size_t Call::RoomFor(const FormOutput& output) const {
  const char* name = parameter(output.place.parameter).name;
  const Tensor view = output.told ? GetTensor(name) : View(name, output.place.member);
  return PackedBytes(view.type, static_cast<std::size_t>(CountOf(view.dims))).value_or(SIZE_MAX);
}

// Of an output of a program that is only there when it runs: views with holes are written as a whole.
std::size_t Call::LateBytes(std::size_t output) const {
  const Value& value = graph_.graph()->outputs[output];
  const bool known = !outputs_[output].told && IsStatic(DimsOf(value));
  return known ? ByteSize(TypeOf(value)) : RoomFor(outputs_[output]);
}

std::shared_ptr<Form> Call::Finish() {
  auto form = std::make_shared<Form>();
  form->function = &function();
  if (outputs_.empty() && graph_.graph()->targets.empty()) return form;
  const NormalGraph normal = Normalize(*graph_.graph());
  std::vector<TensorType> types;
  for (const Node* node : normal.graph->inputs) {
    const auto port = std::find_if(inputs_.begin(), inputs_.end(),
                                   [&](const Port& one) { return one.name == node->name(); });
    FOOTHOLD_CHECK(port != inputs_.end());
    form->inputs.push_back(port->place);
    types.push_back(node->outputs().at(0).desc);
    form->input_bytes.push_back(ByteSize(types.back()));
  }
  form->outputs = outputs_;
  Executable executable(normal.graph);
  auto plan = executable.Prepare(types);
  form->program = std::make_shared<PreparedProgram>(std::move(plan), nullptr);
  if (!form->program->is_static()) {
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      form->output_bytes.push_back(LateBytes(i));
    return form;
  }
  for (const TensorType& type : form->program->program().outputs)
    form->output_bytes.push_back(ByteSize(type));
  form->sharing = MemorySharing(form->program->program());
  return form;
}

}  // namespace foothold::aclnn
