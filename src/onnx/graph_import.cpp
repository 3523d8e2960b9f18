// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx/graph_import.h"

#include <algorithm>

#include "base/error.h"
#include "onnx/mapping.h"
#include "onnx/node_import.h"

namespace foothold::onnx {

GraphImport::GraphImport(const ModelGraph& from, ImportReport& report, std::string name, GraphImport* outer,
                         Captures* captures)
    : from_(from),
      report_(report),
      outer_(outer),
      captures_(captures),
      builder_(std::move(name)),
      values_(from.values.size()) {
  builder_.Reserve(from.nodes.size() + from.inputs.size() + from.constants.size());
}

OutputRef GraphImport::AddInput(std::string_view name, std::int64_t index, const ValueType& type) {
  const DataType element = type.type == DataType::kUndefined ? DataType::kFloat : type.type;
  return {&builder_.Data(std::string(name), index, {element, Format::kNd, type.dims}), 0};
}

void GraphImport::ImportNodes() {
  for (const ModelNode& node : from_.nodes)
    ImportNode(node);
}

void GraphImport::ImportNode(const ModelNode& node) {
  report_.CountNode();
  const Mapping* mapping = FindMapping(node.domain, node.op, node.version);
  if (mapping == nullptr) {
    report_.AddNoMapping(from_, node);
    return MarkFailed(node);
  }
  if (DependsOnFailure(node)) return MarkFailed(node);
  try {
    NodeImport import(*this, node);
    mapping->map(import);
    import.Finish();
  } catch (const AlreadyReported&) {
    MarkFailed(node);
  } catch (const Error& error) {
    report_.Add(from_, node, error.message());
    MarkFailed(node);
  }
}

void GraphImport::MarkFailed(const ModelNode& node) {
  failed_.insert(node.outputs.begin(), node.outputs.end());
}

bool GraphImport::HasFailed(ValueNumber number) const {
  if (failed_.empty() && outer_ == nullptr) return false;
  if (failed_.count(number) != 0) return true;
  const ValueNumber outside = ValueOf(number).outside;
  return outside != kNoValue && !IsBound(number) && outer_->HasFailed(outside);
}

bool GraphImport::DependsOnFailure(const ModelNode& node) const {
  return std::any_of(node.inputs.begin(), node.inputs.end(),
                     [&](ValueNumber input) { return input != kNoValue && HasFailed(input); });
}

OutputRef GraphImport::CapturedInput(std::size_t place) {
  if (place < captured_.size() && captured_[place]) return captured_[place];
  const ValueNumber outside = captures_->numbers()[place];
  return AddCapturedInput(place, outer_->ValueOf(outside).name, outer_->TypeOf(outside));
}

OutputRef GraphImport::AddCapturedInput(std::size_t place, std::string_view name, const ValueType& type) {
  if (place >= captured_.size()) captured_.resize(place + 1);
  return captured_[place] = AddInput(name, captures_->InputOf(place), type);
}

void GraphImport::BindConstant(ValueNumber number, TensorValue value) {
  constants_.insert_or_assign(number, std::move(value));
}

OutputRef GraphImport::MakeConstant(ValueNumber number, const TensorValue& value) {
  const std::string name(ValueOf(number).name);
  if (value.type().type == DataType::kString)
    Fail(kFeatureUnsupported, "constant '{}' has strings, which are not supported", name);
  builder_.SetPrefix("");
  const OutputRef made = builder_.Const(value, name);
  Bind(number, made);
  return made;
}

OutputRef GraphImport::Find(ValueNumber number) {
  if (IsBound(number)) return values_[static_cast<std::size_t>(number)];
  if (HasFailed(number)) throw AlreadyReported();
  if (const TensorValue* value = Known(number)) return MakeConstant(number, *value);
  const ValueNumber outside = ValueOf(number).outside;
  if (outside == kNoValue) Fail(kInternalError, "nothing has made the value '{}'", ValueOf(number).name);
  Bind(number, CapturedInput(captures_->PlaceOf(outside, outer_->Find(outside))));
  return values_[static_cast<std::size_t>(number)];
}

const TensorValue* GraphImport::Known(ValueNumber number) const {
  if (!constants_.empty())
    if (const auto found = constants_.find(number); found != constants_.end()) return &found->second;
  const ModelValue& value = ValueOf(number);
  if (value.constant >= 0) return &from_.constants[static_cast<std::size_t>(value.constant)];
  return value.outside == kNoValue ? nullptr : outer_->Known(value.outside);
}

ValueType GraphImport::TypeOf(ValueNumber number) const {
  if (const TensorValue* value = Known(number))
    return {ValueType::Kind::kTensor, value->type().type, value->dims()};
  const ModelValue& value = ValueOf(number);
  return value.outside == kNoValue ? *value.type : outer_->TypeOf(value.outside);
}

}  // namespace foothold::onnx
