// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What mappings say about outputs, and the form that comes of it.
#include <algorithm>

#include "aclnn/call.h"
#include "aclnn/types.h"
#include "calls/view.h"
#include "compiler/executable.h"

namespace foothold::aclnn {

void Call::CheckConversion(std::string_view name, DataType from, DataType to) const {
  if (from != to && !Converts(from, to))
    Refuse("the result is {}, and '{}' is {}: it cannot be converted", DataTypeName(from), name,
           DataTypeName(to));
}

void Call::Out(std::string_view name, Value value, std::size_t index) {
  const Tensor view = View(name, index);
  if (!IsStatic(DimsOf(value))) return OutLate(name, index, view, value);
  if (DimsOf(value) != view.dims.ToDims() && (ElementCount(DimsOf(value)) != 1 || CountOf(view.dims) != 1))
    Refuse("'{}' is {}, and the result is {}", name, ToString(view), foothold::ToString(DimsOf(value)));
  Write(name, index, view, Reshape(value, view.dims.ToDims()));
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
std::size_t Call::RoomFor(const Written& output) const {
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

namespace {

std::size_t BytesOf(const std::vector<FormValue>& values) {
  return values.empty() ? 0 : values.back().offset + values.back().bytes;
}

}  // namespace

std::shared_ptr<Form> Call::Finish() {
  auto form = std::make_shared<Form>();
  form->function = &function();
  form->ends_on_default_stream = ends_on_default_stream_;
  form->tensors = tensors_;
  if (outputs_.empty()) return form;
  form->values = values_;
  form->value_bytes = BytesOf(values_);
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    form->outputs.push_back({LateBytes(i), TensorNumber(outputs_[i].place), outputs_[i].told});
    form->output_places.push_back(outputs_[i].place);
  }
  Compile(*form);  // nothing of the graph is left
  for (std::size_t i = 0; i < outputs_.size(); ++i)
    if (form->is_placed()) form->outputs[i].bytes = ByteSize(form->program->program().outputs[i]);
  if (form->is_placed()) form->sharing = MemorySharing(form->program->program());
  return form;
}

void Call::Compile(Form& form) {
  const Before before = knows_types_ ? Before::kTypes : Before::kNothing;
  form.program = std::make_shared<PreparedProgram>(CompileOnce(graph_.graph(), before), nullptr);
  const std::vector<TensorType>& types = form.program->program().inputs;
  FOOTHOLD_CHECK(types.size() == inputs_.size());
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    form.inputs.push_back({ByteSize(types[i]), inputs_[i].input.tensor, inputs_[i].input.value});
    form.input_places.push_back(inputs_[i].place);
  }
}

}  // namespace foothold::aclnn
